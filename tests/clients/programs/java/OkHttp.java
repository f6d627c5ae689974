import java.time.Duration;
import okhttp3.FormBody;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

/** OkHttp, as it comes; --no-retry is retryOnConnectionFailure(false). */
final class OkHttp implements Client {
  @Override
  public String charge(String base, Asked asked) throws Exception {
    OkHttpClient client = client(asked);
    if (asked.reused) {
      try (Response answer = client.newCall(to(base + WARM_UP).build()).execute()) {
        answer.body().string();
      }
    }
    FormBody.Builder form = new FormBody.Builder();
    for (String pair : FORM.split("&")) {
      form.addEncoded(pair.split("=")[0], pair.split("=")[1]);
    }
    Request.Builder request = to(base + "/v1/charges").post(form.build());
    if (asked.key != null) {
      request.header("Idempotency-Key", asked.key);
    }
    try (Response answer = client.newCall(request.build()).execute()) {
      return Client.id(answer.code(), answer.body().string());
    }
  }

  private static OkHttpClient client(Asked asked) {
    OkHttpClient.Builder builder =
        new OkHttpClient.Builder()
            .readTimeout(Duration.ofMillis(asked.milliseconds))
            .retryOnConnectionFailure(!asked.noRetry);
    if (Trust.context() != null) {
      builder.sslSocketFactory(Trust.context().getSocketFactory(), Trust.manager());
    }
    return builder.build();
  }

  private static Request.Builder to(String url) {
    return new Request.Builder().url(url).header("Authorization", AUTHORIZATION);
  }
}
