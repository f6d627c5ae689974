"""The payment method object, in Stripe's field order, and the card that stands behind one.

A card's check is ``unchecked`` until a bank was asked: when the method is attached or charged.
"""

from typing import Final

from msgspec import Struct, structs

from fakestripe.resources.cards import NETWORKS
from fakestripe.resources.charge_object import BillingDetails, Checks
from fakestripe.resources.desk import Desk
from fakestripe.resources.entered_cards import UNCHECKED, verified
from fakestripe.resources.sources import EMPTY, Card, Empty


class Networks(Struct, frozen=True, gc=False):
    """The networks that a card runs on."""

    available: tuple[str, ...]
    preferred: None = None


class ThreeDSecureUsage(Struct, frozen=True, gc=False):
    """Whether a card can be authenticated."""

    supported: bool = True


class MethodCard(Struct, frozen=True, kw_only=True, gc=False):
    """The card of a payment method."""

    brand: str
    checks: Checks
    country: str
    display_brand: str
    exp_month: int
    exp_year: int
    fingerprint: str
    funding: str
    generated_from: None = None
    last4: str
    networks: Networks
    regulated_status: str = "unregulated"
    three_d_secure_usage: ThreeDSecureUsage = ThreeDSecureUsage()
    wallet: None = None


class PaymentMethod(Struct, frozen=True, kw_only=True, gc=False):
    """The payment method object."""

    id: str
    object: str = "payment_method"
    allow_redisplay: str = "unspecified"
    billing_details: BillingDetails = BillingDetails()
    card: MethodCard
    created: int
    customer: str | None = None
    customer_account: None = None
    livemode: bool = False
    metadata: dict[str, str] | Empty = EMPTY
    type: str = "card"


def method_of(desk: Desk, card: Card, method_id: str | None = None) -> PaymentMethod:
    """Return a new payment method of a card that no bank has been asked about."""
    return PaymentMethod(
        id=method_id or desk.ledger.ids.of_account("pm"),
        card=_face(card, asked=False),
        created=desk.second,
    )


def _face(card: Card, *, asked: bool) -> MethodCard:
    network = NETWORKS[card.brand]
    said = (card.address_line1_check, card.address_zip_check, card.cvc_check)
    return MethodCard(
        brand=network,
        checks=Checks(*(one if asked or one is None else UNCHECKED for one in said)),
        country=card.country,
        display_brand=network,
        exp_month=card.exp_month,
        exp_year=card.exp_year,
        fingerprint=card.fingerprint,
        funding=card.funding,
        last4=card.last4,
        networks=Networks((network,)),
    )


def card_behind(method: PaymentMethod, customer: str | None = None) -> Card:
    """Return the card that a charge with the method shows the face of, under the method's id."""
    face, checks = method.card, method.card.checks
    return Card(
        id=method.id,
        address_line1_check=checks.address_line1_check,
        address_zip_check=checks.address_postal_code_check,
        brand=_BRANDS[face.brand],
        country=face.country,
        customer=customer,
        cvc_check=checks.cvc_check,
        exp_month=face.exp_month,
        exp_year=face.exp_year,
        fingerprint=face.fingerprint,
        funding=face.funding,
        last4=face.last4,
    )


def asked(method: PaymentMethod) -> PaymentMethod:
    """Return a payment method after its bank was asked: its checks have their results."""
    return structs.replace(method, card=_face(verified(card_behind(method)), asked=True))


_BRANDS: Final = {network: brand for brand, network in NETWORKS.items()}
