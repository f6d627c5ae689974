import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.http.io.entity.StringEntity;
import org.apache.hc.core5.util.Timeout;

/** Apache HttpClient 5, as it comes but for the time-out; --no-retry disables its retries. */
final class ApacheFive implements Client {
  @Override
  public String charge(String base, Asked asked) throws Exception {
    try (CloseableHttpClient client = client(asked)) {
      if (asked.reused) {
        HttpGet first = new HttpGet(base + WARM_UP);
        first.setHeader("Authorization", AUTHORIZATION);
        client.execute(first, answer -> EntityUtils.toString(answer.getEntity()));
      }
      HttpPost request = new HttpPost(base + "/v1/charges");
      request.setHeader("Authorization", AUTHORIZATION);
      request.setEntity(new StringEntity(FORM, ContentType.APPLICATION_FORM_URLENCODED));
      if (asked.key != null) {
        request.setHeader("Idempotency-Key", asked.key);
      }
      return client.execute(
          request, answer -> Client.id(answer.getCode(), EntityUtils.toString(answer.getEntity())));
    }
  }

  private static CloseableHttpClient client(Asked asked) throws Exception {
    Timeout silence = Timeout.ofMilliseconds(asked.milliseconds);
    HttpClientBuilder builder =
        HttpClients.custom()
            .setDefaultRequestConfig(RequestConfig.custom().setResponseTimeout(silence).build());
    if (asked.noRetry) {
      builder.disableAutomaticRetries();
    }
    if (Trust.context() != null) {
      builder.setConnectionManager(
          PoolingHttpClientConnectionManagerBuilder.create()
              .setTlsSocketStrategy(new DefaultClientTlsStrategy(Trust.context()))
              .build());
    }
    return builder.build();
  }
}
