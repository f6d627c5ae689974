"""People: believable, numbered, the same for a seed; Faker only where they are asked for."""

import re
import subprocess
import sys

from fakestripe.profiles.people import people


def test_people_are_believable():
    found = people(200)

    assert [person.number for person in found] == list(range(1, 201))
    assert all(re.fullmatch(r"\S+ \S+", person.name) for person in found)
    assert all(re.fullmatch(r"\+1[2-9]\d\d55501\d\d", person.phone) for person in found)
    assert all(re.fullmatch(r"[A-Z]{2}", person.state) for person in found)
    assert all(re.fullmatch(r"\d{5}(-\d{4})?", person.postal_code) for person in found)
    assert all(person.line1 and person.city and person.country == "US" for person in found)


def test_nobody_shares_an_address_of_mail():
    found = people(2000)
    first, last = found[0].name.lower().split()

    assert len({person.email for person in found}) == 2000
    assert found[0].email == f"{first}.{last}@example.org"
    assert {person.email.partition("@")[2] for person in found} == {
        "example.com",
        "example.org",
        "example.net",
    }


def test_a_seed_decides_who_they_are_and_the_count_only_how_many():
    code = "from fakestripe.profiles.people import people; print(people(3, 7))"
    another = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )

    assert people(50, 7)[:3] == people(3, 7) != people(3, 8)
    assert another.stdout.strip() == str(people(3, 7))


def test_faker_is_loaded_for_people_only():
    code = (
        "import sys, fakestripe.profiles.people, fakestripe.server.listener; "
        "import fakestripe.server.control.control; print('faker' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "False"
