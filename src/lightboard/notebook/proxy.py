"""Finds the proxy through which the browser of a notebook reaches boards.

A variable names it. Otherwise jupyter-server-proxy is one if it is installed: it forwards `proxy/PORT/` below Jupyter's
own URL, and removes that part of the path.
"""

import json
import os
from importlib.util import find_spec
from typing import Any, NamedTuple

from lightboard.asgi.hosts import AllowedHosts
from lightboard.config import PROXY_URLS

PORT = "%PORT%"


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
    local = AllowedHosts(()).accepts(server["hostname"]) and server["base_url"] == "/"
    return Proxy(f"{server['base_url']}proxy/{PORT}/", trusted=not local)


def running_server() -> dict[str, Any] | None:
    """What the Jupyter server that started this kernel notes about itself; None if there is none, as in a terminal."""
    try:
        from jupyter_core.paths import jupyter_runtime_dir

        path = os.path.join(jupyter_runtime_dir(), f"jpserver-{int(os.environ['JPY_PARENT_PID'])}.json")
        with open(path, encoding="utf-8") as file:
            server: dict[str, Any] = json.load(file)
    except (ImportError, KeyError, ValueError, OSError):
        return None
    return server if "hostname" in server and "base_url" in server else None
