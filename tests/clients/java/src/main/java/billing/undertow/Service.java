package billing.undertow;

import billing.Bill;
import io.undertow.Undertow;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import io.undertow.util.StatusCodes;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;

/** An Undertow server whose handler bills whom it is asked to: started, asked once, stopped. */
public final class Service {
  /** Returns whether the service answered that the bill is paid. */
  public static boolean billed(HttpHandler handler, Bill bill) throws Exception {
    Undertow server =
        Undertow.builder().addHttpListener(0, "127.0.0.1").setHandler(handler).build();
    server.start();
    try {
      InetSocketAddress at = (InetSocketAddress) server.getListenerInfo().get(0).getAddress();
      HttpRequest job =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + at.getPort() + asked(bill)))
              .POST(BodyPublishers.noBody())
              .build();
      return HttpClient.newHttpClient().send(job, BodyHandlers.ofString()).statusCode() == 200;
    } finally {
      server.stop();
    }
  }

  private static String asked(Bill bill) {
    String customer = URLEncoder.encode(bill.customer(), StandardCharsets.UTF_8);
    return "/bill?customer=" + customer + "&period=" + bill.period() + "&amount=" + bill.amount();
  }

  /** Returns the bill that a request names. */
  public static Bill bill(HttpServerExchange exchange) {
    return new Bill(
        first(exchange, "customer"),
        first(exchange, "period"),
        Long.parseLong(first(exchange, "amount")));
  }

  private static String first(HttpServerExchange exchange, String parameter) {
    return exchange.getQueryParameters().get(parameter).getFirst();
  }

  /** Answers the request: paid, or not. */
  public static void answer(HttpServerExchange exchange, boolean paid) {
    exchange.setStatusCode(paid ? StatusCodes.OK : StatusCodes.BAD_GATEWAY);
    exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "text/plain");
    exchange.getResponseSender().send(paid ? "paid" : "not paid");
  }
}
