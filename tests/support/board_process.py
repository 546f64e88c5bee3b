"""A real `lightboard` process."""

import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator
from http.client import HTTPConnection, HTTPResponse
from typing import Any, Self

from support.fork_server import LightboardPopen

ADDRESS = re.compile(r"Lightboard \S+ at http://([^:/]+|\[[^\]]+\]):(\d+)(\S*)/ \(Ctrl\+C to quit\)")
TIMEOUT_SECS = 60


class LightboardProcess:
    """Started at once. A context manager.

    `lines` is its output up to the URL, if there is one; `folder` is its folder for temporary files, `cwd` the one in
    which it is started, and `program` an executable that stands for it.
    """

    def __init__(
        self,
        *words: str,
        folder: pathlib.Path | None = None,
        cwd: pathlib.Path | None = None,
        program: pathlib.Path | None = None,
    ) -> None:
        pipes: dict[str, Any] = {"stderr": subprocess.PIPE, "stdout": subprocess.DEVNULL}
        env = {**os.environ, "TMPDIR": str(folder or tempfile.gettempdir())}
        self.process: subprocess.Popen[str] = (
            LightboardPopen(words, env=env, cwd=cwd, **pipes)
            if program is None
            else subprocess.Popen([program, *words], env=env, cwd=cwd, text=True, **pipes)
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
        overdue = threading.Timer(TIMEOUT_SECS, self.process.kill)
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
        """The match of the line with host, port and prefix."""
        if self._address is None:
            raise RuntimeError("no address was announced:\n" + "\n".join(self.lines))
        return self._address

    @property
    def port(self) -> int:
        """The port it listens on."""
        return int(self.address[2])

    @property
    def url(self) -> str:
        """The URL of its page, with a trailing slash."""
        return "http://{}:{}{}/".format(*self.address.groups())

    def open(self, url: str) -> HTTPResponse:
        """An unread response on a connection of its own, closed with the process."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT_SECS)
        self._connections.append(connection)
        connection.request("GET", url)
        return connection.getresponse()

    def json(self, url: str) -> Any:
        """A whole JSON response."""
        return json.loads(self.open(url).read())

    def connect(self) -> socket.socket:
        """A plain TCP connection."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=TIMEOUT_SECS)

    def end(self, how: signal.Signals) -> tuple[int, str]:
        """Send a signal and wait: the exit code, and the output after the URL."""
        self.process.send_signal(how)
        code = self.process.wait(TIMEOUT_SECS)
        self._reader.join(TIMEOUT_SECS)
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


class BoardProcess(LightboardProcess):
    """A board over `logdir`; port 0 means any."""

    def __init__(self, logdir: pathlib.Path, *arguments: str, port: int = 0) -> None:
        super().__init__("--logdir", str(logdir), "--port", str(port), *arguments)

    def kill(self) -> None:
        """Send SIGKILL."""
        self.end(signal.SIGKILL)


BoardStarter = Callable[..., BoardProcess]
"""The `serving` fixture: starts a board over a folder, with further flags and `port=`."""


def serve_logs(folder: pathlib.Path, write: Callable[[pathlib.Path], None]) -> Iterator[BoardProcess]:
    """Write logs and serve them, completely read: cards move while tags are still being found."""
    write(folder)
    with BoardProcess(folder, "--reload_task", "blocking") as board:
        yield board
