package billing.cxf;

import billing.soap.StripeEndpoint;
import billing.soap.StripePort;
import billing.soap.Timeouts;
import org.apache.cxf.frontend.ClientProxy;
import org.apache.cxf.jaxws.JaxWsProxyFactoryBean;
import org.apache.cxf.message.Message;
import org.apache.cxf.phase.AbstractPhaseInterceptor;

/** CXF's proxies of our endpoint. */
final class Proxies {
  /** Returns one whose messages pass through an interceptor on their way out. */
  static StripePort through(AbstractPhaseInterceptor<Message> interceptor) {
    JaxWsProxyFactoryBean factory = new JaxWsProxyFactoryBean();
    factory.setServiceClass(StripePort.class);
    factory.setAddress(StripeEndpoint.published());
    factory.getOutInterceptors().add(interceptor);
    StripePort port = (StripePort) factory.create();
    Timeouts.limit(ClientProxy.getClient(port));
    return port;
  }
}
