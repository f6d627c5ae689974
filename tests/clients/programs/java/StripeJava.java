import com.stripe.StripeClient;
import com.stripe.net.RequestOptions;
import com.stripe.param.ChargeCreateParams;
import com.stripe.param.ChargeListParams;

/** stripe-java, as it comes but for the time-out. */
final class StripeJava implements Client {
  @Override
  public String charge(String base, Asked asked) throws Exception {
    StripeClient client =
        StripeClient.builder()
            .setApiKey(System.getenv("STRIPE_API_KEY"))
            .setApiBase(base)
            .setConnectTimeout(asked.milliseconds)
            .setReadTimeout(asked.milliseconds)
            .build();
    if (asked.reused) {
      client.v1().charges().list(ChargeListParams.builder().setLimit(1L).build());
    }
    ChargeCreateParams purchase =
        ChargeCreateParams.builder()
            .setAmount(2000L)
            .setCurrency("usd")
            .setSource("tok_visa")
            .putMetadata("order_id", "ord_1")
            .build();
    RequestOptions.RequestOptionsBuilder options = RequestOptions.builder();
    if (asked.key != null) {
      options.setIdempotencyKey(asked.key);
    }
    return client.v1().charges().create(purchase, options.build()).getId();
  }
}
