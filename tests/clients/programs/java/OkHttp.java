import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import okhttp3.FormBody;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

/**
 * OkHttp, as it comes; --no-retry is retryOnConnectionFailure(false). With --two-addresses the
 * server has a name, and that name two addresses, as the names of large services have.
 */
final class OkHttp implements Client {
  @Override
  public String charge(String given, Asked asked) throws Exception {
    String base = asked.twoAddresses ? given.replace("127.0.0.1", "localhost") : given;
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

  private static OkHttpClient client(Asked asked) throws Exception {
    OkHttpClient.Builder builder =
        new OkHttpClient.Builder()
            .readTimeout(Duration.ofMillis(asked.milliseconds))
            .retryOnConnectionFailure(!asked.noRetry);
    if (asked.twoAddresses) {
      InetAddress address = InetAddress.getByName("127.0.0.1");
      builder.dns(name -> List.of(address, address));
    }
    if (Trust.context() != null) {
      builder.sslSocketFactory(Trust.context().getSocketFactory(), Trust.manager());
    }
    return builder.build();
  }

  private static Request.Builder to(String url) {
    return new Request.Builder().url(url).header("Authorization", AUTHORIZATION);
  }
}
