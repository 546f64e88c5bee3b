"""Disks of which some do not answer."""

import threading
from contextlib import suppress

from lightboard.errors import LaunchError
from lightboard.hub.real_paths import EACH_DISK, RealPaths


class Disks:
    """What lies below `dead` answers only when `back` is set; `asked` is every path that was asked for."""

    def __init__(self, *dead: str) -> None:
        self.dead = dead
        self.back = threading.Event()
        self.asked: list[str] = []
        self._hanging = threading.Semaphore(0)

    def follow(self, path: str) -> str:
        """As `os.path.realpath` where there are no links."""
        self.asked.append(path)
        if path.startswith(self.dead):
            self._hanging.release()
            self.back.wait()
        return path

    def hang(self, real: RealPaths, path: str, askers: int = EACH_DISK) -> None:
        """So many wait for a path, and go on waiting."""

        def ask() -> None:
            with suppress(LaunchError):
                real.of(path)

        for _ in range(askers):
            threading.Thread(target=ask, daemon=True).start()
            self._hanging.acquire()
