"""What a client of the model asks for, and what it sees of the answer."""

from collections.abc import Generator
from typing import Any

from msgspec import Struct


class Sleep(Struct):
    """Let a client wait."""

    seconds: float


class Call(Struct, kw_only=True):
    """A request as a client makes it, for a payment that only the truth knows."""

    method: str = "POST"
    path: str = "/v1/charges"
    params: dict[str, str] = {}
    key: str | None = None
    timeout: float = 2.0
    agent: str = "model"
    account: str = "sk_test_a"
    connection: int | None = None
    payment: str | None = None


class Answer(Struct):
    """What a client sees: an answer, or how the connection ended."""

    kind: str
    status: int = 0
    body: dict[str, Any] = {}


Program = Generator[Sleep | Call, Answer, int]
