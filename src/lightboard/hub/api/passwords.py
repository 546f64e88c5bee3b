"""Passwords: argon2id with the library's own cost, in threads of their own, and as slow for names that nobody has.

Hashing takes a core and 64 MiB for a while. So there are few threads for it, few requests may wait for one, and who
comes then is told to come again: whatever strangers send, everything else on the hub goes on.
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
MOST_WAITING = 16
"""Requests under way, those that are being hashed included."""
MOST_EACH = 4
"""Of these, requests from one address."""

T = TypeVar("T")


class Hasher(Protocol):
    """What makes and checks hashes; `verify` raises `argon2.exceptions.VerificationError`."""

    def hash(self, password: str) -> str:
        """The hash of a password."""
        ...

    def verify(self, hash: str, password: str) -> bool:
        """True for the right password."""
        ...


class Passwords:
    """Called in the event loop. `client` is the address that asks. `hasher` is for tests, which have no time.

    Raises TooMany where too many wait already, at once.
    """

    def __init__(self, hasher: Hasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher()
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="password")
        self._under_way: Counter[str] = Counter()
        self._nobody = ""

    async def hashed(self, password: str, *, client: str, name: str = "") -> str:
        """The hash of a new password. Raises Invalid for one that is too easily guessed."""
        check_password(password, name)
        return await self._call(client, lambda: self._hasher.hash(password))

    async def right(self, password: str, kept: str, *, client: str) -> bool:
        """Whether `password` belongs to the hash `kept`; "" is nobody's, and takes as long to say."""
        return await self._call(client, lambda: self._right(password, kept))

    def close(self) -> None:
        """Takes no more work."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _right(self, password: str, kept: str) -> bool:
        if not self._nobody:  # whoever comes first pays for it, not the first who has no account
            self._nobody = self._hasher.hash("nobody has this password")
        try:
            self._hasher.verify(kept or self._nobody, password)
        except (VerificationError, InvalidHashError):
            return False
        return bool(kept)

    async def _call(self, client: str, work: Callable[[], T]) -> T:
        if self._under_way.total() >= MOST_WAITING or self._under_way[client] >= MOST_EACH:
            raise TooMany("too many passwords are being checked", hint="try again in a moment", retry_secs=1.0)
        self._under_way[client] += 1
        job = asyncio.get_running_loop().run_in_executor(self._threads, work)
        job.add_done_callback(lambda _: self._done(client))
        return await asyncio.shield(job)  # a request that is given up has not ended what it began

    def _done(self, client: str) -> None:
        self._under_way[client] -= 1
        if not self._under_way[client]:
            del self._under_way[client]


def check_password(password: str, name: str = "") -> None:
    """Raises Invalid for one that is too easily guessed."""
    if len(password) < SHORTEST_PASSWORD:
        raise Invalid(f"the password is too short: {len(password)}", hint=f"{SHORTEST_PASSWORD} characters or more")
    if len(set(password)) < 4 or (name and name.lower() in (password.lower(), password.lower()[::-1])):
        raise Invalid("the password is too easily guessed", hint="take several words, or let a manager make one")
