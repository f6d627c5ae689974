package billing.soap;

import billing.Bill;
import billing.Stripe;
import jakarta.annotation.Resource;
import jakarta.jws.WebService;
import jakarta.xml.ws.Endpoint;
import jakarta.xml.ws.WebServiceContext;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.apache.cxf.jaxws.EndpointImpl;
import org.apache.cxf.transport.http_jetty.JettyHTTPDestination;
import org.apache.cxf.transport.http_jetty.JettyHTTPServerEngine;
import org.eclipse.jetty.server.NetworkConnector;

/**
 * The SOAP endpoint that turns what it is sent into one charge at Stripe.
 *
 * <p>It sends what it got, once, under the key that came with it, and says every failure as a
 * fault: to try again is the caller's business.
 */
@WebService(
    endpointInterface = "billing.soap.StripePort",
    serviceName = "StripeService",
    portName = "StripePort",
    targetNamespace = StripePort.SPACE)
public final class StripeEndpoint implements StripePort {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  @Resource private WebServiceContext context;

  /** Publishes one on a free port of this machine and returns its address. */
  public static String published() {
    warmUp();
    Endpoint endpoint = Endpoint.publish(address(0), new StripeEndpoint());
    return address(port((EndpointImpl) endpoint));
  }

  private static String address(int port) {
    return "http://127.0.0.1:" + port + "/stripe";
  }

  /** Returns the port that Jetty chose: CXF goes on to name it 0. */
  private static int port(EndpointImpl endpoint) {
    var destination = (JettyHTTPDestination) endpoint.getServer().getDestination();
    var engine = (JettyHTTPServerEngine) destination.getEngine();
    return ((NetworkConnector) engine.getConnector()).getLocalPort();
  }

  @Override
  public String charge(String customer, String period, long amount) {
    Bill bill = new Bill(customer, period, amount);
    HttpRequest.Builder request =
        asked(Stripe.CHARGES)
            .header("Content-Type", Stripe.FORM_TYPE)
            .POST(BodyPublishers.ofString(bill.body()));
    Keys.in(context.getMessageContext()).ifPresent(key -> request.header(Stripe.KEY, key));
    HttpResponse<String> answer = sent(request.build());
    return switch (Stripe.said(answer.statusCode(), answer.body(), bill)) {
      case PAID -> answer.body();
      case AGAIN -> throw Faults.open("Stripe answered " + answer.statusCode());
      case REFUSED -> throw Faults.refused("Stripe answered " + answer.statusCode());
    };
  }

  private static HttpResponse<String> sent(HttpRequest request) {
    try {
      return CLIENT.send(request, BodyHandlers.ofString());
    } catch (IOException lost) {
      throw Faults.open("no answer of Stripe: " + lost);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw Faults.open("interrupted");
    }
  }

  /** Opens the connection that charges will find open; a Stripe that is away is no error yet. */
  private static void warmUp() {
    try {
      CLIENT.send(asked(Stripe.CHARGES + "?limit=1").build(), BodyHandlers.discarding());
    } catch (IOException away) {
      return;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static HttpRequest.Builder asked(String url) {
    return HttpRequest.newBuilder(URI.create(url))
        .header("Authorization", Stripe.AUTHORIZATION)
        .timeout(Duration.ofMillis(Stripe.TIMEOUT));
  }
}
