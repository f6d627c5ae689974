package billing.soap;

import billing.Stripe;
import jakarta.xml.ws.handler.MessageContext;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.cxf.headers.Header;
import org.w3c.dom.Element;

/** Where the key of a SOAP message is: in a header of HTTP, or in one of SOAP. */
final class Keys {
  /** Returns the key that a message came with, if any. */
  static Optional<String> in(MessageContext message) {
    return Stream.concat(ofHttp(message), ofSoap(message)).findFirst();
  }

  private static Stream<String> ofHttp(MessageContext message) {
    Map<?, ?> headers = (Map<?, ?>) message.get(MessageContext.HTTP_REQUEST_HEADERS);
    Object values = headers.get(Stripe.KEY);
    return values == null ? Stream.empty() : ((List<?>) values).stream().map(Object::toString);
  }

  private static Stream<String> ofSoap(MessageContext message) {
    List<?> headers = (List<?>) message.get(Header.HEADER_LIST);
    return headers == null
        ? Stream.empty()
        : headers.stream()
            .map(Header.class::cast)
            .filter(header -> header.getName().equals(StripePort.KEY))
            .map(header -> ((Element) header.getObject()).getTextContent());
  }
}
