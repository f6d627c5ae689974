package billing;

/** A service that can bill a customer. */
@FunctionalInterface
public interface Biller {
  /** Returns whether the service believes that the bill is paid. */
  boolean bill(Bill bill) throws Exception;
}
