"""Which names a hub answers to: links are made of them, so that a foreign one is refused wherever it listens."""

import contextlib
import socket

import pytest

from lightboard.config import HubSettings
from lightboard.hub.serve import allowed_hosts, listen

OWN = ["127.0.0.1:80", "localhost", "[::1]"]
OTHERS = ["192.0.2.7", "boards.example", "a--b.tb.example", "hub:8080", "evil.example"]


@pytest.mark.parametrize(
    ("wanted", "accepted"),
    [
        ({}, OWN),
        ({"host": "0.0.0.0"}, [*OWN, "192.0.2.7", socket.gethostname()]),
        ({"host": "0.0.0.0", "public_url": "https://boards.example"}, [*OWN, "192.0.2.7", "boards.example"]),
        ({"domain": "tb.example", "public_url": "https://boards.example"}, [*OWN, "boards.example", "a--b.tb.example"]),
        ({"host": "0.0.0.0", "allowed_hosts": ("hub",)}, [*OWN, "192.0.2.7", "hub:8080"]),
        ({"host": "0.0.0.0", "allowed_hosts": ("*",)}, [*OWN, *OTHERS]),
    ],
)
def test_names_that_a_hub_answers_to(wanted: dict, accepted: list[str]) -> None:
    """Its own, those it was told, and any address where it listens at all of them; no other, unlike a board."""
    settings = HubSettings(home="", port=0, **wanted)
    with contextlib.closing(listen(settings)) as listening:
        hosts = allowed_hosts(settings, listening)

    assert {host for host in {*OWN, *OTHERS, *accepted} if hosts.accepts(host)} == set(accepted)
