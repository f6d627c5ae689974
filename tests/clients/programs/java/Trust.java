import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/** The authority in SSL_CERT_FILE: the JVM's default from then on, and told to OkHttp. */
final class Trust {
  private static SSLContext context;
  private static X509TrustManager manager;

  static SSLContext context() {
    return context;
  }

  static X509TrustManager manager() {
    return manager;
  }

  static void install() throws Exception {
    String file = System.getenv("SSL_CERT_FILE");
    if (file == null) {
      return;
    }
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try (InputStream reading = Files.newInputStream(Path.of(file))) {
      for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(reading)) {
        store.setCertificateEntry(Integer.toString(store.size()), each);
      }
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    manager = (X509TrustManager) factory.getTrustManagers()[0];
    context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {manager}, null);
    SSLContext.setDefault(context);
    // Two threads that ask for it first get two factories, and connections are kept by factory.
    HttpsURLConnection.setDefaultSSLSocketFactory(context.getSocketFactory());
  }
}
