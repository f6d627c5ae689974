import org.apache.http.client.config.RequestConfig;
import org.apache.http.client.methods.CloseableHttpResponse;
import org.apache.http.client.methods.HttpGet;
import org.apache.http.client.methods.HttpPost;
import org.apache.http.client.methods.HttpUriRequest;
import org.apache.http.entity.ContentType;
import org.apache.http.entity.StringEntity;
import org.apache.http.impl.client.CloseableHttpClient;
import org.apache.http.impl.client.HttpClients;
import org.apache.http.util.EntityUtils;

/** Apache HttpClient 4, as it comes but for the time-out. */
final class ApacheFour implements Client {
  @Override
  public String charge(String base, Asked asked) throws Exception {
    RequestConfig timed = RequestConfig.custom().setSocketTimeout(asked.milliseconds).build();
    try (CloseableHttpClient client =
        HttpClients.custom()
            .setDefaultRequestConfig(timed)
            .setSSLContext(Trust.context())
            .build()) {
      if (asked.reused) {
        told(client, new HttpGet(base + WARM_UP));
      }
      HttpPost request = new HttpPost(base + "/v1/charges");
      request.setEntity(new StringEntity(FORM, ContentType.APPLICATION_FORM_URLENCODED));
      if (asked.key != null) {
        request.setHeader("Idempotency-Key", asked.key);
      }
      return told(client, request);
    }
  }

  private static String told(CloseableHttpClient client, HttpUriRequest request) throws Exception {
    request.setHeader("Authorization", AUTHORIZATION);
    try (CloseableHttpResponse answer = client.execute(request)) {
      String body = EntityUtils.toString(answer.getEntity());
      if (request instanceof HttpGet) {
        return body;
      }
      return Client.id(answer.getStatusLine().getStatusCode(), body);
    }
  }
}
