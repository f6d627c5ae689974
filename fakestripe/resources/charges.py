"""Charges: create, retrieve, list, capture (stripe-facts 4)."""

from typing import Any, Final

from msgspec import Struct, structs

from fakestripe.bank.change import Change, Write
from fakestripe.bank.ids import family_of
from fakestripe.bank.ledger import Ledger
from fakestripe.protocol.attempt import Moved
from fakestripe.protocol.errors import StripeError, invalid_request
from fakestripe.protocol.params import Params
from fakestripe.resources import currencies, listing
from fakestripe.resources.cards import Decline, decline_of
from fakestripe.resources.charge_object import CAPTURE_WINDOW, Charge, details_of, outcome_of
from fakestripe.resources.customers import kept, no_such_customer
from fakestripe.resources.payer import Payer, find_payer

DESCRIPTOR: Final = 22


class CreateCharge(Struct, frozen=True, gc=False):
    """What ``POST /v1/charges`` asks for."""

    amount: int
    currency: str
    source: str | None
    customer: str | None
    capture: bool
    description: str | None
    metadata: dict[str, str]
    receipt_email: str | None
    shipping: dict[str, Any] | None
    statement_descriptor: str | None
    statement_descriptor_suffix: str | None
    transfer_group: str | None


class Capture(Struct, frozen=True, gc=False):
    """What ``POST /v1/charges/:id/capture`` asks for."""

    amount: int | None
    receipt_email: str | None
    statement_descriptor: str | None
    statement_descriptor_suffix: str | None
    transfer_group: str | None


def read_create(params: Params) -> CreateCharge:
    """Read the parameters of a new charge."""
    amount = params.required_int("amount", minimum=1)
    currency = read_currency(params)
    check_amount(amount, currency)
    command = CreateCharge(
        amount=amount,
        currency=currency,
        source=params.text("source"),
        customer=params.text("customer"),
        capture=params.boolean("capture", default=True),
        description=params.unsettable("description"),
        metadata=params.metadata() or {},
        receipt_email=params.unsettable("receipt_email"),
        shipping=params.mapping("shipping"),
        statement_descriptor=read_descriptor(params, "statement_descriptor"),
        statement_descriptor_suffix=read_descriptor(params, "statement_descriptor_suffix"),
        transfer_group=params.text("transfer_group"),
    )
    params.finish()
    if command.source is None and command.customer is None:
        raise invalid_request("Must provide source or customer.", code="parameter_missing")
    return command


def read_currency(params: Params) -> str:
    """Read a currency in any case; an unknown one is listed against the known."""
    currency = params.required_text("currency").lower()
    if not currencies.known(currency):
        raise invalid_request(
            f"Invalid currency: {currency}. Stripe currently supports these currencies: "
            f"{', '.join(currencies.SUPPORTED)}",
            param="currency",
        )
    return currency


def check_amount(amount: int, currency: str) -> None:
    """Refuse an amount below the currency's minimum or above eight digits."""
    if amount < currencies.MINIMUM.get(currency, 1):
        raise invalid_request(
            f"Amount must be at least {currencies.smallest(currency)}",
            param="amount",
            code="amount_too_small",
        )
    if amount > currencies.LARGEST:
        largest = currencies.shown(currencies.LARGEST, currency)
        raise invalid_request(
            f"Amount must be no more than {largest}", param="amount", code="amount_too_large"
        )


def read_descriptor(params: Params, name: str) -> str | None:
    """Read a statement descriptor: at most 22 characters, at least one letter."""
    value = params.unsettable(name)
    if value is None:
        return None
    if len(value) > DESCRIPTOR:
        raise invalid_request(
            f"The {name.replace('_', ' ')} must be at most {DESCRIPTOR} characters.", param=name
        )
    if not any(letter.isascii() and letter.isalpha() for letter in value):
        raise invalid_request(
            "The statement descriptor must contain at least one Latin character.", param=name
        )
    return value


def check_create(ledger: Ledger, command: CreateCharge) -> None:
    """Refuse an unknown customer, token or source: validation, though it needs the ledger."""
    find_payer(ledger, command.source, command.customer)


def make_create(ledger: Ledger, command: CreateCharge, now: float) -> Change:
    """Return the change that charges: a decline leaves a failed charge and a 402."""
    payer = find_payer(ledger, command.source, command.customer)
    family = ledger.ids.family()
    charge = new_charge(ledger, command, payer, family, int(now))
    decline = decline_of(payer.test_card)
    moved = Moved(
        kind="charge",
        id=charge.id,
        amount=charge.amount,
        currency=charge.currency,
        charge=charge.id,
        customer=charge.customer,
        status=charge.status,
        captured=charge.captured,
    )
    return Change(
        writes=(*payer.writes(int(now)), Write("charge", charge.id, charge)),
        answer=charge if decline is None else None,
        refusal=None if decline is None else declined(decline, charge.id),
        moved=moved,
        ids=(charge.id,),
    )


