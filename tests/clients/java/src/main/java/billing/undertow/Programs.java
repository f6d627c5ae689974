package billing.undertow;

import billing.Biller;
import io.undertow.server.HttpHandler;
import java.util.Map;
import java.util.function.Supplier;

/** The services of this folder, by system and form. */
public final class Programs {
  public static final Map<String, Supplier<Biller>> ALL =
      Map.of(
          "undertow-callback unsafe", CallbackUnsafe::new,
          "undertow-callback remedied", CallbackRemedied::new,
          "undertow-callback published", CallbackPublished::new,
          "undertow-helper unsafe", HelperUnsafe::anywhere,
          "undertow-helper published", HelperUnsafe::onlyKept,
          "undertow-helper remedied", HelperRemedied::new,
          "undertow-dispatch unsafe", () -> served(new DispatchUnsafe()),
          "undertow-dispatch remedied", () -> served(new DispatchRemedied()),
          "undertow-suffix unsafe", () -> served(new SuffixUnsafe()),
          "undertow-suffix remedied", () -> served(new DispatchRemedied()));

  private static Biller served(HttpHandler handler) {
    return bill -> Service.billed(handler, bill);
  }
}
