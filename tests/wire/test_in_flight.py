"""One key, many posts at once: exactly one executes, whatever the threads and loops do."""

from collections import Counter

from fakestripe.faults.kinds import Wait

PARALLEL = 20
REPETITIONS = 50
AT_ONCE = 5


def form(key: str) -> bytes:
    """Return the form of an order of its own: the same under another key would be a retry."""
    return f"amount=2000&currency=usd&source=tok_visa&description={key}".encode()


def test_twenty_parallel_posts_with_one_key_make_one_charge(served) -> None:
    """20 posts, the first waits 300 ms at ``claimed``: one 200, 19 times 409, then replays."""
    served.fault("claimed", Wait(0.3), attempt=(1,))
    for batch in range(REPETITIONS // AT_ONCE):
        keys = [f"K{batch}.{number}" for number in range(AT_ONCE)]
        clients = {key: [served.raw() for _ in range(PARALLEL)] for key in keys}
        for group in zip(*clients.values(), strict=True):
            for key, client in zip(keys, group, strict=True):
                client.send(body=form(key), idempotency_key=key)
        for key in keys:
            answers = [client.answer() for client in clients[key]]
            later = served.raw().send(body=form(key), idempotency_key=key).answer()
            first = next(body for status, _, body in answers if status == 200)

            assert Counter({409: PARALLEL - 1, 200: 1}) == Counter(a[0] for a in answers)
            assert (200, "true", first) == (later[0], later[1]["idempotent-replayed"], later[2])
        for client in (c for group in clients.values() for c in group):
            client.close()

    assert served.charges == REPETITIONS


def test_the_conflict_is_an_invalid_request_that_asks_for_a_retry(served) -> None:
    served.fault("claimed", Wait(0.3), attempt=(1,))
    first = served.raw().send(idempotency_key="K1")
    served.until(lambda: bool(served.attempts) and served.attempts[0].last_point == "claimed")
    status, headers, body = served.raw().send(idempotency_key="K1").answer()

    assert status == 409
    assert headers["stripe-should-retry"] == "true"
    assert b'"code":"idempotency_key_in_use"' in body
    assert b'"type":"invalid_request_error"' in body
    assert first.answer()[0] == 200
