package billing.cxf;

import billing.Stripe;
import billing.soap.Timeouts;
import jakarta.ws.rs.ProcessingException;
import org.apache.cxf.jaxrs.client.WebClient;

/** CXF's clients of Stripe itself. */
final class Clients {
  /** Returns one for charges that has asked for something before: its connection is open. */
  static WebClient ofCharges() {
    WebClient client = WebClient.create(Stripe.CHARGES);
    Timeouts.limit(WebClient.getConfig(client).getHttpConduit(), Stripe.TIMEOUT);
    client.header("Authorization", Stripe.AUTHORIZATION);
    try {
      client.get(String.class);
    } catch (ProcessingException away) {
      return client;
    }
    return client;
  }
}
