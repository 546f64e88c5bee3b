"""Limits password guesses: a budget of attempts per address, spelling, account and device.

Attempts are counted before the password is checked. A spent budget refills slowly, so that a shared address or an
account under attack is slowed down but never locked. Each replica of a hub counts for itself.
"""

import ipaddress
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lightboard.errors import TooMany

MAX_KEPT = 100_000


@dataclass(frozen=True)
class Budget:
    """`burst` attempts at once, and one more every `every_secs` seconds."""

    kind: str
    burst: int
    every_secs: float


ADDRESS = Budget("address", 50, 5.0)
"""For all names that are tried from an address."""
SPELLING = Budget("spelling", 10, 30.0)
"""For a name as typed, whether or not the account exists, from all addresses."""
ACCOUNT = Budget("account", 20, 15.0)
"""For all spellings of an account, by name or email. Larger than SPELLING, so that an attack on one spelling leaves
attempts for the others.
"""
DEVICE = Budget("device", 10, 30.0)
"""For a browser in which the account was logged in before. Strangers cannot use it up."""

Charge = tuple[Budget, str]


class LoginThrottle:
    """Methods may be called from any thread. `clock` gives seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._full_at: OrderedDict[tuple[str, str], float] = OrderedDict()
        self._lock = threading.Lock()

    def spend(self, *charges: Charge) -> None:
        """Takes one attempt from each budget, or none. Raises TooMany with the time until the next attempt."""
        if wait := self._spend(charges):
            raise TooMany("too many attempts to log in", hint="wait a moment, then try again", retry_secs=wait)

    def try_spend(self, charge: Charge) -> bool:
        """Takes one attempt, and returns False instead of raising."""
        return not self._spend([charge])

    def refund(self, *charges: Charge) -> None:
        """Returns the attempts of a successful login."""
        with self._lock:
            for budget, key in charges:
                if (budget.kind, key) in self._full_at:
                    self._full_at[budget.kind, key] -= budget.every_secs

    def _spend(self, charges: Sequence[Charge]) -> float:
        now = self._clock()
        with self._lock:
            wait = max(self._wait(charge, now) for charge in charges)
            if not wait:
                for budget, key in charges:
                    kept = (budget.kind, key)
                    self._full_at[kept] = max(self._full_at.get(kept, now), now) + budget.every_secs
                    self._full_at.move_to_end(kept)
                self._forget(now)
        return wait

    def _wait(self, charge: Charge, now: float) -> float:
        budget, key = charge
        owed = self._full_at.get((budget.kind, key), now) - now
        return max(0.0, owed - (budget.burst - 1) * budget.every_secs)

    def _forget(self, now: float) -> None:
        """Drops full budgets, oldest first, and the oldest if there are too many."""
        while self._full_at:
            oldest = next(iter(self._full_at))
            if self._full_at[oldest] > now and len(self._full_at) <= MAX_KEPT:
                return
            del self._full_at[oldest]


def client_of(address: str) -> str:
    """The key of an address: for IPv6 its /64 network, which is what one customer has."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address[:64]
    if parsed.version == 4:
        return str(parsed)
    return str(parsed.ipv4_mapped or ipaddress.ip_network((parsed, 64), strict=False))
