import com.google.gson.Gson;
import com.stripe.StripeClient;
import com.stripe.exception.CardException;
import com.stripe.exception.InvalidRequestException;
import com.stripe.exception.SignatureVerificationException;
import com.stripe.exception.StripeException;
import com.stripe.model.Card;
import com.stripe.model.Charge;
import com.stripe.model.Event;
import com.stripe.model.PaymentIntent;
import com.stripe.model.Refund;
import com.stripe.net.RequestOptions;
import com.stripe.net.Webhook;
import com.stripe.param.ChargeCreateParams;
import com.stripe.param.ChargeListParams;
import com.stripe.param.ChargeRetrieveParams;
import com.stripe.param.CustomerCreateParams;
import com.stripe.param.PaymentIntentConfirmParams;
import com.stripe.param.PaymentIntentCreateParams;
import com.stripe.param.RefundCreateParams;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** stripe-java: one of each thing that a shop asks of Stripe, told as one line of JSON. */
public final class Program {
  private static final String BASE = System.getenv("STRIPE_API_BASE");
  private final StripeClient client = clientOf(System.getenv("STRIPE_API_KEY"));
  private final Map<String, Object> facts = new LinkedHashMap<>();

  private interface Call {
    void go() throws StripeException;
  }

  public static void main(String[] none) throws Exception {
    Program program = new Program();
    program.charges();
    program.intents();
    program.pages();
    program.webhook();
    System.out.println(new Gson().newBuilder().serializeNulls().create().toJson(program.facts));
  }

  private static StripeClient clientOf(String key) {
    return StripeClient.builder().setApiKey(key).setApiBase(BASE).build();
  }

  private static ChargeCreateParams.Builder purchase(long amount) {
    return ChargeCreateParams.builder().setAmount(amount).setCurrency("usd");
  }

  private static ChargeCreateParams bought(long amount, String source) {
    return purchase(amount).setSource(source).build();
  }

  private static StripeException refusal(Call call) {
    try {
      call.go();
    } catch (StripeException refused) {
      return refused;
    }
    throw new IllegalStateException("it was not refused");
  }

  /** Returns what every refusal tells. */
  private static Map<String, Object> told(StripeException refused) {
    Map<String, Object> tells = new LinkedHashMap<>();
    tells.put("class", refused.getClass().getSimpleName());
    tells.put("status", refused.getStatusCode());
    tells.put("code", refused.getCode());
    tells.put("param", refused.getStripeError().getParam());
    tells.put("message", refused.getUserMessage());
    return tells;
  }

  private void tell(String name, Object... what) {
    facts.put(name, Arrays.asList(what));
  }

  private void charges() throws StripeException {
    String customer =
        client.v1().customers().create(
            CustomerCreateParams.builder()
                .setEmail("jenny@example.com").setSource("tok_visa").build()).getId();
    Charge paid = client.v1().charges().create(purchase(2000).setCustomer(customer).build());
    tell("paid", paid.getId(), paid.getAmount(), paid.getCurrency(), paid.getPaid(),
        ((Card) paid.getSource()).getLast4());
    Charge full =
        client.v1().charges().retrieve(paid.getId(),
            ChargeRetrieveParams.builder()
                .addExpand("customer").addExpand("balance_transaction").build());
    tell("expanded", full.getCustomerObject().getEmail(),
        full.getBalanceTransactionObject().getFee(), full.getBalanceTransactionObject().getNet());
    CardException declined =
        (CardException) refusal(() ->
            client.v1().charges().create(bought(2000, "tok_chargeDeclinedInsufficientFunds")));
    facts.put("declined", told(declined));
    tell("declined_charge", declined.getDeclineCode(), declined.getCharge());
    refusals();
    refunds(paid.getId());
  }

  private void refusals() throws StripeException {
    RequestOptions again = RequestOptions.builder().setIdempotencyKey("ord_2").build();
    client.v1().charges().create(bought(2000, "tok_visa"), again);
    facts.put("mismatch", told(refusal(() ->
        client.v1().charges().create(bought(2001, "tok_visa"), again))));
    facts.put("missing", told(refusal(() -> client.v1().charges().retrieve("ch_missing"))));
    facts.put("stranger", told(refusal(() ->
        clientOf("nobody").v1().charges().create(bought(2000, "tok_visa")))));
  }

  private static RefundCreateParams refund(String charge, long amount) {
    return RefundCreateParams.builder().setCharge(charge).setAmount(amount).build();
  }

  private void refunds(String charge) throws StripeException {
    Refund part = client.v1().refunds().create(refund(charge, 500));
    tell("refund", part.getCharge(), part.getAmount(), part.getStatus());
    InvalidRequestException beyond =
        (InvalidRequestException) refusal(() ->
            client.v1().refunds().create(refund(charge, 1501)));
    facts.put("beyond", told(beyond));
  }

  private static PaymentIntentCreateParams.Builder terms() {
    return PaymentIntentCreateParams.builder()
        .setAmount(3000L).setCurrency("usd").addPaymentMethodType("card");
  }

  private void intents() throws StripeException {
    PaymentIntent intent = client.v1().paymentIntents().create(terms().build());
    PaymentIntent paid =
        client.v1().paymentIntents().confirm(intent.getId(),
            PaymentIntentConfirmParams.builder().setPaymentMethod("pm_card_visa").build());
    tell("intent", intent.getStatus(), paid.getStatus(), paid.getLatestCharge(),
        paid.getAmountReceived());
    String card = "pm_card_chargeDeclinedExpiredCard";
    StripeException declined =
        refusal(() -> client.v1().paymentIntents().create(
            terms().setPaymentMethod(card).setConfirm(true).build()));
    facts.put("intent_declined", told(declined));
    PaymentIntent of = declined.getStripeError().getPaymentIntent();
    tell("intent_state", of.getStatus(), of.getLatestCharge(), of.getLastPaymentError().getCode());
  }

  private void pages() throws StripeException {
    for (int made = 0; made < 9; made++) {
      client.v1().charges().create(bought(2000, "tok_visa"));
    }
    List<String> listed = new ArrayList<>();
    for (Charge charge : client.v1().charges()
        .list(ChargeListParams.builder().setLimit(5L).build()).autoPagingIterable()) {
      listed.add(charge.getId());
    }
    facts.put("listed", listed);
  }

  private void webhook() throws Exception {
    String payload = Files.readString(Path.of(System.getenv("WEBHOOK_PAYLOAD")));
    String signature = System.getenv("WEBHOOK_SIGNATURE");
    String secret = System.getenv("WEBHOOK_SECRET");
    Event event = Webhook.constructEvent(payload, signature, secret);
    Charge about = (Charge) event.getDataObjectDeserializer().getObject().orElseThrow();
    tell("event", event.getType(), about.getObject(), about.getAmount());
    StripeException forged =
        refusal(() -> Webhook.constructEvent(payload + " ", signature, secret));
    facts.put("forged", forged.getClass().getSimpleName());
    if (!(forged instanceof SignatureVerificationException)) {
      throw forged;
    }
  }
}
