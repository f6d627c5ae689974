package billing.cxf;

import billing.Biller;
import java.util.Map;
import java.util.function.Supplier;

/** The services of this folder, by system and form. */
public final class Programs {
  public static final Map<String, Supplier<Biller>> ALL =
      Map.of(
          "cxf-interceptor unsafe", InterceptorUnsafe::new,
          "cxf-interceptor remedied", InterceptorRemedied::new,
          "cxf-async unsafe", () -> new AsyncUnsafe(Clients.intercepted()),
          "cxf-async provider", () -> new AsyncUnsafe(Clients.provided()),
          "cxf-async remedied", () -> new AsyncRemedied(Clients.apart()),
          "cxf-async apart", () -> new TwoCustomers(new AsyncRemedied(Clients.apart())),
          "cxf-async shared", () -> new TwoCustomers(new AsyncRemedied(Clients.shared())));
}
