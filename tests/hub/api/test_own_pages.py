"""Which pages may open WebSockets of the hub."""

import pytest
from starlette.requests import HTTPConnection

from lightboard.config import HubSettings
from lightboard.hub.api.own_pages import is_own_page


def connection(host: str, origin: str | None) -> HTTPConnection:
    """A WebSocket to a host, from a page of an origin, or from a program."""
    named = {"host": host, **({} if origin is None else {"origin": origin})}
    headers = [(name.encode(), value.encode()) for name, value in named.items()]
    return HTTPConnection({"type": "websocket", "scheme": "ws", "path": "/", "headers": headers})


@pytest.mark.parametrize(
    ("origin", "own"),
    [
        (None, True),
        ("https://hub.example.org", True),
        ("https://HUB.example.org:443", True),
        ("http://hub.example.org", False),
        ("https://hub.example.org:8888", False),
        ("https://hub.example.org.evil.example", False),
        ("https://a.hub.example.org", False),
        ("null", False),
        ("", False),
    ],
)
def test_pages_of_another_port_or_scheme_are_not_of_the_hub(origin: str | None, own: bool) -> None:
    """Cookies do not tell them apart."""
    settings = HubSettings(home="/", public_url="https://hub.example.org")

    assert is_own_page(settings, connection("hub.example.org", origin)) == own


@pytest.mark.parametrize(
    ("origin", "own"),
    [("http://127.0.0.1:6010", True), ("https://127.0.0.1:6010", True), ("http://127.0.0.1:1", False), ("null", False)],
)
def test_without_a_public_url_host_and_port_are_compared(origin: str, own: bool) -> None:
    """A proxy may add TLS that the hub does not know of."""
    assert is_own_page(HubSettings(home="/"), connection("127.0.0.1:6010", origin)) == own
