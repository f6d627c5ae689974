package billing.cxf;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.cxf.helpers.CastUtils;
import org.apache.cxf.message.Message;

/** The headers of HTTP that a message will be sent with. */
final class Headers {
  /** Returns them, made if need be, to be added to. */
  static Map<String, List<String>> of(Message message) {
    Map<String, List<String>> headers =
        CastUtils.cast((Map<?, ?>) message.get(Message.PROTOCOL_HEADERS));
    if (headers == null) {
      headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
      message.put(Message.PROTOCOL_HEADERS, headers);
    }
    return headers;
  }
}
