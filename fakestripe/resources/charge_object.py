"""The charge object and its parts, in Stripe's field order (stripe-facts 4.2).

Constant parts are frozen defaults shared by all charges; they are encoded, never copied.
"""

from collections.abc import Callable
from functools import lru_cache
from operator import attrgetter
from typing import Final, TypeAlias

from msgspec import UNSET, Struct, UnsetType, structs

from fakestripe.resources.addresses import Address, Shipping
from fakestripe.resources.cards import NETWORKS, Decline
from fakestripe.resources.sources import EMPTY, EXPIRY_MONTH, EXPIRY_YEAR, Card, Empty

Face: TypeAlias = tuple[str, str, int, int, str, str, str, str | None, str | None, str | None]
"""What a card shows in a charge: brand, country, expiry, fingerprint, funding, last four digits,
and the results of its checks."""
AUTHORIZATION: Final = "281162"
"""The code of every authorisation."""
CAPTURE_WINDOW: Final = 604_800
"""Seconds in which an authorisation on a card can be captured."""


class BillingDetails(Struct, frozen=True, gc=False):
    """Who is billed; unknown for a test token."""

    address: Address = Address()
    email: str | None = None
    name: str | None = None
    phone: str | None = None
    tax_id: str | None = None


class Outcome(Struct, frozen=True, gc=False):
    """What the bank said."""

    advice_code: str | None = None
    network_advice_code: str | None = None
    network_decline_code: str | None = None
    network_status: str = "approved_by_network"
    reason: str | None = None
    risk_level: str = "normal"
    risk_score: int = 56
    seller_message: str = "Payment complete."
    type: str = "authorized"


class Checks(Struct, frozen=True, gc=False):
    """The checks on a card."""

    address_line1_check: str | None = None
    address_postal_code_check: str | None = None
    cvc_check: str | None = "pass"


class Status(Struct, frozen=True, gc=False):
    """A feature that is off."""

    status: str = "unavailable"


class FraudDetails(Struct, frozen=True, gc=False):
    """What its owner said of a charge."""

    user_report: str | UnsetType = UNSET


class NetworkToken(Struct, frozen=True, gc=False):
    """Whether a network token was used."""

    used: bool = False


class Overcapture(Struct, frozen=True, gc=False):
    """How much more could be captured."""

    maximum_amount_capturable: int
    status: str = "unavailable"


class CardDetails(Struct, frozen=True, kw_only=True, gc=False):
    """The card half of the payment method details."""

    amount_authorized: int
    authorization_code: str | None
    brand: str = "visa"
    capture_before: int | UnsetType = UNSET
    checks: Checks = Checks()
    country: str = "US"
    electronic_commerce_indicator: None = None
    exp_month: int = EXPIRY_MONTH
    exp_year: int = EXPIRY_YEAR
    extended_authorization: Status = Status("disabled")
    fingerprint: str
    funding: str = "credit"
    incremental_authorization: Status = Status()
    installments: None = None
    last4: str = "4242"
    mandate: None = None
    multicapture: Status = Status()
    network: str = "visa"
    network_token: NetworkToken = NetworkToken()
    network_transaction_id: str | None = "742185963014825"
    overcapture: Overcapture
    regulated_status: str = "unregulated"
    three_d_secure: None = None
    transaction_link_id: None = None
    wallet: None = None


class PaymentMethodDetails(Struct, frozen=True, gc=False):
    """How the charge was paid."""

    card: CardDetails
    type: str = "card"


