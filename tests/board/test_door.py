"""Which names a board answers to, by where it listens and what stands before it."""

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
def test_on_loopback_names_are_checked(settings: dict[str, Any]) -> None:
    """A page elsewhere can make its name lead here (DNS rebinding)."""
    assert answered(**settings) == [False, False, False]


@pytest.mark.parametrize("settings", [{"bind_all": True}, {"host": "0.0.0.0"}])
def test_who_listens_for_others_has_opened_the_door(settings: dict[str, Any]) -> None:
    """As with Jupyter; containers and proxies use names that nobody told us."""
    assert answered(**settings) == [True, True, True]


@pytest.mark.parametrize("settings", [{"bind_all": True}, {"host": "127.0.0.1"}, {"proxy_hosts": ("*",)}])
def test_names_that_are_given_narrow_it(settings: dict[str, Any]) -> None:
    """Whatever opened it."""
    assert answered(allowed_hosts=("board.example.com",), **settings) == [False, True, False]


def test_an_announced_proxy_is_trusted() -> None:
    """By its name, or by any where it has none."""
    assert answered(proxy_hosts=("board.example.com",)) == [False, True, False]
    assert answered(proxy_hosts=("*",)) == [True, True, True]
    assert answered(proxy_hosts=("evil.com",), allowed_hosts=("tensorboard",)) == [True, False, True]
