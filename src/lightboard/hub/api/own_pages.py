"""Whether a WebSocket was opened by a page of the hub itself, or by a program.

Other changes need a token that only such pages know. Browsers send none of it with a WebSocket, but tell the origin.
"""

from starlette.requests import HTTPConnection

from lightboard.config import HubSettings
from lightboard.hub.api.urls import is_https

DEFAULT_PORTS = {"http": ":80", "https": ":443"}


def is_own_page(settings: HubSettings, connection: HTTPConnection) -> bool:
    """Whether a WebSocket is opened by a page of the same origin, or by a program, which sends no origin.

    Host names alone say too little: cookies are sent to all ports of a host, where others may have servers. Without a
    public URL, the scheme is not compared: a proxy may add TLS that the hub does not know of.
    """
    origin = connection.headers.get("origin")
    if origin is None:
        return True
    schemes = ["http", "https"]
    if settings.public_url:
        schemes = ["https" if is_https(settings, connection) else "http"]
    host = connection.headers.get("host", "").lower()
    return without_port(origin.lower()) in [without_port(f"{scheme}://{host}") for scheme in schemes]


def without_port(origin: str) -> str:
    """An origin without the port that its scheme has anyway."""
    return origin.removesuffix(DEFAULT_PORTS.get(origin.partition(":")[0], ""))
