"""Finds the proxy through which the browser of a notebook reaches boards.

A variable names it. Otherwise jupyter-server-proxy is one if it is installed: it forwards `proxy/PORT/` below Jupyter's
own URL, and removes that part of the path.
"""

import json
import os
import socket
from importlib.util import find_spec
from typing import Any, NamedTuple

from lightboard.asgi.hosts import AllowedHosts
from lightboard.config import PROXY_URLS

PORT = "%PORT%"
OTHER_LOOPBACK = "127.0.0.2"
CONNECT_SECS = 0.2
NOTED = {"base_url", "hostname", "port"}


class Proxy(NamedTuple):
    """`url` is a URL, or a path on the server of the page, in which PORT stands for the port of a board.

    `trusted`: boards have to accept the names by which browsers know that server.
    """

    url: str
    trusted: bool

    def page(self, port: int, prefix: str) -> str:
        """The URL of the page of a board with this path prefix."""
        return f"{self.url.replace(PORT, str(port)).rstrip('/')}{prefix}/"


def find_proxy() -> Proxy | None:
    """The proxy of this kernel; None if the browser reaches boards directly."""
    for name in PROXY_URLS:
        if url := os.environ.get(name):
            return Proxy(url, trusted=True)
    if find_spec("jupyter_server_proxy") is None:
        return None
    if prefix := os.environ.get("JUPYTERHUB_SERVICE_PREFIX"):
        return Proxy(f"{prefix}proxy/{PORT}/", trusted=True)
    server = running_server()
    if server is None:
        return None
    # A server at the root that only its own machine reaches stands behind no other proxy: it is known as localhost.
    local = server["base_url"] == "/" and only_loopback(server["hostname"], server["port"])
    return Proxy(f"{server['base_url']}proxy/{PORT}/", trusted=not local)


def only_loopback(hostname: str, port: int) -> bool:
    """Whether a server that notes this address listens on loopback addresses only."""
    if not AllowedHosts(()).accepts(hostname):
        return False
    try:
        # Jupyter also notes `localhost` if it listens on all addresses, which include this one.
        socket.create_connection((OTHER_LOOPBACK, port), CONNECT_SECS).close()
    except OSError:
        return True
    return False


def running_server() -> dict[str, Any] | None:
    """What the Jupyter server that started this kernel notes about itself; None if there is none, as in a terminal."""
    try:
        from jupyter_core.paths import jupyter_runtime_dir

        path = os.path.join(jupyter_runtime_dir(), f"jpserver-{int(os.environ['JPY_PARENT_PID'])}.json")
        with open(path, encoding="utf-8") as file:
            server: Any = json.load(file)
    except (ImportError, KeyError, ValueError, OSError):
        return None
    return server if isinstance(server, dict) and server.keys() >= NOTED else None
