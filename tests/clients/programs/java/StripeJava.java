import com.stripe.Stripe;
import com.stripe.StripeClient;
import com.stripe.exception.StripeException;
import com.stripe.model.Charge;
import com.stripe.net.RequestOptions;
import com.stripe.param.ChargeCreateParams;
import com.stripe.param.ChargeListParams;

/** stripe-java, as it comes but for the time-out: in global style, or as StripeClient. */
final class StripeJava implements Client {
  private static final ChargeListParams ONE = ChargeListParams.builder().setLimit(1L).build();
  private static final ChargeCreateParams PURCHASE =
      ChargeCreateParams.builder()
          .setAmount(2000L)
          .setCurrency("usd")
          .setSource("tok_visa")
          .putMetadata("order_id", "ord_1")
          .build();

  private final boolean global;

  StripeJava(boolean global) {
    this.global = global;
  }

  @Override
  public String charge(String base, Asked asked) throws StripeException {
    RequestOptions first = options(base, asked).build();
    RequestOptions options = options(base, asked).setIdempotencyKey(asked.key).build();
    if (global) {
      Stripe.apiKey = System.getenv("STRIPE_API_KEY");
      if (asked.reused) {
        Charge.list(ONE, first);
      }
      return Charge.create(PURCHASE, options).getId();
    }
    StripeClient client = new StripeClient(System.getenv("STRIPE_API_KEY"));
    if (asked.reused) {
      client.v1().charges().list(ONE, first);
    }
    return client.v1().charges().create(PURCHASE, options).getId();
  }

  private static RequestOptions.RequestOptionsBuilder options(String base, Asked asked) {
    return RequestOptions.builder()
        .setBaseUrl(base)
        .setConnectTimeout(asked.milliseconds)
        .setReadTimeout(asked.milliseconds);
  }
}
