"""Disks that hang until told otherwise."""

import threading
from contextlib import suppress

from lightboard.errors import LaunchError
from lightboard.hub.real_paths import EACH_DISK, RealPaths


class HangingDisks:
    """Paths below `dead` hang until `back` is set; `asked` lists all resolved paths."""

    def __init__(self, *dead: str) -> None:
        self.dead = dead
        self.back = threading.Event()
        self.asked: list[str] = []
        self._hanging = threading.Semaphore(0)

    def resolve(self, path: str) -> str:
        """Like `os.path.realpath` without links."""
        self.asked.append(path)
        if path.startswith(self.dead):
            self._hanging.release()
            self.back.wait()
        return path

    def block_threads(self, real: RealPaths, path: str, requesters: int = EACH_DISK) -> None:
        """Start threads that resolve a path and hang."""

        def ask() -> None:
            with suppress(LaunchError):
                real.of(path)

        for _ in range(requesters):
            threading.Thread(target=ask, daemon=True).start()
            self._hanging.acquire()
