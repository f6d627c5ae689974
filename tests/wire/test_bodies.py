"""Bodies that a client sends only when it is asked, as curl does with large ones."""

CHARGE = b"amount=2000&currency=usd&source=tok_visa"


def test_a_client_that_waits_to_be_asked_for_its_body_is_asked(served) -> None:
    client = served.raw()
    head = (
        "POST /v1/charges HTTP/1.1\r\nhost: x\r\nauthorization: Bearer sk_test_raw\r\n"
        "content-type: application/x-www-form-urlencoded\r\nexpect: 100-continue\r\n"
        f"content-length: {len(CHARGE)}\r\n\r\n"
    )
    client.socket.sendall(head.encode())
    asked = client.socket.recv(65536)
    client.socket.sendall(CHARGE)

    assert asked == b"HTTP/1.1 100 Continue\r\n\r\n"
    assert client.answer()[0] == 200
    assert served.charges == 1
