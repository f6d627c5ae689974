package billing.jaxws;

import billing.Biller;
import java.util.Map;
import java.util.function.Supplier;

/** The services of this folder, by system and form. */
public final class Programs {
  public static final Map<String, Supplier<Biller>> ALL =
      Map.of(
          "jaxws-handler unsafe", HandlerUnsafe::new,
          "jaxws-handler remedied", HandlerRemedied::new,
          "jaxws-singleton unsafe", SingletonUnsafe::new,
          "jaxws-singleton remedied", SingletonRemedied::new,
          "jaxws-singleton apart", () -> new TwoCustomers(true),
          "jaxws-singleton shared", () -> new TwoCustomers(false));
}
