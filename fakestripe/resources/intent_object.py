"""The payment intent object and its parts, in Stripe's field order (stripe-facts 8).

Only cards are emulated, so an account's Dashboard is taken to offer nothing else: no intent needs
a ``return_url`` to be confirmed [G]. ``automatic_async`` has been the default capture method since
2024-04-10; both automatic ones capture at once here.
"""

from typing import Final

from msgspec import UNSET, Struct, UnsetType

from fakestripe.bank.change import Write
from fakestripe.resources.addresses import Shipping
from fakestripe.resources.method_object import PaymentMethod
from fakestripe.resources.sources import EMPTY, Empty

KIND: Final = "payment_intent"
CONFIRMABLE: Final = ("requires_payment_method", "requires_confirmation", "requires_action")
"""The statuses in which an intent may still be changed and confirmed."""


class AmountDetails(Struct, frozen=True, gc=False):
    """Constant part of an intent."""

    tip: Empty = EMPTY


class AutomaticMethods(Struct, frozen=True, gc=False):
    """Whether the Dashboard says how an intent may be paid."""

    allow_redirects: str = "always"
    enabled: bool = True


class Managed(Struct, frozen=True, gc=False):
    """Constant part of an intent."""

    enabled: bool = False


class CardOptions(Struct, frozen=True, gc=False):
    """Constant part of an intent."""

    installments: None = None
    mandate_options: None = None
    network: None = None
    request_three_d_secure: str = "automatic"


class MethodOptions(Struct, frozen=True, gc=False):
    """Constant part of an intent."""

    card: CardOptions = CardOptions()


class PaymentError(Struct, frozen=True, kw_only=True, gc=False):
    """Why the last confirmation failed, its fields in alphabetical order."""

    advice_code: str | UnsetType = UNSET
    charge: str | UnsetType = UNSET
    code: str
    decline_code: str
    doc_url: str
    message: str
    network_advice_code: str | UnsetType = UNSET
    network_decline_code: str | UnsetType = UNSET
    param: str | UnsetType = UNSET
    payment_method: PaymentMethod | UnsetType = UNSET
    type: str = "card_error"


class Redirect(Struct, frozen=True, gc=False):
    """Where the holder of a card goes to authenticate, and where from there."""

    return_url: str
    url: str


class SdkAction(Struct, frozen=True, gc=False):
    """What Stripe.js does to let the holder of a card authenticate."""

    stripe_js: str
    type: str = "three_d_secure_redirect"


class NextAction(Struct, frozen=True, kw_only=True, gc=False):
    """What has to happen before an intent can be charged."""

    redirect_to_url: Redirect | UnsetType = UNSET
    type: str
    use_stripe_sdk: SdkAction | UnsetType = UNSET


class PaymentIntent(Struct, frozen=True, kw_only=True, gc=False):
    """The payment intent object."""

    id: str
    object: str = KIND
    allowed_payment_method_types: tuple[str, ...] | None = None
    amount: int
    amount_capturable: int = 0
    amount_details: AmountDetails = AmountDetails()
    amount_received: int = 0
    application: None = None
    application_fee_amount: None = None
    automatic_payment_methods: AutomaticMethods | None = None
    canceled_at: int | None = None
    cancellation_reason: str | None = None
    capture_method: str = "automatic_async"
    client_secret: str
    confirmation_method: str = "automatic"
    created: int
    currency: str
    customer: str | None = None
    customer_account: None = None
    description: str | None = None
    excluded_payment_method_types: None = None
    last_payment_error: PaymentError | None = None
    latest_charge: str | None = None
    livemode: bool = False
    managed_payments: Managed = Managed()
    metadata: dict[str, str] | Empty = EMPTY
    next_action: NextAction | None = None
    on_behalf_of: None = None
    payment_method: str | None = None
    payment_method_configuration_details: None = None
    payment_method_options: MethodOptions = MethodOptions()
    payment_method_types: tuple[str, ...] = ("card",)
    payment_record: None = None
    processing: None = None
    receipt_email: str | None = None
    review: None = None
    setup_future_usage: str | None = None
    shipping: Shipping | None = None
    source: str | None = None
    statement_descriptor: str | None = None
    statement_descriptor_suffix: str | None = None
    status: str
    transfer_data: None = None
    transfer_group: str | None = None


def ids_of(intent: PaymentIntent) -> tuple[str, ...]:
    """Return the ids of payments that an answer with the intent names."""
    charge = intent.latest_charge
    return (intent.id,) if charge is None else (intent.id, charge)


def written(intent: PaymentIntent) -> Write:
    """Return the write of an intent, in the list of its customer where it has one."""
    groups = () if intent.customer is None else (intent.customer,)
    return Write(KIND, intent.id, intent, groups)
