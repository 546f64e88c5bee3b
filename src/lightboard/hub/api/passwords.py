"""Password hashing with argon2id, in its own threads, and equally slow for unknown names.

Hashing takes a core and 64 MiB for a while. There are few threads for it and few requests may wait; others are
rejected. So a flood of logins cannot affect the rest of the hub.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from lightboard.errors import Invalid, TooMany
from lightboard.hub.resources.accounts import SHORTEST_PASSWORD

AT_ONCE = 2
MAX_WAITING = 16
"""Concurrent requests, including those that are being hashed."""
MAX_EACH = 4
"""Concurrent requests of one address."""

T = TypeVar("T")


class Hasher(Protocol):
    """Creates and verifies hashes. `verify` raises `argon2.exceptions.VerificationError` for a wrong password."""

    def hash(self, password: str) -> str:
        """The hash of a password."""
        ...

    def verify(self, hash: str, password: str) -> bool:
        """True if the password is right."""
        ...


class Passwords:
    """Must be used in the event loop. `client` is the address of the request. Tests pass a fast `hasher`.

    Methods raise TooMany at once if too many requests are waiting.
    """

    def __init__(self, hasher: Hasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher()
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="password")
        self._running: Counter[str] = Counter()
        self._decoy_hash = ""

    async def hash(self, password: str, *, client: str, name: str = "") -> str:
        """The hash of a new password. Raises Invalid if it is too weak."""
        check_password(password, name)
        return await self._call(client, lambda: self._hasher.hash(password))

    async def verify(self, password: str, password_hash: str, *, client: str) -> bool:
        """Whether a password matches a hash. "" matches nothing and takes as long."""
        return await self._call(client, lambda: self._verify(password, password_hash))

    def close(self) -> None:
        """Accepts no more work."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _verify(self, password: str, password_hash: str) -> bool:
        if not self._decoy_hash:  # created at the first check, so that timing reveals nothing
            self._decoy_hash = self._hasher.hash("nobody has this password")
        try:
            self._hasher.verify(password_hash or self._decoy_hash, password)
        except (VerificationError, InvalidHashError):
            return False
        return bool(password_hash)

    async def _call(self, client: str, work: Callable[[], T]) -> T:
        if self._running.total() >= MAX_WAITING or self._running[client] >= MAX_EACH:
            raise TooMany("too many passwords are being checked", hint="try again in a moment", retry_secs=1.0)
        self._running[client] += 1
        future = asyncio.get_running_loop().run_in_executor(self._threads, work)
        future.add_done_callback(lambda _: self._done(client))
        return await asyncio.shield(future)  # an abandoned request still occupies its thread

    def _done(self, client: str) -> None:
        self._running[client] -= 1
        if not self._running[client]:
            del self._running[client]


def check_password(password: str, name: str = "") -> None:
    """Raises Invalid if a password is too weak."""
    if len(password) < SHORTEST_PASSWORD:
        raise Invalid(f"the password is too short: {len(password)}", hint=f"{SHORTEST_PASSWORD} characters or more")
    if len(set(password)) < 4 or (name and name.lower() in (password.lower(), password.lower()[::-1])):
        raise Invalid("the password is too easy to guess", hint="use several words, or a password manager")
