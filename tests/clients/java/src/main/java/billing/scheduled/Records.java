package billing.scheduled;

import billing.Bill;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The billing database that all replicas share, {@code BILLING_DATABASE}: one session of it.
 *
 * <p>It keeps what the services write and decides nothing.
 */
final class Records implements AutoCloseable {
  static final String URL = System.getenv("BILLING_DATABASE");

  private final Connection session;

  private Records(Connection session) {
    this.session = session;
  }

  static Records opened() throws SQLException {
    return new Records(DriverManager.getConnection(URL));
  }

  boolean completed(String period) throws SQLException {
    return found("SELECT 1 FROM completed WHERE period = ?", period);
  }

  void complete(String period) throws SQLException {
    changed("INSERT INTO completed VALUES (?) ON CONFLICT DO NOTHING", period);
  }

  /** Takes the lock of a batch until the session ends; returns false where another has it. */
  boolean locked(String period) throws SQLException {
    return found("SELECT 1 WHERE pg_try_advisory_lock(hashtext('billing ' || ?))", period);
  }

  /** Returns whether this call was the first to claim a payment. */
  boolean claimed(Bill bill) throws SQLException {
    String insert =
        "INSERT INTO slots (customer, period, idempotency_key) VALUES (?, ?, ?)"
            + " ON CONFLICT DO NOTHING";
    return changed(insert, bill.customer(), bill.period(), bill.key()) == 1;
  }

  boolean paid(Bill bill) throws SQLException {
    String select = "SELECT 1 FROM slots WHERE customer = ? AND period = ? AND paid";
    return found(select, bill.customer(), bill.period());
  }

  void pay(Bill bill) throws SQLException {
    String update = "UPDATE slots SET paid = true WHERE customer = ? AND period = ?";
    changed(update, bill.customer(), bill.period());
  }

  @Override
  public void close() throws SQLException {
    session.close();
  }

  private synchronized boolean found(String select, String... values) throws SQLException {
    try (PreparedStatement statement = filled(select, values);
        ResultSet rows = statement.executeQuery()) {
      return rows.next();
    }
  }

  private synchronized int changed(String change, String... values) throws SQLException {
    try (PreparedStatement statement = filled(change, values)) {
      return statement.executeUpdate();
    }
  }

  private PreparedStatement filled(String words, String... values) throws SQLException {
    PreparedStatement statement = session.prepareStatement(words);
    for (int n = 0; n < values.length; n++) {
      statement.setString(n + 1, values[n]);
    }
    return statement;
  }
}
