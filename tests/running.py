"""A real `lightboard` process, for every test that needs one."""

import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from http.client import HTTPConnection, HTTPResponse
from typing import Any, Self

ADDRESS = re.compile(r"Lightboard \S+ at http://([^:/]+|\[[^\]]+\]):(\d+)(\S*)/ \(Ctrl\+C to quit\)")
PATIENCE_SECS = 60


def heed_signals() -> None:
    """Undo what nohup or a background shell passes on to its children: ignored signals."""
    for each in (signal.SIGINT, signal.SIGHUP):
        signal.signal(each, signal.SIG_DFL)


class Running:
    """Started at once; `lines` is what it said up to its address, if it came to tell one. Use as a context manager.

    `folder` is where it puts temporary files.
    """

    def __init__(self, *words: str, folder: pathlib.Path | None = None) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "lightboard", *words],
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "TMPDIR": str(folder or tempfile.gettempdir())},
            preexec_fn=heed_signals,
        )
        self.lines: list[str] = []
        self._said: list[str] = []
        self._address = self._announced()
        self._connections: list[HTTPConnection] = []
        # Nobody may read the rest; a full pipe would stop the server.
        self._reader = threading.Thread(target=self._drain, daemon=True)
        self._reader.start()

    def _announced(self) -> re.Match[str] | None:
        assert self.process.stderr
        overdue = threading.Timer(PATIENCE_SECS, self.process.kill)
        overdue.start()
        try:
            for line in self.process.stderr:
                self.lines.append(line.rstrip("\n"))
                if found := ADDRESS.fullmatch(self.lines[-1]):
                    return found
        finally:
            overdue.cancel()
        return None

    def _drain(self) -> None:
        assert self.process.stderr
        self._said.extend(self.process.stderr)

    @property
    def address(self) -> re.Match[str]:
        """The line that tells where it is: host, port, prefix."""
        if self._address is None:
            raise RuntimeError("no address was announced:\n" + "\n".join(self.lines))
        return self._address

    @property
    def port(self) -> int:
        """The port it listens on."""
        return int(self.address[2])

    @property
    def url(self) -> str:
        """Where its page is, with a slash at the end."""
        return "http://{}:{}{}/".format(*self.address.groups())

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
        code = self.process.wait(PATIENCE_SECS)
        self._reader.join(PATIENCE_SECS)
        return code, "".join(self._said)

    def close(self) -> None:
        """Ends it the hard way, if it has not ended, and all that belongs to it."""
        for connection in self._connections:
            connection.close()
        self.process.kill()
        self.process.wait()
        self._reader.join()
        assert self.process.stderr
        self.process.stderr.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