class Charge(Struct, frozen=True, kw_only=True, gc=False):
    """The charge object."""

    id: str
    object: str = "charge"
    amount: int
    amount_captured: int
    amount_refunded: int = 0
    application: None = None
    application_fee: None = None
    application_fee_amount: None = None
    balance_transaction: str | None
    billing_details: BillingDetails = BillingDetails()
    calculated_statement_descriptor: str | None = "FAKESTRIPE"
    captured: bool
    created: int
    currency: str
    customer: str | None = None
    description: str | None = None
    destination: None = None
    dispute: None = None
    disputed: bool = False
    failure_balance_transaction: None = None
    failure_code: str | None = None
    failure_message: str | None = None
    fraud_details: FraudDetails | Empty = EMPTY
    livemode: bool = False
    metadata: dict[str, str] | Empty = EMPTY
    on_behalf_of: None = None
    order: None = None
    outcome: Outcome = Outcome()
    paid: bool = True
    payment_intent: str | None = None
    payment_method: str | None
    payment_method_details: PaymentMethodDetails
    radar_options: Empty = EMPTY
    receipt_email: str | None = None
    receipt_number: None = None
    receipt_url: str | None
    refunded: bool = False
    review: None = None
    shipping: Shipping | None = None
    source: Card | None
    source_transfer: None = None
    statement_descriptor: str | None = None
    statement_descriptor_suffix: str | None = None
    status: str = "succeeded"
    transfer_data: None = None
    transfer_group: str | None = None


AUTHORIZED: Final = Outcome()
_ELEVATED: Final = Outcome(
    reason="elevated_risk_level",
    risk_level="elevated",
    risk_score=74,
    seller_message="Stripe evaluated this payment as having elevated risk, and placed it in your "
    "manual review queue.",
    type="manual_review",
)
_BLOCKED: Final = Outcome(
    network_status="not_sent_to_network",
    reason="highest_risk_level",
    risk_level="highest",
    seller_message="Stripe blocked this payment.",
    type="blocked",
)
_GENERIC: Final = "The bank did not return any further details with this decline."


def outcome_of(decline: Decline | None, *, elevated: bool = False) -> Outcome:
    """Return what the bank said of a charge that succeeded, or failed with ``decline``."""
    if decline is None:
        return _ELEVATED if elevated else AUTHORIZED
    if decline.blocked:
        return _BLOCKED
    code = decline.decline_code
    told = f"The bank returned the decline code `{code}`."
    return Outcome(
        advice_code=decline.advice,
        network_advice_code=decline.network_advice,
        network_decline_code=decline.network_decline,
        network_status="declined_by_network",
        reason=code,
        seller_message=_GENERIC if code == "generic_decline" else told,
        type="issuer_declined",
    )


def details_of(
    card: Card, amount: int, *, failed: bool = False, capture_before: int | None = None
) -> PaymentMethodDetails:
    """Return the payment method details of a charge of ``amount`` on ``card``."""
    authorized = None if failed else AUTHORIZATION
    before = UNSET if capture_before is None else capture_before
    return _details(face_of(card), amount, authorized, before)


face_of: Final[Callable[[Card], Face]] = attrgetter(
    "brand",
    "country",
    "exp_month",
    "exp_year",
    "fingerprint",
    "funding",
    "last4",
    "address_line1_check",
    "address_zip_check",
    "cvc_check",
)


@lru_cache(maxsize=1024)
def _details(
    face: Face, amount: int, authorization: str | None, capture_before: int | UnsetType
) -> PaymentMethodDetails:
    """Frozen, so that charges of one amount on one kind of card share them."""
    brand, country, exp_month, exp_year, fingerprint, funding, last4, *checks = face
    network = NETWORKS[brand]
    return PaymentMethodDetails(
        CardDetails(
            amount_authorized=amount,
            authorization_code=authorization,
            brand=network,
            capture_before=capture_before,
            checks=Checks(*checks),
            country=country,
            exp_month=exp_month,
            exp_year=exp_year,
            fingerprint=fingerprint,
            funding=funding,
            last4=last4,
            network=network,
            overcapture=Overcapture(amount),
        )
    )


def taken(details: PaymentMethodDetails) -> PaymentMethodDetails:
    """Return the details of a charge that waits for no capture any more."""
    return PaymentMethodDetails(structs.replace(details.card, capture_before=UNSET), details.type)
