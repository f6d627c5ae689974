package billing.xnio;

import billing.Biller;
import billing.undertow.Service;
import io.undertow.server.HttpHandler;
import java.util.Map;
import java.util.function.Supplier;

/** The services of this folder, by system and form. */
public final class Programs {
  public static final Map<String, Supplier<Biller>> ALL =
      Map.of(
          "xnio-recursion unsafe", () -> served(new RecursionUnsafe()),
          "xnio-recursion undispatched", () -> served(new RecursionUndispatched()),
          "xnio-recursion remedied", () -> served(new RecursionRemedied()),
          "xnio-reference unsafe", () -> served(ReferenceUnsafe.setting()),
          "xnio-reference compare-and-set", () -> served(ReferenceUnsafe.comparing()),
          "xnio-reference remedied", () -> served(new RecursionRemedied()));

  private static Biller served(HttpHandler handler) {
    return bill -> Service.billed(handler, bill);
  }
}
