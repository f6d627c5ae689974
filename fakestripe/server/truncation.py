"""What is left of a reply that is cut: its bytes, how it ends, and whether anything is lacking.

Plain computation: the bytes are written, and the connection is ended, by ``wire``.
"""

from fakestripe.protocol.effects import Close, Cut, Hang, Reset, part


def is_whole(cut: Cut) -> bool:
    """Return whether a client has all of a reply, and was told how much that is."""
    return cut.framing == "length" and cut.head is None and cut.body >= len(cut.reply.body)


def ending_of(cut: Cut) -> Reset | Close | Hang:
    """Return how the connection ends behind what is left."""
    if cut.then == "hang":
        return Hang(cut.hang)
    return Reset() if cut.then == "reset" else Close()


def bytes_of(cut: Cut, date: str) -> bytes:
    """Return the bytes of a truncated reply, framed as it pretends to be."""
    whole = len(cut.reply.body)
    framing = {
        "length": f"Content-Length: {whole}\r\n",
        "chunked": "Transfer-Encoding: chunked\r\n",
        "unframed": "",
    }[cut.framing]
    head = cut.reply.head(date=date, keep_alive=cut.framing != "unframed", framing=framing)
    if cut.head is not None:
        return head[: part(cut.head, len(head))]
    body = cut.reply.body[: cut.body]
    if cut.framing == "chunked":
        body = f"{whole:x}\r\n".encode() + body
    return head + body
