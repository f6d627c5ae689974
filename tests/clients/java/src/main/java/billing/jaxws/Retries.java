package billing.jaxws;

import billing.Stripe;
import billing.soap.Faults;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import jakarta.xml.ws.WebServiceException;
import java.time.Duration;

/** What Resilience4j is told of calls that failed. */
final class Retries {
  /** Returns a few tries, whatever failed. */
  static Retry careless() {
    return Retry.of(
        "stripe",
        RetryConfig.custom()
            .maxAttempts(Stripe.ATTEMPTS)
            .waitDuration(Duration.ofMillis(Stripe.DELAY))
            .retryExceptions(WebServiceException.class)
            .build());
  }

  /** Returns tries until a charge in flight must have ended; a refusal ends them. */
  static Retry careful() {
    return Retry.of(
        "stripe",
        RetryConfig.custom()
            .maxAttempts(Stripe.PATIENCE)
            .intervalFunction(attempt -> Stripe.pause(attempt - 1))
            .retryOnException(failure -> !Faults.refused(failure))
            .build());
  }
}
