"""A real `lightboard` process over a folder, for tests that open its page."""

import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable

ADDRESS = re.compile(r"https?://\S+")


class Board:
    """Started at once; `url` is where it answers. Use as a context manager."""

    def __init__(self, logdir: pathlib.Path, *arguments: str, port: int = 0) -> None:
        command = [
            sys.executable,
            "-m",
            "lightboard",
            "--logdir",
            str(logdir),
            "--port",
            str(port),
            *arguments,
        ]
        env = {**os.environ, "PYTHONUNBUFFERED": "1"}
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, env=env)
        self.lines: list[str] = []
        self.url = self._address()
        # Nobody reads the rest; a full pipe would stop the server.
        self._reader = threading.Thread(target=self._drain, daemon=True)
        self._reader.start()

    def _address(self) -> str:
        assert self.process.stderr
        for line in self.process.stderr:
            self.lines.append(line)
            found = ADDRESS.search(line)
            if found:
                return found.group().rstrip("/") + "/"
        raise RuntimeError("the server ended before it said where: " + "".join(self.lines))

    def _drain(self) -> None:
        assert self.process.stderr
        for line in self.process.stderr:
            self.lines.append(line)

    @property
    def port(self) -> int:
        """The port it listens on."""
        return int(self.url.rstrip("/").rsplit(":", 1)[1])

    def kill(self) -> None:
        """End it the hard way."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def __enter__(self) -> "Board":
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        """Ctrl-C, or harder if that does not help."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.kill()
        self._reader.join()
        assert self.process.stderr
        self.process.stderr.close()


Serving = Callable[..., Board]
"""The `serving` fixture: starts a board over a folder, with further flags and `port=`."""
