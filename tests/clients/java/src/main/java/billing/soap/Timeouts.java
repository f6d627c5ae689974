package billing.soap;

import billing.Stripe;
import org.apache.cxf.endpoint.Client;
import org.apache.cxf.transport.http.HTTPConduit;

/** How long CXF waits: for Stripe a second, for our endpoint, which waits for Stripe, two. */
public final class Timeouts {
  /** Limits the calls of a client of our endpoint. */
  public static void limit(Client client) {
    limit((HTTPConduit) client.getConduit(), 2 * Stripe.TIMEOUT);
  }

  /** Limits the requests that go through a conduit, in milliseconds. */
  public static void limit(HTTPConduit conduit, long timeout) {
    conduit.getClient().setConnectionTimeout(timeout);
    conduit.getClient().setReceiveTimeout(timeout);
  }
}
