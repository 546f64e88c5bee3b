"""A real `lightboard` process over a folder, for tests that open its page."""

import pathlib
import signal
from collections.abc import Callable

from running import Running


class Board(Running):
    """Serves `logdir`; `port` 0 = any."""

    def __init__(self, logdir: pathlib.Path, *arguments: str, port: int = 0) -> None:
        super().__init__("--logdir", str(logdir), "--port", str(port), *arguments)

    def kill(self) -> None:
        """End it the hard way."""
        self.end(signal.SIGKILL)


Serving = Callable[..., Board]
"""The `serving` fixture: starts a board over a folder, with further flags and `port=`."""
