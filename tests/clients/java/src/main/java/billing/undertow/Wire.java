package billing.undertow;

import billing.Bill;
import billing.Stripe;
import io.undertow.client.ClientCallback;
import io.undertow.client.ClientConnection;
import io.undertow.client.ClientExchange;
import io.undertow.client.ClientRequest;
import io.undertow.client.UndertowClient;
import io.undertow.connector.ByteBufferPool;
import io.undertow.server.DefaultByteBufferPool;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import io.undertow.util.Methods;
import io.undertow.util.StringReadChannelListener;
import io.undertow.util.StringWriteChannelListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.xnio.OptionMap;
import org.xnio.Options;
import org.xnio.Xnio;
import org.xnio.XnioWorker;

/**
 * Undertow's client as callbacks: connect, send, be told of the answer or of its loss.
 *
 * <p>What is sent on a connection is lost by its response listener alone: the callback that it was
 * sent with is called before there is an answer.
 */
final class Wire {
  private static final ByteBufferPool POOL = new DefaultByteBufferPool(false, 16 * 1024);

  private static final OptionMap TIMED = OptionMap.create(Options.READ_TIMEOUT, Stripe.TIMEOUT);

  private final XnioWorker worker = worker();
  private final OptionMap options;

  private Wire(OptionMap options) {
    this.options = options;
  }

  /** Its connections are closed, and what they owe is lost, after a second of silence. */
  static Wire timed() {
    return new Wire(TIMED);
  }

  /** Its connections wait for ever, which is what they do unless they are told otherwise. */
  static Wire untimed() {
    return new Wire(OptionMap.EMPTY);
  }

  private static XnioWorker worker() {
    try {
      return Xnio.getInstance().createWorker(OptionMap.EMPTY);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** What becomes of an exchange. */
  record Outcome(BiConsumer<Integer, String> answered, Consumer<IOException> lost) {}

  void connect(ClientCallback<ClientConnection> opened) {
    URI stripe = URI.create(Stripe.BASE);
    UndertowClient.getInstance().connect(opened, stripe, worker, POOL, options);
  }

  void later(Runnable task, long milliseconds) {
    worker.getIoThread().executeAfter(task, milliseconds, TimeUnit.MILLISECONDS);
  }

  private static ClientRequest get(String path) {
    return to(path).setMethod(Methods.GET);
  }

  static ClientRequest charge(String key, String body) {
    ClientRequest request = to("/v1/charges").setMethod(Methods.POST);
    request
        .getRequestHeaders()
        .put(new HttpString(Stripe.KEY), key)
        .put(Headers.CONTENT_TYPE, Stripe.FORM_TYPE)
        .put(Headers.CONTENT_LENGTH, body.length());
    return request;
  }

  private static ClientRequest to(String path) {
    ClientRequest request = new ClientRequest().setPath(path);
    request
        .getRequestHeaders()
        .put(Headers.HOST, URI.create(Stripe.BASE).getAuthority())
        .put(Headers.AUTHORIZATION, Stripe.AUTHORIZATION);
    return request;
  }

  /** Reads the customer first: what follows is on a connection that was used before. */
  static void greet(ClientConnection connection, Bill bill, Runnable next) {
    Outcome told = new Outcome((status, body) -> next.run(), why -> next.run());
    send(connection, get("/v1/customers/" + bill.customer()), "", told);
  }

  /** Sends a request; exactly one of the outcome's two callbacks is called, once. */
  static void send(ClientConnection connection, ClientRequest request, String body, Outcome told) {
    AtomicBoolean over = new AtomicBoolean();
    Consumer<IOException> lost = why -> once(over, () -> told.lost.accept(why));
    connection.sendRequest(
        request,
        callback(
            lost,
            exchange -> {
              exchange.setResponseListener(
                  callback(lost, answer -> read(connection, answer, told, over)));
              new StringWriteChannelListener(body).setup(exchange.getRequestChannel());
            }));
  }

  private static void read(
      ClientConnection connection, ClientExchange answer, Outcome told, AtomicBoolean over) {
    int status = answer.getResponse().getResponseCode();
    new StringReadChannelListener(connection.getBufferPool()) {
      @Override
      protected void stringDone(String body) {
        once(over, () -> told.answered.accept(status, body));
      }

      @Override
      protected void error(IOException why) {
        once(over, () -> told.lost.accept(why));
      }
    }.setup(answer.getResponseChannel());
  }

  private static void once(AtomicBoolean over, Runnable telling) {
    if (over.compareAndSet(false, true)) {
      telling.run();
    }
  }

  static <T> ClientCallback<T> callback(Consumer<IOException> failed, Consumer<T> completed) {
    return new ClientCallback<>() {
      @Override
      public void completed(T result) {
        completed.accept(result);
      }

      @Override
      public void failed(IOException why) {
        failed.accept(why);
      }
    };
  }
}
