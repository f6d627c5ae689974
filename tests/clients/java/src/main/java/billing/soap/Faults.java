package billing.soap;

import jakarta.xml.soap.SOAPConstants;
import jakarta.xml.soap.SOAPException;
import jakarta.xml.soap.SOAPFactory;
import jakarta.xml.soap.SOAPFault;
import jakarta.xml.ws.WebServiceException;
import jakarta.xml.ws.soap.SOAPFaultException;
import javax.xml.namespace.QName;

/** What a fault says of a charge: refused for good, or open. */
public final class Faults {
  private static final String REFUSED = "Client";
  private static final String OPEN = "Server";

  /** Returns whether a call failed for good: whatever is no fault of that kind leaves it open. */
  public static boolean refused(Throwable failure) {
    return failure instanceof SOAPFaultException told
        && told.getFault().getFaultCodeAsQName().getLocalPart().equals(REFUSED);
  }

  static SOAPFaultException refused(String words) {
    return fault(REFUSED, words);
  }

  static SOAPFaultException open(String words) {
    return fault(OPEN, words);
  }

  private static SOAPFaultException fault(String code, String words) {
    try {
      QName name = new QName(SOAPConstants.URI_NS_SOAP_1_1_ENVELOPE, code);
      SOAPFault fault = SOAPFactory.newInstance().createFault(words, name);
      return new SOAPFaultException(fault);
    } catch (SOAPException impossible) {
      throw new WebServiceException(impossible);
    }
  }
}
