"""Host names that a board accepts, by listening address and proxy."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from lightboard.asgi.hosts import AllowedHosts
from lightboard.board.ports import listen
from lightboard.board.serve import allowed_hosts
from lightboard.config import BoardSettings

FOREIGN = ("tensorboard:6006", "board.example.com", "evil.com")


@contextmanager
def door(**settings: Any) -> Iterator[AllowedHosts]:
    """The names of a board with these settings, on a port of its own."""
    asked = BoardSettings(port=0, **settings)
    listening = listen(asked)
    try:
        yield allowed_hosts(asked, listening)
    finally:
        listening.close()


def answered(**settings: Any) -> list[bool]:
    """Which of FOREIGN are answered."""
    with door(**settings) as hosts:
        assert hosts.accepts("localhost:6006")
        return [hosts.accepts(name) for name in FOREIGN]


@pytest.mark.parametrize("settings", [{}, {"host": "localhost"}, {"host": "127.0.0.1"}, {"host": "127.0.0.2"}])
def test_loopback_checks_host_names(settings: dict[str, Any]) -> None:
    """Against DNS rebinding."""
    assert answered(**settings) == [False, False, False]


@pytest.mark.parametrize("settings", [{"bind_all": True}, {"host": "0.0.0.0"}])
def test_other_interfaces_allow_all_names(settings: dict[str, Any]) -> None:
    """As in Jupyter: containers and proxies use unknown names."""
    assert answered(**settings) == [True, True, True]


@pytest.mark.parametrize("settings", [{"bind_all": True}, {"host": "127.0.0.1"}, {"proxy_hosts": ("*",)}])
def test_configured_names_restrict_hosts(settings: dict[str, Any]) -> None:
    """On any interface."""
    assert answered(allowed_hosts=("board.example.com",), **settings) == [False, True, False]


def test_announced_proxies_are_trusted() -> None:
    """By name, or any name if it has none."""
    assert answered(proxy_hosts=("board.example.com",)) == [False, True, False]
    assert answered(proxy_hosts=("*",)) == [True, True, True]
    assert answered(proxy_hosts=("evil.com",), allowed_hosts=("tensorboard",)) == [True, False, True]
