"""What the hub has signed and gives out: share links, cookies of one board, the way back from an outside login.

A ticket says what it is for (its `purpose` is part of the signature), what it holds, and until when. It is no secret
store: whoever has it can read it. Whether what it names still stands is asked of the database each time.
"""

import hashlib
import hmac
from collections.abc import Callable
from typing import Any

from itsdangerous import BadData, URLSafeSerializer

LONGEST = 4096
"""A longer text is no ticket of ours."""


class TokenSigner:
    """Signs with the hub's key; `clock` gives seconds since the epoch."""

    def __init__(self, key: bytes, clock: Callable[[], float]) -> None:
        self._key = key
        self._clock = clock

    def issue(self, purpose: str, holds: dict[str, Any], until: float) -> str:
        """A ticket of letters, digits, `-`, `_` and `.`, good until `until` (seconds since the epoch)."""
        return str(self._serializer(purpose).dumps({**holds, "until": until}))

    def read(self, purpose: str, ticket: str) -> dict[str, Any] | None:
        """What a ticket of this purpose holds; None if it is not ours, for something else, or its time is over."""
        if not ticket or len(ticket) > LONGEST:
            return None
        serializer = self._serializer(purpose)
        try:
            held = serializer.loads(ticket)
        except BadData:
            return None
        # The last letter of a signature has bits that mean nothing: there is one spelling of a ticket all the same.
        if not constant_time_equals(str(serializer.dumps(held)), ticket):
            return None
        if (
            not isinstance(held, dict)
            or not isinstance(held.get("until"), int | float)
            or held["until"] <= self._clock()
        ):
            return None
        return held

    def code(self, purpose: str, text: str) -> str:
        """A short text that only the holder of the key can make from `text`: 43 characters."""
        return hmac.new(self._key, f"{purpose}\0{text}".encode(), hashlib.sha256).hexdigest()[:43]

    def _serializer(self, purpose: str) -> URLSafeSerializer:
        return URLSafeSerializer(
            self._key,
            salt=f"lightboard.{purpose}",
            signer_kwargs={"key_derivation": "hmac", "digest_method": hashlib.sha256},
        )


def constant_time_equals(one: str, other: str) -> bool:
    """Whether two secrets are equal, in a time that says nothing about where they differ."""
    return hmac.compare_digest(one.encode(), other.encode())


def digest_of(secret: str) -> str:
    """What is kept of a long random secret."""
    return hashlib.sha256(secret.encode()).hexdigest()
