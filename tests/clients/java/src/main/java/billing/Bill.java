package billing;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** What a customer owes for a period, in cents. */
public record Bill(String customer, String period, long amount) {
  /** Returns the one bill that these services are started for. */
  public static Bill asked() {
    return new Bill("cus_seeds", "2026-11", 4900);
  }

  /** Returns what names this payment in Stripe's metadata. */
  public String name() {
    return customer + ":" + period;
  }

  /** Returns the parameters of its charge. */
  public Map<String, String> form() {
    Map<String, String> form = new LinkedHashMap<>();
    form.put("amount", Long.toString(amount));
    form.put("currency", "usd");
    form.put("customer", customer);
    form.put("metadata[bill]", name());
    return form;
  }

  /** Returns the parameters of its charge as a body. */
  public String body() {
    return form().entrySet().stream()
        .map(each -> encoded(each.getKey()) + "=" + encoded(each.getValue()))
        .collect(Collectors.joining("&"));
  }

  /** Returns the key of this payment: the same for every attempt, process and day. */
  public String key() {
    try {
      byte[] said = (name() + ":billing").getBytes(StandardCharsets.UTF_8);
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(said);
      return HexFormat.of().formatHex(digest, 0, 16);
    } catch (GeneralSecurityException missing) {
      throw new IllegalStateException(missing);
    }
  }

  private static String encoded(String word) {
    return URLEncoder.encode(word, StandardCharsets.UTF_8);
  }
}