def new_charge(
    ledger: Ledger, command: CreateCharge, payer: Payer, family: str, created: int
) -> Charge:
    """Return the charge as it will be written, succeeded or failed."""
    card, decline = payer.card(ledger), decline_of(payer.test_card)
    captured = command.capture and decline is None
    held = None if captured or decline else created + CAPTURE_WINDOW
    charge_id = ledger.ids.of_payment("ch", family)
    return Charge(
        id=charge_id,
        amount=command.amount,
        amount_captured=command.amount if captured else 0,
        balance_transaction=ledger.ids.of_payment("txn", family) if captured else None,
        captured=captured,
        created=created,
        currency=command.currency,
        customer=payer.customer,
        description=command.description,
        failure_code=decline.code if decline else None,
        failure_message=decline.message if decline else None,
        metadata=kept(command.metadata),
        outcome=outcome_of(decline),
        paid=decline is None,
        payment_method=card.id,
        payment_method_details=details_of(card, command.amount, capture_before=held),
        receipt_email=command.receipt_email,
        receipt_url=None if decline else receipt_url(charge_id),
        shipping=command.shipping,
        source=card,
        statement_descriptor=command.statement_descriptor,
        statement_descriptor_suffix=command.statement_descriptor_suffix,
        status="failed" if decline else "succeeded",
        transfer_group=command.transfer_group,
    )


def receipt_url(charge_id: str) -> str:
    """Return a receipt address of today's form."""
    return f"https://pay.stripe.com/receipts/payment/CAcaFwoV{charge_id[3:]}"


def declined(decline: Decline, charge_id: str) -> StripeError:
    """Return the 402 of a failed charge: recorded under the key."""
    return StripeError(
        402,
        decline.message,
        type="card_error",
        code=decline.code,
        param=decline.param,
        recorded=True,
        advice_code=decline.advice,
        charge=charge_id,
        decline_code=decline.decline_code,
        network_advice_code=decline.network_advice,
        network_decline_code=decline.network_decline,
    )


def show(ledger: Ledger, charge_id: str, *, param: str = "id") -> Charge:
    """Return a charge; raises a 404 for an unknown id."""
    found: Charge | None = ledger.get("charge", charge_id)
    if found is None:
        raise invalid_request(
            f"No such charge: '{charge_id}'", param=param, code="resource_missing", status=404
        )
    return found


def list_charges(ledger: Ledger, params: Params) -> listing.Page:
    """Return a page of charges, newest first."""
    cursor = listing.read_cursor(params)
    customer = params.text("customer")
    params.finish()
    if customer is not None and ledger.customers == "strict" and not ledger.get(
        "customer", customer
    ):
        raise no_such_customer(customer, param="customer")
    return listing.page(
        ledger.collection("charge"),
        cursor,
        url="/v1/charges",
        noun="charge",
        keep=lambda charge: customer is None or charge.customer == customer,
    )


def read_capture(params: Params) -> Capture:
    """Read the parameters of a capture."""
    command = Capture(
        amount=params.integer("amount", minimum=1),
        receipt_email=params.unsettable("receipt_email"),
        statement_descriptor=read_descriptor(params, "statement_descriptor"),
        statement_descriptor_suffix=read_descriptor(params, "statement_descriptor_suffix"),
        transfer_group=params.text("transfer_group"),
    )
    params.finish()
    return command


def make_capture(ledger: Ledger, command: Capture, now: float, charge_id: str) -> Change:
    """Return the change that captures: what is not captured of the amount is released."""
    charge = show(ledger, charge_id, param="charge")
    amount = charge.amount if command.amount is None else command.amount
    check_capture(charge, amount, now)
    family = family_of(charge_id)
    captured = structs.replace(
        charge,
        amount_captured=amount,
        amount_refunded=charge.amount - amount,
        balance_transaction=ledger.ids.of_payment("txn", family),
        captured=True,
        receipt_email=command.receipt_email or charge.receipt_email,
        payment_method_details=details_of(charge.source, charge.amount, capture_before=None),
    )
    moved = Moved(
        kind="capture", id=charge_id, amount=amount, currency=charge.currency, charge=charge_id
    )
    return Change(
        writes=(Write("charge", charge_id, captured),),
        answer=captured,
        moved=moved,
        ids=(charge_id,),
    )


def check_capture(charge: Charge, amount: int, now: float) -> None:
    """Refuse what the charge's state does not allow: recorded under the key."""
    if charge.captured:
        raise StripeError(
            400,
            f"Charge {charge.id} has already been captured.",
            code="charge_already_captured",
            recorded=True,
        )
    if charge.status == "failed" or charge.refunded:
        raise StripeError(
            400, f"Charge {charge.id} could not be captured.", recorded=True
        )
    if now > charge.created + CAPTURE_WINDOW:
        raise StripeError(
            400,
            f"Charge {charge.id} has expired and can no longer be captured.",  # [G] text unknown
            code="charge_expired_for_capture",
            recorded=True,
        )
    if amount > charge.amount:
        raise StripeError(
            400,
            f"Amount ({currencies.shown(amount, charge.currency)}) is greater than the "
            f"authorized amount ({currencies.shown(charge.amount, charge.currency)})",
            param="amount",
            recorded=True,
        )
