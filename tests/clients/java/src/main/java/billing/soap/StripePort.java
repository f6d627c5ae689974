package billing.soap;

import jakarta.jws.WebParam;
import jakarta.jws.WebResult;
import jakarta.jws.WebService;
import javax.xml.namespace.QName;

/** How the billing services of this house charge: over SOAP, so that one endpoint knows Stripe. */
@WebService(name = "StripePort", targetNamespace = StripePort.SPACE)
public interface StripePort {
  String SPACE = "urn:billing:stripe";
  QName SERVICE = new QName(SPACE, "StripeService");
  QName PORT = new QName(SPACE, "StripePort");

  /** The element of a SOAP header that carries the idempotency key. */
  QName KEY = new QName(SPACE, "IdempotencyKey", "billing");

  /** Returns Stripe's answer; a SOAP fault of {@code Server} leaves open whether money moved. */
  @WebResult(name = "charge")
  String charge(
      @WebParam(name = "customer") String customer,
      @WebParam(name = "period") String period,
      @WebParam(name = "amount") long amount);
}
