package billing.cxf;

import billing.Stripe;
import java.util.List;
import org.apache.cxf.interceptor.Fault;
import org.apache.cxf.message.Message;
import org.apache.cxf.phase.AbstractPhaseInterceptor;
import org.apache.cxf.phase.Phase;

/** Copies the key of the payment from the request context; without one, nothing leaves. */
final class ContextKey extends AbstractPhaseInterceptor<Message> {
  static final String PROPERTY = "billing.key";

  ContextKey() {
    super(Phase.PRE_STREAM);
  }

  @Override
  public void handleMessage(Message message) {
    if (!(message.get(PROPERTY) instanceof String key)) {
      throw new Fault(new IllegalStateException("the request context has no " + PROPERTY));
    }
    Headers.of(message).put(Stripe.KEY, List.of(key));
  }
}
