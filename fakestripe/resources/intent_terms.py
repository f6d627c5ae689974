"""The parameters that requests about payment intents share, and how each is read.

What the endpoint itself does not know is refused, as everywhere; what only other payment methods
than cards, or Connect, would need is refused aloud.
"""

from typing import Any, Final

from fakestripe.protocol.errors import StripeError, invalid_request
from fakestripe.protocol.params import Params, Readers, bad_integer
from fakestripe.resources import payment_methods
from fakestripe.resources.addresses import read_shipping
from fakestripe.resources.confirming import Confirmation
from fakestripe.resources.currencies import MINIMUM, check_amount, read_currency
from fakestripe.resources.descriptors import read_descriptor
from fakestripe.resources.intent_object import AutomaticMethods
from fakestripe.resources.means import Choice
from fakestripe.resources.payment_methods import NewMethod

CAPTURE_METHODS: Final = ("automatic", "automatic_async", "manual")
TOO_SMALL: Final = (
    "The amount must be greater than or equal to the minimum charge amount allowed for your "
    "account and the currency set "
    "(https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts).  If you want to "
    "save a Payment Method for future use without an immediate payment, use a Setup Intent "
    "instead: https://docs.stripe.com/payments/setup-intents"
)
NOT_EMULATED: Final = frozenset(
    {
        "amount_details",
        "amount_to_confirm",
        "application_fee_amount",
        "confirmation_token",
        "customer_account",
        "excluded_payment_method_types",
        "hooks",
        "mandate",
        "mandate_data",
        "on_behalf_of",
        "payment_details",
        "payment_method_configuration",
        "payment_method_options",
        "radar_options",
        "transfer_data",
    }
)


def read_data(params: Params, name: str) -> NewMethod | None:
    """Read the details of a payment method that is made for this intent."""
    given = params.below(name)
    return None if given is None else payment_methods.read_create(given)


def read_types(params: Params, name: str) -> tuple[str, ...] | None:
    """Read a list of types of payment methods, which cards must be among."""
    types = params.texts(name)
    if types is not None and "card" not in types:
        text = f"fakestripe emulates cards only: {name} must hold card."
        raise invalid_request(text, param=name)
    return None if types is None else tuple(types)


def read_automatic(params: Params, name: str) -> AutomaticMethods | None:
    """Read whether the Dashboard says how an intent may be paid."""
    given = params.below(name)
    if given is None:
        return None
    given.only(frozenset({"enabled", "allow_redirects"}))
    given.required_text("enabled")
    redirects = given.choice("allow_redirects", ("always", "never")) or "always"
    return AutomaticMethods(redirects) if given.boolean("enabled") else None


def read_off_session(params: Params, name: str) -> bool:
    """Read whether the holder of the card is away; the two other words say how often."""
    if params.text(name) in ("one_off", "recurring"):
        return True
    return params.boolean(name) or False


SHARED: Final[Readers] = {
    "capture_method": lambda params, name: params.choice(name, CAPTURE_METHODS),
    "receipt_email": Params.unsettable,
    "setup_future_usage": lambda params, name: params.choice(name, ("off_session", "on_session")),
    "shipping": read_shipping,
}
"""What a confirmation may change of the intent."""

TERMS: Final[Readers] = {
    **SHARED,
    "allowed_payment_method_types": read_types,
    "customer": Params.text,
    "description": Params.unsettable,
    "payment_method_types": read_types,
    "statement_descriptor": read_descriptor,
    "statement_descriptor_suffix": read_descriptor,
    "transfer_group": Params.text,
}
"""What a creation and an update may say of the intent beside its money and its means."""

MEANS: Final = frozenset({"payment_method", "payment_method_data"})
CONFIRMING: Final[Readers] = {
    "error_on_requires_action": Params.boolean,
    "off_session": read_off_session,
    "return_url": Params.text,
    "use_stripe_sdk": Params.boolean,
}


def read_choice(params: Params) -> Choice:
    """Read by which means an intent is to be paid."""
    choice = Choice(params.unsettable("payment_method"), read_data(params, "payment_method_data"))
    if choice.name is not None and choice.details is not None:
        raise exclusive("payment_method", "payment_method_data")
    return choice


def exclusive(first: str, second: str) -> StripeError:
    """Return the refusal of two parameters of which only one may be given."""
    return invalid_request(
        f"You may only specify one of these parameters: {first}, {second}.",
        param=first,
        code="parameters_exclusive",
    )


def read_confirmation(params: Params) -> Confirmation:
    """Read how an intent is to be confirmed."""
    return Confirmation(choice=read_choice(params), **params.given(CONFIRMING))


def read_money(params: Params) -> tuple[int, str]:
    """Read what a new intent is about."""
    amount = params.required_int("amount")
    currency = read_currency(params)
    check_money(amount, currency)
    return amount, currency


def check_money(amount: int, currency: str) -> None:
    """Refuse an amount that no intent can have: in the words of 2026."""
    if amount < 0:
        raise bad_integer("amount", "This value must be greater than or equal to 1.")
    if amount < MINIMUM.get(currency, 1):
        raise bad_integer("amount", TOO_SMALL)
    check_amount(amount, currency)


def unless_confirmed(name: str) -> StripeError:
    """Return the refusal of a parameter that only a confirmation has [L]."""
    return invalid_request(
        f"The parameter `{name}` cannot be passed when creating a PaymentIntent unless `confirm` "
        "is set to true.",
        param=name,
    )


def replaced(fields: dict[str, Any]) -> dict[str, Any]:
    """Return what was given, but for a word that cannot be unset."""
    return {n: v for n, v in fields.items() if v is not None or n != "capture_method"}
