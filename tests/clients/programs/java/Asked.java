import java.util.ArrayList;
import java.util.List;

/** What the command line asks for. */
final class Asked {
  String client = "url";
  String key;
  boolean reused;
  boolean streaming;
  boolean noRetry;
  boolean twoAddresses;
  int milliseconds = 2000;
  final List<String> bases = new ArrayList<>();

  Asked(String[] words) {
    for (int at = 0; at < words.length; at++) {
      switch (words[at]) {
        case "--client": client = words[++at]; break;
        case "--key": key = words[++at]; break;
        case "--timeout": milliseconds = (int) (1000 * Double.parseDouble(words[++at])); break;
        case "--reused": reused = true; break;
        case "--streaming": streaming = true; break;
        case "--no-retry": noRetry = true; break;
        case "--two-addresses": twoAddresses = true; break;
        default: bases.add(words[at]);
      }
    }
    if (bases.isEmpty()) {
      bases.add(System.getenv("STRIPE_API_BASE"));
    }
  }
}
