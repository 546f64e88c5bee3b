"""Signed tokens: share links, cookies for one board, and the state of an external login.

The `purpose` of a token is part of its signature. Its payload is signed but not encrypted, and it has an expiry time.
Whether the things it names still exist has to be checked in the database each time.
"""

import hashlib
import hmac
from collections.abc import Callable
from typing import Any

from itsdangerous import BadData, URLSafeSerializer

LONGEST = 4096
"""Longer texts are rejected unread."""


class TokenSigner:
    """Signs and verifies with the hub's key. `clock` gives seconds since the epoch."""

    def __init__(self, key: bytes, clock: Callable[[], float]) -> None:
        self._key = key
        self._clock = clock

    def issue(self, purpose: str, holds: dict[str, Any], until: float) -> str:
        """A token of letters, digits, `-`, `_` and `.`, valid until `until` (seconds since the epoch)."""
        return str(self._serializer(purpose).dumps({**holds, "until": until}))

    def read(self, purpose: str, ticket: str) -> dict[str, Any] | None:
        """The payload of a token; None if it is forged, expired, or for another purpose."""
        if not ticket or len(ticket) > LONGEST:
            return None
        serializer = self._serializer(purpose)
        try:
            held = serializer.loads(ticket)
        except BadData:
            return None
        # The last character of a base64 signature has unused bits: accept only the canonical spelling.
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
        """A keyed hash of `text`, 43 characters long."""
        return hmac.new(self._key, f"{purpose}\0{text}".encode(), hashlib.sha256).hexdigest()[:43]

    def _serializer(self, purpose: str) -> URLSafeSerializer:
        return URLSafeSerializer(
            self._key,
            salt=f"lightboard.{purpose}",
            signer_kwargs={"key_derivation": "hmac", "digest_method": hashlib.sha256},
        )


def constant_time_equals(one: str, other: str) -> bool:
    """Compares two secrets in constant time."""
    return hmac.compare_digest(one.encode(), other.encode())


def digest_of(secret: str) -> str:
    """The digest under which a long random secret is stored."""
    return hashlib.sha256(secret.encode()).hexdigest()
