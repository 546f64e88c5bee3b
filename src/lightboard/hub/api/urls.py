"""Public URLs of the hub, its boards and servers in jobs, and redirects that stay on the hub."""

from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from lightboard.config import HubSettings
from lightboard.hub.resources.jobs import JobKind, server_path
from lightboard.hub.resources.tensorboards import Tensorboard

DEFAULT_PORTS = {"http": 80, "https": 443}
"""Of schemes, which links leave out."""


def base_url(settings: HubSettings, request: HTTPConnection) -> str:
    """The base URL of the hub without a trailing slash: from the settings, else from the request."""
    if settings.public_url:
        return settings.public_url
    return f"{request.url.scheme}://{request.headers.get('host', '')}{settings.path_prefix}"


def is_https(settings: HubSettings, request: HTTPConnection) -> bool:
    """Whether the hub is reached over HTTPS, so that cookies are marked secure."""
    return base_url(settings, request).startswith("https://")


def board_url(settings: HubSettings, request: HTTPConnection, board: Tensorboard, owner: str) -> str:
    """The public URL of a board. `owner` is the name of its owner, which is part of subdomains."""
    base = base_url(settings, request)
    if settings.domain:
        return host_url(base, f"{board.name}--{owner}.{settings.domain}")
    return f"{base}/tb/{board.id}/"


def server_url(settings: HubSettings, request: HTTPConnection, kind: JobKind, id: str) -> str:
    """The public URL of a server in a job. With subdomains, its page cannot use the login at the console."""
    base = base_url(settings, request)
    if settings.domain:
        return host_url(base, f"{id}.{settings.domain}")
    return base + server_path(kind, id)


def host_url(base: str, host: str) -> str:
    """The URL of a host of the hub, with the scheme and the port of the URL `base`."""
    parts = urlsplit(base)
    port = "" if parts.port in (None, DEFAULT_PORTS.get(parts.scheme)) else f":{parts.port}"
    return f"{parts.scheme}://{host}{port}/"


def local_path(text: str, prefix: str) -> str:
    """`text` as a path of the hub without its `prefix`, or "/" if it would lead to another site."""
    text = text.removeprefix(prefix) if text.startswith(f"{prefix}/") else text
    if not text.startswith("/") or text.startswith("//") or "\\" in text or not text.isprintable():
        return "/"
    parts = urlsplit(text)
    return "/" if parts.scheme or parts.netloc else text
