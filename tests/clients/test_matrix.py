"""Every client posts as often, and with as many keys, as README.md says; what differs is named.

The clients are measured two at a time: the test of a client waits for its own.
"""

import os
from concurrent.futures import ThreadPoolExecutor

import differences
import matrix
import measure
import pytest
from toolchain import Unavailable

CLIENTS = [(table.name, client) for table in matrix.TABLES for client in table.columns]
WRITTEN = matrix.written(matrix.README)
PUBLISHED = matrix.written(matrix.PUBLISHED)
TABLES = {table.name: table for table in matrix.TABLES}
IDS = [f"{name}-{client}" for name, client in CLIENTS]


@pytest.fixture(scope="session")
def measurements(request):
    """Begin to measure what the tests of this run ask for; a worker of xdist, what it is asked."""
    with ThreadPoolExecutor(measure.TOGETHER) as pool:
        begun = {}

        def measured(name, client):
            if (name, client) not in begun:
                begun[name, client] = pool.submit(measure.measured, TABLES[name], client)
            return begun[name, client]

        if "PYTEST_XDIST_WORKER" not in os.environ:
            for item in request.session.items:
                if item.originalname == MEASURED:
                    measured(item.callspec.params["name"], item.callspec.params["client"])
        yield measured
        pool.shutdown(cancel_futures=True)


MEASURED = "test_a_client_posts_as_often_and_with_as_many_keys_as_written"


@pytest.mark.parametrize(("name", "client"), CLIENTS, ids=IDS)
def test_a_client_posts_as_often_and_with_as_many_keys_as_written(
    name, client, measurements, unavailable
):
    try:
        measured = measurements(name, client).result()
    except Unavailable as reason:
        unavailable(str(reason))

    assert measured == WRITTEN[name][client]


def test_the_readme_has_a_cell_for_every_client_and_row_that_it_can_have():
    """``python tests/clients/measure.py`` writes it."""
    rows = {(name, client): set(matrix.wanted(TABLES[name], client)) for name, client in CLIENTS}

    assert {
        (name, client): set(column)
        for name, table in WRITTEN.items()
        for client, column in table.items()
    } == rows


def test_every_client_gets_its_charge_where_nothing_goes_wrong():
    calm = {"no fault", "TLS: no fault"}
    ends = {
        column.get(row) for table in WRITTEN.values() for column in table.values() for row in calm
    }

    assert ends == {"1 ok"}


def test_what_was_measured_before_is_of_clients_and_rows_of_the_matrix():
    unknown = [
        (name, client, row)
        for name, table in PUBLISHED.items()
        for client, column in table.items()
        for row in column
        if row not in WRITTEN[name].get(client, ())
    ]

    assert unknown == []


def test_what_differs_from_what_was_measured_before_is_named_with_its_reason_and_nothing_else():
    named = {
        (each.table, each.client, row): (each.measured, each.published)
        for each in differences.DIFFERENCES
        for row in each.rows
    }
    differing = {
        (name, client, row): (WRITTEN[name][client][row], before)
        for name, table in PUBLISHED.items()
        for client, column in table.items()
        for row, before in column.items()
        if WRITTEN[name][client][row] != before
    }

    assert differing == named


def test_the_readme_shows_the_differences():
    text = matrix.README.read_text(encoding="utf-8")

    assert measure.replaced(text, "differences", differences.shown()) == text
