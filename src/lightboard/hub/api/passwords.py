"""Passwords: argon2id with the library's own cost, a few at a time, and as slow for names that nobody has."""

import threading

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from lightboard.errors import Invalid
from lightboard.hub.resources.accounts import SHORTEST_PASSWORD

AT_ONCE = 2
"""Each hash takes 64 MiB while it is made."""


class Passwords:
    """Makes and checks hashes. `hasher` is for tests, which have no time."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher()
        self._turn = threading.Semaphore(AT_ONCE)
        self._nobody = ""

    def hashed(self, password: str, *, name: str = "") -> str:
        """The hash of a new password. Raises Invalid for one that is too easily guessed."""
        if len(password) < SHORTEST_PASSWORD:
            raise Invalid(f"the password is too short: {len(password)}", hint=f"{SHORTEST_PASSWORD} characters or more")
        if len(set(password)) < 4 or (name and name.lower() in (password.lower(), password.lower()[::-1])):
            raise Invalid("the password is too easily guessed", hint="take several words, or let a manager make one")
        with self._turn:
            return self._hasher.hash(password)

    def right(self, password: str, kept: str) -> bool:
        """Whether `password` belongs to the hash `kept`; "" is nobody's, and takes as long to say."""
        against = kept or self._of_nobody()
        with self._turn:
            try:
                self._hasher.verify(against, password)
            except (VerificationError, InvalidHashError):
                return False
        return bool(kept)

    def _of_nobody(self) -> str:
        if not self._nobody:
            with self._turn:
                self._nobody = self._hasher.hash("nobody has this password")
        return self._nobody
