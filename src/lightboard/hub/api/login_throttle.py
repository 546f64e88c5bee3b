"""How fast somebody may guess a password: a budget of attempts each for an address, a spelling, an account, a device.

Attempts are counted before a password is looked at. A budget that is spent comes back a little at a time, so that a
shared address or an account under attack is slowed and never locked. Counts live in this process: each replica of a
hub counts for itself.
"""

import ipaddress
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lightboard.errors import TooMany

MOST_KEPT = 100_000


@dataclass(frozen=True)
class Budget:
    """`burst` attempts at once, and one more every `every_secs` seconds."""

    kind: str
    burst: int
    every_secs: float


ADDRESS = Budget("address", 50, 5.0)
"""Whatever names somebody tries from there."""
SPELLING = Budget("spelling", 10, 30.0)
"""A name as it was typed, whether or not there is such an account, wherever it is tried from."""
ACCOUNT = Budget("account", 20, 15.0)
"""However it is spelled, by name or email. Larger than SPELLING, so that an attack by one leaves room for the other."""
DEVICE = Budget("device", 10, 30.0)
"""A browser in which the account has logged in before: strangers use up nothing of it."""

Charge = tuple[Budget, str]


class LoginThrottle:
    """Safe to ask from any thread. `clock` gives seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._full_at: OrderedDict[tuple[str, str], float] = OrderedDict()
        self._lock = threading.Lock()

    def spend(self, *charges: Charge) -> None:
        """Takes one attempt from each budget, or nothing. Raises TooMany, with the time until one is there again."""
        if wait := self._spend(charges):
            raise TooMany("too many attempts to log in", hint="wait a moment, then try again", retry_secs=wait)

    def try_spend(self, charge: Charge) -> bool:
        """The same for one, without an error."""
        return not self._spend([charge])

    def refund(self, *charges: Charge) -> None:
        """Gives attempts back: they were right."""
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
        """Drops budgets that are whole again, oldest first, and the oldest where there are too many."""
        while self._full_at:
            oldest = next(iter(self._full_at))
            if self._full_at[oldest] > now and len(self._full_at) <= MOST_KEPT:
                return
            del self._full_at[oldest]


def client_of(address: str) -> str:
    """What counts as one address: of IPv6 the network that one customer has, a /64."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address[:64]
    if parsed.version == 4:
        return str(parsed)
    return str(parsed.ipv4_mapped or ipaddress.ip_network((parsed, 64), strict=False))
