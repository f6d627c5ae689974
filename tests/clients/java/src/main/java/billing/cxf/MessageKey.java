package billing.cxf;

import billing.Stripe;
import java.util.List;
import java.util.UUID;
import org.apache.cxf.message.Message;
import org.apache.cxf.phase.AbstractPhaseInterceptor;
import org.apache.cxf.phase.Phase;

/** Gives each message that leaves a key of its own: one message, not one payment. */
final class MessageKey extends AbstractPhaseInterceptor<Message> {
  MessageKey() {
    super(Phase.PRE_STREAM);
  }

  @Override
  public void handleMessage(Message message) {
    Headers.of(message).put(Stripe.KEY, List.of(UUID.randomUUID().toString()));
  }
}
