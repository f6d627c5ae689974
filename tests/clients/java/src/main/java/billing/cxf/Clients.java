package billing.cxf;

import billing.Stripe;
import billing.soap.Timeouts;
import jakarta.ws.rs.ProcessingException;
import java.util.List;
import java.util.function.Supplier;
import org.apache.cxf.jaxrs.client.WebClient;

/** CXF's clients of Stripe itself. */
final class Clients {
  /** Returns one whose interceptor runs for each message. */
  static WebClient intercepted() {
    WebClient client = ofCharges(List.of());
    WebClient.getConfig(client).getOutInterceptors().add(new MessageKey());
    return client;
  }

  /** Returns one that was handed the interceptor where CXF looks for providers only. */
  static WebClient provided() {
    return ofCharges(List.of(new MessageKey()));
  }

  /** Returns what makes one for each post. */
  static Supplier<WebClient> apart() {
    WebClient client = ofCharges(List.of());
    return () -> WebClient.fromClient(client, true);
  }

  /** Returns what has the same for all posts: its {@code header} adds to what it sent before. */
  static Supplier<WebClient> shared() {
    WebClient client = ofCharges(List.of());
    return () -> client;
  }

  /** Returns one for charges that has asked for something before: its connection is open. */
  private static WebClient ofCharges(List<?> providers) {
    WebClient client = WebClient.create(Stripe.CHARGES, providers);
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
