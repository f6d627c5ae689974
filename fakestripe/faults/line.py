"""A profile as a line of the journal: what the verdict needs to know of it, and no more.

It lives beside the rules, not beside the loader, so that a server that is given no profile file
never pays for reading YAML.
"""

from typing import Any

from fakestripe.faults import kinds, rules, wording


def line_of(profile: rules.Profile) -> dict[str, Any]:
    """Return the fields of the journal line of kind ``profile``."""
    return {
        "name": profile.name,
        "source": profile.source,
        "expect": list(profile.expect),
        "operation": profile.operation,
        "rules": [_rule(rule) for rule in profile.rules],
        **_deliveries(profile),
        "key_retention": profile.settings.key_retention,
        "cache_write_window": profile.settings.cache_write_window,
    }


def _rule(rule: rules.Rule) -> dict[str, Any]:
    parties = [fault.parties for fault in rule.do if isinstance(fault, kinds.Barrier)]
    numbered = {"nth": rule.when.nth} if rule.at == "accept" else {}
    return {
        "name": rule.name,
        "at": rule.at,
        "faults": [wording.shown(fault) for fault in rule.do],
        "barrier": parties[0] if parties else None,
        **numbered,
    }


def deliveries_name(profile: rules.Profile) -> str:
    """Return what the faults of a profile's deliveries are called beside those of its rules."""
    return f"{profile.name}#deliveries"


def _deliveries(profile: rules.Profile) -> dict[str, Any]:
    asked = profile.settings.deliveries
    if asked is None:
        return {}
    told = {"name": deliveries_name(profile), "at": "webhook", "faults": list(asked.words)}
    return {"deliveries": told}
