"""A fast password hasher for tests, which counts its calls and can be blocked."""

import hashlib
import threading

from argon2.exceptions import VerifyMismatchError


class CountingHasher:
    """`hashes` and `checks` count the calls. While `gate` is cleared, calls block."""

    def __init__(self) -> None:
        self.hashes = 0
        self.checks = 0
        self.gate = threading.Event()
        self.gate.set()
        self._lock = threading.Lock()

    def hash(self, password: str) -> str:
        """The hash of a password: a plain digest, which is not secure."""
        with self._lock:
            self.hashes += 1
        self.gate.wait()
        return self._digest(password)

    def verify(self, hash: str, password: str) -> bool:
        """True for the right password. Raises VerifyMismatchError for any other."""
        with self._lock:
            self.checks += 1
        self.gate.wait()
        if hash != self._digest(password):
            raise VerifyMismatchError
        return True

    def _digest(self, password: str) -> str:
        return f"digest {hashlib.sha256(password.encode()).hexdigest()}"
