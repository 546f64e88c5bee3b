"""A real `lightboard` process, for tests of starting, stopping and streaming."""

import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
from http.client import HTTPConnection, HTTPResponse
from typing import Any

ADDRESS = re.compile(r"Lightboard \S+ at http://([^:/]+|\[[^\]]+\]):(\d+)(\S*)/ \(Ctrl\+C to quit\)")
PATIENCE_SECS = 30


def heed_signals() -> None:
    """Undo what nohup or a background shell passes on to its children: ignored signals."""
    for each in (signal.SIGINT, signal.SIGHUP):
        signal.signal(each, signal.SIG_DFL)


class Running:
    """Started at once; `lines` is what it said up to its address. Use as a context manager."""

    def __init__(self, *words: str, folder: pathlib.Path | None = None) -> None:
        environment = {**os.environ, "TMPDIR": str(folder or tempfile.gettempdir())}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "lightboard", *words],
            stderr=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
            preexec_fn=heed_signals,
        )
        self.lines: list[str] = []
        self.port = 0
        self._connections: list[HTTPConnection] = []
        assert self.process.stderr
        for line in self.process.stderr:
            self.lines.append(line.rstrip("\n"))
            if found := ADDRESS.fullmatch(self.lines[-1]):
                self.port = int(found[2])
                break

    def open(self, url: str) -> HTTPResponse:
        """An answer on a connection of its own, unread; closed with the board."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_SECS)
        self._connections.append(connection)
        connection.request("GET", url)
        return connection.getresponse()

    def json(self, url: str) -> Any:
        """A whole JSON answer."""
        return json.loads(self.open(url).read())

    def connect(self) -> socket.socket:
        """A bare connection."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE_SECS)

    def end(self, how: signal.Signals) -> tuple[int, str]:
        """Sends a signal and waits: the exit code, and what was said after the address."""
        self.process.send_signal(how)
        _, said = self.process.communicate(timeout=PATIENCE_SECS)
        return self.process.returncode, said

    def __enter__(self) -> "Running":
        return self

    def __exit__(self, *_: object) -> None:
        for connection in self._connections:
            connection.close()
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()
