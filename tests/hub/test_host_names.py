"""Host names that a hub accepts; links are built from them, so that others are refused."""

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
def test_accepted_host_names(wanted: dict, accepted: list[str]) -> None:
    """Its own, configured ones, and any IP address if it listens on all interfaces."""
    settings = HubSettings(home="", port=0, **wanted)
    with contextlib.closing(listen(settings)) as listening:
        hosts = allowed_hosts(settings, listening)

    assert {host for host in {*OWN, *OTHERS, *accepted} if hosts.accepts(host)} == set(accepted)
