"""Currencies and their smallest charge, in minor units (stripe-facts 4.4)."""

from typing import Final

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

SUPPORTED: Final = tuple(
    (
        "usd aed afn all amd ang aoa ars aud awg azn bam bbd bdt bgn bhd bif bmd bnd bob brl bsd "
        "bwp byn bzd cad cdf chf clp cny cop crc cve czk djf dkk dop dzd egp etb eur fjd fkp gbp "
        "gel gip gmd gnf gtq gyd hkd hnl htg huf idr ils inr isk jmd jod jpy kes kgs khr kmf krw "
        "kwd kyd kzt lak lbp lkr lrd lsl mad mdl mga mkd mmk mnt mop mur mvr mwk mxn myr mzn nad "
        "ngn nio nok npr nzd omr pab pen pgk php pkr pln pyg qar ron rsd rub rwf sar sbd scr sek "
        "sgd shp sle sos srd std szl thb tjs tnd top try ttd twd tzs uah ugx uyu uzs vnd vuv wst "
        "xaf xcd xof xpf yer zar zmw"
    ).split()
)
_KNOWN: Final = frozenset(SUPPORTED)

ZERO_DECIMAL: Final = frozenset(
    "bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf".split()
)


def known(currency: str) -> bool:
    """Return whether a lower-case currency is supported."""
    return currency in _KNOWN


def shown(amount: int, currency: str) -> str:
    """Return an amount as Stripe's messages write it: ``$10.00``, ``¥1000``."""
    sign = {"usd": "$", "eur": "€", "gbp": "£", "jpy": "¥"}.get(currency, "")
    text = f"{amount:,}" if currency in ZERO_DECIMAL else f"{amount / 100:,.2f}"
    return f"{sign}{text}" if sign else f"{text} {currency}"


def smallest(currency: str) -> str:
    """Return the minimum as the error names it: ``50 cents`` for dollars."""
    least = MINIMUM.get(currency, 1)
    return f"{least} cents" if currency == "usd" else shown(least, currency)
