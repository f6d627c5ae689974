"""Pages of a gateway and JSON that breaks off: what Stripe's libraries make of them.

A page is not the API's answer, so they ask again with the same key. Broken JSON is an answer to
them: they give up, and an application that asks again makes a new key.
"""

import pytest
from checking import check
from driving import command

FAULTS = {
    "committed-page": "at: committed, do: {reply: {status: 502}}",
    "page": "at: received, do: {reply: {status: 502}}",
    "broken": "at: replying, do: {garble: {body: 50%}}",
}
LIBRARIES = {
    "Python requests": ("stripe_module.py", "--transport", "requests"),
    "Python httpx": ("stripe_module.py", "--transport", "httpx"),
    "Node": ("stripe_node.cjs",),
}


@pytest.fixture
def runs(tmp_path, tools):
    """Return a function that checks a program under each fault, and gives the runs."""

    def checked(words, *names):
        profiles = []
        for name in names or FAULTS:
            file = tmp_path / f"{name}.yaml"
            file.write_text(
                f"name: {name}\nrules:\n  - {{when: {{attempt: 1}}, {FAULTS[name]}}}\n"
            )
            profiles.append(file)
        line, environment = command(words), tools(words[0])
        found = check(line, tmp_path, profiles=profiles, environment=environment).runs
        return {
            name: (run.verdict, run.attempts, run.charges, run.causes)
            for name, run in found.items()
        }

    return checked


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_page_is_asked_again_under_the_same_key_and_broken_json_orphans_the_charge(
    library, runs
):
    assert runs(LIBRARIES[library]) == {
        "committed-page": ("clean", 2, 1, ()),
        "page": ("clean", 2, 1, ()),
        "broken": ("orphan", 1, 1, ()),
    }


@pytest.mark.parametrize("library", LIBRARIES)
def test_an_application_that_asks_again_after_broken_json_makes_a_second_charge(library, runs):
    assert runs((*LIBRARIES[library], "--again")) == {
        "committed-page": ("clean", 2, 1, ()),
        "page": ("clean", 2, 1, ()),
        "broken": ("duplicate", 2, 2, ("fresh_key_per_attempt",)),
    }


@pytest.mark.parametrize("library", LIBRARIES)
def test_an_application_that_asks_again_under_its_own_key_gets_its_charge(library, runs):
    words = (*LIBRARIES[library], "--again", "--key", "K1")

    assert runs(words, "broken") == {"broken": ("clean", 2, 1, ())}
