package billing;

import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.logging.LogManager;
import java.util.stream.Stream;

/**
 * One billing service of the table, once: {@code java -jar billing.jar SYSTEM FORM}.
 *
 * <p>The exit status is 0 if the service believes that all of its bills are paid, 1 if not, and 2
 * if there is no such service.
 */
public final class Main {
  private static final Stream<Map<String, Supplier<Biller>>> TABLES =
      Stream.of(
          billing.undertow.Programs.ALL,
          billing.xnio.Programs.ALL,
          billing.cxf.Programs.ALL,
          billing.jaxws.Programs.ALL,
          billing.scheduled.Programs.ALL);

  public static void main(String[] words) {
    String name = String.join(" ", words);
    Optional<Supplier<Biller>> program =
        TABLES.filter(each -> each.containsKey(name)).map(each -> each.get(name)).findAny();
    if (program.isEmpty()) {
      System.err.println("billing: there is no system and form " + name);
      System.exit(2);
    }
    LogManager.getLogManager().reset(); // These stacks tell how they start and stop.
    System.exit(paid(program.get()) ? 0 : 1);
  }

  private static boolean paid(Supplier<Biller> program) {
    try {
      return program.get().bill(Bill.asked());
    } catch (Exception failed) {
      failed.printStackTrace();
      return false;
    }
  }
}
