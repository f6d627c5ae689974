package billing.jaxws;

import billing.soap.StripeEndpoint;
import billing.soap.StripePort;
import billing.soap.Timeouts;
import jakarta.xml.ws.Service;
import jakarta.xml.ws.soap.SOAPBinding;
import java.util.List;
import org.apache.cxf.frontend.ClientProxy;

/** Proxies of our endpoint as JAX-WS generates them, each with the handler in its chain. */
final class Ports {
  private final Service service = Service.create(StripePort.SERVICE);

  Ports(KeyHandler handler) {
    String address = StripeEndpoint.published();
    service.addPort(StripePort.PORT, SOAPBinding.SOAP11HTTP_BINDING, address);
    service.setHandlerResolver(port -> List.of(handler));
  }

  /** Returns another proxy. */
  StripePort port() {
    StripePort port = service.getPort(StripePort.PORT, StripePort.class);
    Timeouts.limit(ClientProxy.getClient(port));
    return port;
  }
}
