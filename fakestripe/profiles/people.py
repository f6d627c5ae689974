"""Believable people: names, addresses, telephones, the same for a seed and a version of Faker.

They are made once a process, the first of a longer list being those of a shorter one. Faker is
imported when somebody asks for people, and here alone.
"""

from functools import lru_cache
from typing import Any, Final

from msgspec import Struct

_PROVIDERS: Final = [f"faker.providers.{each}" for each in ("person", "address", "phone_number")]
_DOMAINS: Final = ("example.com", "example.org", "example.net")


class Person(Struct, frozen=True):
    """Somebody in the United States; the mail domains are those that nobody owns."""

    number: int
    name: str
    email: str
    phone: str
    line1: str
    city: str
    state: str
    postal_code: str
    country: str = "US"


@lru_cache(maxsize=8)
def people(count: int, seed: int = 0) -> tuple[Person, ...]:
    """Return so many people, numbered from 1."""
    from faker import Faker  # noqa: PLC0415  # a fifth of a second that only this call needs

    fake = Faker("en_US", providers=_PROVIDERS, use_weighting=False)
    fake.seed_instance(seed)
    known: dict[str, int] = {}
    return tuple(_person(fake, number, known) for number in range(1, count + 1))


def _person(fake: Any, number: int, known: dict[str, int]) -> Person:
    first, last = fake.first_name(), fake.last_name()
    state = fake.state_abbr(include_territories=False, include_freely_associated_states=False)
    return Person(
        number=number,
        name=f"{first} {last}",
        email=_address(f"{first}.{last}".lower(), number, known),
        phone=fake.numerify("+1$##55501##"),
        line1=fake.street_address(),
        city=fake.city(),
        state=state,
        postal_code=fake.postcode_in_state(state),
    )


def _address(local: str, number: int, known: dict[str, int]) -> str:
    """Return an address that nobody of these people has: the second of a name gets a 2."""
    known[local] = known.get(local, 0) + 1
    namesakes = "" if known[local] == 1 else str(known[local])
    return f"{local}{namesakes}@{_DOMAINS[number % len(_DOMAINS)]}"
