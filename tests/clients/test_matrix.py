"""Every client posts as often, and with as many keys, as the table of its measurements says."""

import matrix
import measure
import pytest
from driving import drive_all

CELLS = [
    pytest.param(client, columns, rows, id=f"{name}-{client}")
    for name, columns, rows in matrix.TABLES
    for client in columns
]


@pytest.mark.parametrize(("client", "columns", "rows"), CELLS)
def test_a_client_posts_as_often_and_with_as_many_keys_as_measured(client, columns, rows, tools):
    program = columns[client]
    expected = matrix.column(client, columns, rows)
    profiles = {row: measure.PROFILES[row] for row in expected}

    measured = drive_all(program, profiles, tools(program[0]))

    assert measured == expected


@pytest.mark.parametrize(("name", "columns", "rows"), matrix.TABLES)
def test_the_readme_shows_the_matrix(name, columns, rows):
    """``python tests/clients/measure.py`` writes it."""
    text = measure.README.read_text(encoding="utf-8")

    assert measure.replaced(text, name, measure.table(measure.expected(columns, rows))) == text
