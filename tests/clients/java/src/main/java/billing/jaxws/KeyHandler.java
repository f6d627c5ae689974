package billing.jaxws;

import billing.soap.StripePort;
import jakarta.xml.soap.SOAPException;
import jakarta.xml.soap.SOAPHeader;
import jakarta.xml.ws.WebServiceException;
import jakarta.xml.ws.handler.MessageContext;
import jakarta.xml.ws.handler.soap.SOAPHandler;
import jakarta.xml.ws.handler.soap.SOAPMessageContext;
import java.util.Set;
import java.util.function.Function;
import javax.xml.namespace.QName;

/** Writes the key of each message that leaves into its SOAP header; where it is from is told. */
record KeyHandler(Function<MessageContext, String> key) implements SOAPHandler<SOAPMessageContext> {
  @Override
  public boolean handleMessage(SOAPMessageContext context) {
    if ((Boolean) context.get(MessageContext.MESSAGE_OUTBOUND_PROPERTY)) {
      try {
        header(context).addChildElement(StripePort.KEY).setTextContent(key.apply(context));
      } catch (SOAPException unwritable) {
        throw new WebServiceException(unwritable);
      }
    }
    return true;
  }

  private static SOAPHeader header(SOAPMessageContext context) throws SOAPException {
    SOAPHeader header = context.getMessage().getSOAPHeader();
    return header == null ? context.getMessage().getSOAPPart().getEnvelope().addHeader() : header;
  }

  @Override
  public boolean handleFault(SOAPMessageContext context) {
    return true;
  }

  @Override
  public void close(MessageContext context) {}

  @Override
  public Set<QName> getHeaders() {
    return Set.of();
  }
}
