"""A TCP proxy in front of PostgreSQL that tests can cut."""

import contextlib
import pathlib
import socket
import threading
from collections.abc import Callable
from typing import Self

from sqlalchemy import URL, make_url


class TcpProxy:
    """Forwards a port of loopback to the server of `address` while it is open; `address` through it is `through`.

    Cut, it refuses connections and resets those that were there; by itself, once, when a client sends `cut_at`. Use
    as a context manager.
    """

    def __init__(self, address: str) -> None:
        self.cut_at = b""
        self._server = make_url(address)
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = int(free.getsockname()[1])
        self._listening: socket.socket | None = None
        self._pairs: list[socket.socket] = []
        self._lock = threading.Lock()

    @property
    def proxy_address(self) -> str:
        """The database URL through the proxy."""
        told = URL.create(
            "postgresql",
            self._server.username,
            self._server.password,
            "127.0.0.1",
            self.port,
            self._server.database,
        )
        return told.render_as_string(hide_password=False)

    def open(self) -> None:
        """Accept connections."""
        self._listening = socket.create_server(("127.0.0.1", self.port))
        threading.Thread(target=self._accept, args=(self._listening,), daemon=True).start()

    def cut(self) -> None:
        """Refuse and reset all connections."""
        with self._lock:
            if self._listening is not None:
                shut(self._listening)
            for each in self._pairs:
                shut(each)
            self._listening, self._pairs = None, []

    def _accept(self, listening: socket.socket) -> None:
        while True:
            try:
                client, _ = listening.accept()
            except OSError:
                return
            server = self._connect()
            with self._lock:
                if self._listening is not listening:  # cut meanwhile
                    shut(client)
                    shut(server)
                    return
                self._pairs += [client, server]
            for source, sink, passes in ((client, server, self._may_pass), (server, client, anything)):
                threading.Thread(target=pump, args=(source, sink, passes), daemon=True).start()

    def _may_pass(self, data: bytes) -> bool:
        if not self.cut_at or self.cut_at not in data:
            return True
        self.cut_at = b""
        self.cut()
        return False

    def _connect(self) -> socket.socket:
        folder = self._server.query.get("host", "")
        if isinstance(folder, str) and folder.startswith("/"):
            there = socket.socket(socket.AF_UNIX)
            there.connect(str(next(pathlib.Path(folder).glob(".s.PGSQL.*[0-9]"))))
            return there
        return socket.create_connection((self._server.host or "127.0.0.1", self._server.port or 5432))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.cut()


def anything(_data: bytes) -> bool:
    """Lets all data pass."""
    return True


def pump(source: socket.socket, sink: socket.socket, passes: Callable[[bytes], bool]) -> None:
    """Passes on all that comes, as long as it may; at its end both are closed."""
    with contextlib.suppress(OSError):
        while (data := source.recv(65536)) and passes(data):
            sink.sendall(data)
    for each in (source, sink):
        shut(each)


def shut(one: socket.socket) -> None:
    """Closes it, also under a thread that waits at it."""
    with contextlib.suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
    one.close()
