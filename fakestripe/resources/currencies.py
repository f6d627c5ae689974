"""Currencies and what may be charged in them, in minor units (stripe-facts 4.4)."""

from typing import Final

from fakestripe.protocol.errors import invalid_request
from fakestripe.protocol.params import Params

LARGEST: Final = 99_999_999

MINIMUM: Final[dict[str, int]] = {
    "usd": 50,
    "aed": 200,
    "aud": 50,
    "bgn": 100,
    "brl": 50,
    "cad": 50,
    "chf": 50,
    "czk": 1500,
    "dkk": 250,
    "eur": 50,
    "gbp": 30,
    "hkd": 400,
    "huf": 17500,
    "inr": 50,
    "jpy": 50,
    "mxn": 1000,
    "myr": 200,
    "nok": 300,
    "nzd": 50,
    "pln": 200,
    "ron": 200,
    "sek": 300,
    "sgd": 50,
    "thb": 1000,
}
"""Minimum by currency; where Stripe converts (every other one), 1 is taken [G]."""

_NAMES: Final = (
    "usd aed afn all amd ang aoa ars aud awg azn bam bbd bdt bgn bhd bif bmd bnd bob brl "
    "bsd bwp byn bzd cad cdf chf clp cny cop crc cve czk djf dkk dop dzd egp etb eur fjd "
    "fkp gbp gel gip gmd gnf gtq gyd hkd hnl htg huf idr ils inr isk jmd jod jpy kes kgs "
    "khr kmf krw kwd kyd kzt lak lbp lkr lrd lsl mad mdl mga mkd mmk mnt mop mur mvr mwk "
    "mxn myr mzn nad ngn nio nok npr nzd omr pab pen pgk php pkr pln pyg qar ron rsd rub "
    "rwf sar sbd scr sek sgd shp sle sos srd std szl thb tjs tnd top try ttd twd tzs uah "
    "ugx uyu uzs vnd vuv wst xaf xcd xof xpf yer zar zmw"
)
SUPPORTED: Final = tuple(_NAMES.split())
_KNOWN: Final = frozenset(SUPPORTED)

_ZERO: Final = "bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf"
_THREE: Final = "bhd jod kwd omr tnd"
DECIMALS: Final = dict.fromkeys(_ZERO.split(), 0) | dict.fromkeys(_THREE.split(), 3)
"""How many decimals a currency has, where not two."""
ROUND: Final = dict.fromkeys(_THREE.split(), 10) | {"isk": 100, "ugx": 100}
"""Amounts that must be multiples: a last digit 0, or hundredths that end in 00."""
_SIGNS: Final = {"usd": "$", "eur": "€", "gbp": "£", "jpy": "¥"}


def read_currency(params: Params) -> str:
    """Read a currency in any case; an unknown one is answered with those there are."""
    currency = params.required_text("currency").lower()
    if currency not in _KNOWN:
        raise invalid_request(
            f"Invalid currency: {currency}. Stripe currently supports these currencies: "
            f"{', '.join(SUPPORTED)}",
            param="currency",
        )
    return currency


def read_amount(params: Params, name: str) -> int | None:
    """Read an amount, or None where absent: at least 1."""
    return params.integer(name, minimum=1)


def check_amount(amount: int, currency: str) -> None:
    """Refuse an amount that cannot be charged in a currency."""
    if amount < MINIMUM.get(currency, 1):
        text = f"Amount must be at least {smallest(currency)}"
        raise invalid_request(text, param="amount", code="amount_too_small")
    if amount > LARGEST:
        text = f"Amount must be no more than {shown(LARGEST, currency)}"
        raise invalid_request(text, param="amount", code="amount_too_large")
    if amount % ROUND.get(currency, 1):  # [G] the rule is documented, the text is not
        text = f"Amounts in {currency.upper()} must be multiples of {ROUND[currency]}."
        raise invalid_request(text, param="amount")


def shown(amount: int, currency: str) -> str:
    """Return an amount as Stripe's messages write it: ``$10.00``, ``¥1,000``, ``1.500 kwd``."""
    places = DECIMALS.get(currency, 2)
    text = f"{amount / 10**places:,.{places}f}"
    sign = _SIGNS.get(currency)
    return f"{sign}{text}" if sign else f"{text} {currency}"


def smallest(currency: str) -> str:
    """Return the minimum as the error names it: ``50 cents`` for dollars."""
    least = MINIMUM.get(currency, 1)
    return f"{least} cents" if currency == "usd" else shown(least, currency)
