import com.google.gson.JsonParser;

/** A library that can make a charge. */
interface Client {
  String FORM = "amount=2000&currency=usd&source=tok_visa&metadata%5Border_id%5D=ord_1";
  String WARM_UP = "/v1/charges?limit=1";
  String AUTHORIZATION = "Bearer " + System.getenv("STRIPE_API_KEY");

  /** Returns the id of the charge; throws whatever the library throws. */
  String charge(String base, Asked asked) throws Exception;

  /** Returns the id in an answer; throws where it is no answer of 200 with one. */
  static String id(int status, String body) {
    if (status != 200) {
      throw new IllegalStateException("status " + status);
    }
    return JsonParser.parseString(body).getAsJsonObject().get("id").getAsString();
  }
}
