"""Makes README.md of what was found and of what is claimed; nothing in it is written by hand.

A claim holds if everything that shows it begins as the claim predicts.
"""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Final

import msgspec
import yaml
from msgspec import Struct
from results import Results, printed
from systems import ALONE, SYSTEMS, TOGETHER

CLAIMS: Final = Path(__file__).parent / "claims.yaml"
README: Final = Path(__file__).parent / "README.md"
COMMAND: Final = "python tests/clients/java/run.py"
PAGE: Final = Path(__file__).parent / "page.md"
"""What stands around the claims, and where."""

LEVELS: Final = {
    (True, False): "Holds",
    (False, True): "Does not hold",
    (True, True): "Holds in part",
}
"""By whether anything was found as predicted, and whether anything was not."""


class Claim(Struct, frozen=True, forbid_unknown_fields=True):
    """One claim: what it predicts, of which rows under which profiles, or of which scenarios.

    ``note`` says why it is as it is, and ``stripe`` where Stripe's documentation differs.
    """

    claim: str
    predicts: str
    rows: tuple[str, ...] = ()
    under: tuple[str, ...] = ()
    scenarios: tuple[str, ...] = ()
    note: str = ""
    stripe: str = ""

    def found(self, results: Results) -> Iterator[tuple[str, str]]:
        """Yield what shows the claim and what was found there."""
        for row in self.rows:
            for profile in self.under:
                yield f"`{row}` under `{profile}`", results.table[row][profile]
        for name in self.scenarios:
            yield f"`{name}`", results.scenarios[name]

    def names(self) -> tuple[str, ...]:
        """Return what its command runs: systems, each once, and scenarios."""
        systems = dict.fromkeys(row.split()[0] for row in self.rows)
        return (*systems, *self.scenarios)


def claims() -> list[Claim]:
    """Return all claims, in order."""
    return msgspec.convert(yaml.safe_load(CLAIMS.read_text(encoding="utf-8")), list[Claim])


def section(number: int, claim: Claim, results: Results) -> str:
    """Return what is said of one claim."""
    found = list(claim.found(results))
    held = [line.startswith(claim.predicts) for _, line in found]
    lines = [f"### {number}. {claim.claim}", ""]
    lines += [f"{LEVELS[any(held), not all(held)]}; fakestripe showed:", ""]
    for line, shown in groupby(sorted(found, key=lambda each: each[1]), key=lambda each: each[1]):
        lines += [f"- {line}: {', '.join(where for where, _ in shown)}"]
    lines += ["", f"`{COMMAND} {' '.join(claim.names())}`"]
    if claim.note:
        lines += ["", *_sentences(claim.note)]
    if claim.stripe:
        lines += ["", *_sentences(f"Stripe's documentation: {claim.stripe}")]
    return "\n".join(lines)


def _sentences(text: str) -> list[str]:
    """Return a line for each sentence."""
    return text.replace(". ", ".\n").splitlines()


def page(results: Results) -> str:
    """Return the whole page."""
    systems = "\n".join(
        f"| `{name}` | {system.built_on} | {system.key_made} |" for name, system in SYSTEMS.items()
    )
    sections = "\n\n".join(
        section(number, claim, results) for number, claim in enumerate(claims(), 1)
    )
    return PAGE.read_text(encoding="utf-8").format(
        systems=systems,
        table=printed(Results(results.table)),
        claims=sections,
        command=COMMAND,
        alone=", ".join(f"`{name}`" for name in ALONE),
        together=", ".join(f"`{name}`" for name in TOGETHER),
    )
