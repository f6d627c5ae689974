import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One charge with one Java client, on each server that is named:
 *
 * <pre>java -cp DIR/*:DIR Program [--client NAME]
 *     [--streaming] [--no-retry] [--two-addresses]
 *     [--reused] [--key K] [--timeout S] [URL ...]</pre>
 *
 * Without a URL it is STRIPE_API_BASE. The charges are made at once, each on connections of its
 * own, and each is told in a line: its number, "ok" and the charge, or "ERR" and the exceptions.
 * --reused sends a harmless GET first, on the same connection. What has neither returned nor failed
 * after three time-outs is not told. The exit status is 1 unless all are ok. SSL_CERT_FILE names
 * the authority of servers with TLS.
 */
public final class Program {
  private static final Map<String, Client> CLIENTS =
      Map.of(
          "url", new UrlConnection(),
          "http", new JavaNetHttp(),
          "okhttp", new OkHttp(),
          "apache4", new ApacheFour(),
          "apache5", new ApacheFive(),
          "stripe", new StripeJava(true),
          "stripe-client", new StripeJava(false));

  private static boolean made = true;

  public static void main(String[] words) throws Exception {
    Asked asked = new Asked(words);
    Client client = CLIENTS.get(asked.client);
    if (client == null) {
      System.err.println("Program: unknown client " + asked.client);
      System.exit(2);
    }
    Trust.install();
    List<Thread> running = new ArrayList<>();
    for (int number = 0; number < asked.bases.size(); number++) {
      String name = Integer.toString(number), base = asked.bases.get(number);
      running.add(new Thread(() -> tell(name, client, base, asked)));
    }
    running.forEach(Thread::start);
    System.exit(ended(running, 3L * asked.milliseconds) && made ? 0 : 1);
  }

  private static boolean ended(List<Thread> running, long milliseconds) throws Exception {
    long until = System.nanoTime() + milliseconds * 1_000_000;
    for (Thread thread : running) {
      thread.join(Math.max(1, (until - System.nanoTime()) / 1_000_000));
    }
    return running.stream().noneMatch(Thread::isAlive);
  }

  private static void tell(String number, Client client, String base, Asked asked) {
    try {
      say(number + " ok " + client.charge(base, asked), true);
    } catch (Throwable failed) {
      say(number + " ERR " + exceptions(failed), false);
    }
  }

  private static synchronized void say(String line, boolean well) {
    made = made && well;
    System.out.println(line);
  }

  /** Returns the classes of a failure and its causes, and the message of the first. */
  private static String exceptions(Throwable failed) {
    String classes =
        Stream.iterate(failed, next -> next != null, Throwable::getCause)
            .map(each -> each.getClass().getSimpleName())
            .collect(Collectors.joining("<"));
    return (classes + " " + failed.getMessage()).replaceAll("\\s+", " ");
  }
}
