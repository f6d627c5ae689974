package billing.undertow;

import billing.Bill;
import billing.Stripe;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.entity.UrlEncodedFormEntity;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.core5.http.NameValuePair;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.http.message.BasicNameValuePair;
import org.apache.hc.core5.util.Timeout;

/** Apache's blocking client with a pool of connections, as a billing service is given it. */
final class Apache {
  private static final RequestConfig TIMED =
      RequestConfig.custom().setResponseTimeout(Timeout.ofMilliseconds(Stripe.TIMEOUT)).build();

  private final CloseableHttpClient client =
      HttpClients.custom().setDefaultRequestConfig(TIMED).build();

  /** Reads the customer: what follows is on a connection that was used before. */
  void greet(Bill bill) {
    HttpGet request = new HttpGet(Stripe.BASE + "/v1/customers/" + bill.customer());
    request.setHeader("Authorization", Stripe.AUTHORIZATION);
    try {
      client.execute(request, answer -> EntityUtils.toString(answer.getEntity()));
    } catch (IOException lost) {
      return;
    }
  }

  /** Returns what Stripe says of a charge; raises what the client raises if it says nothing. */
  Stripe.Said charge(Bill bill, String key) throws IOException {
    HttpPost request = new HttpPost(Stripe.CHARGES);
    request.setHeader("Authorization", Stripe.AUTHORIZATION);
    request.setHeader(Stripe.KEY, key);
    request.setEntity(new UrlEncodedFormEntity(pairs(bill.form())));
    return client.execute(
        request,
        answer -> Stripe.said(answer.getCode(), EntityUtils.toString(answer.getEntity()), bill));
  }

  private static List<NameValuePair> pairs(Map<String, String> form) {
    return form.entrySet().stream()
        .<NameValuePair>map(each -> new BasicNameValuePair(each.getKey(), each.getValue()))
        .toList();
  }
}
