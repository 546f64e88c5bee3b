"""Allowed host names."""

import pytest

from lightboard.asgi.hosts import AllowedHosts, host_name

LOOPBACK = ["localhost", "LOCALHOST:6006", "127.0.0.1:6006", "127.1.2.3", "[::1]:6006", "my.localhost", "localhost."]


@pytest.mark.parametrize("host", LOOPBACK)
def test_loopback_is_always_allowed(host: str) -> None:
    """With any port and case."""
    assert AllowedHosts([]).accepts(host)


@pytest.mark.parametrize(
    "host",
    [
        "evil.com",
        "localhost.evil.com",
        "evil.com:6006",
        "",
        "10.0.0.1",
        "[fe80::1]",
        "a:b:c",
        "[::1",
        "localhost:x",
        "127.0.0.1.evil.com",
    ],
)
def test_foreign_names_are_refused(host: str) -> None:
    """Even if they resolve to this machine."""
    assert not AllowedHosts([]).accepts(host)


@pytest.mark.parametrize("host", ["box", "BOX:80", "10.0.0.1", "a.example.com", "a.b.example.com:443"])
def test_configured_names_are_allowed(host: str) -> None:
    """Names, addresses, and suffixes that begin with a dot."""
    assert AllowedHosts(["Box", "10.0.0.1", ".example.com"]).accepts(host)


def test_suffixes_match_whole_labels() -> None:
    """`.example.com` is not `badexample.com`."""
    assert not AllowedHosts([".example.com"]).accepts("badexample.com")


def test_all_interfaces_allow_any_ip_address() -> None:
    """An address is not resolved, so it cannot be rebound."""
    hosts = AllowedHosts([], any_address=True)

    assert [hosts.accepts(host) for host in ("10.1.2.3:6006", "[fe80::1]:6006", "evil.com")] == [True, True, False]


def test_a_star_allows_all_names() -> None:
    """For servers behind a proxy that checks."""
    assert AllowedHosts(["*"]).accepts("anything.at.all")


@pytest.mark.parametrize(
    ("header", "name"),
    [("A.b:1", "a.b"), ("[::1]:80", "::1"), ("[::1]", "::1"), ("[::1]x", ""), ("x:", "x"), ("x:y", "")],
)
def test_host_headers_are_parsed(header: str, name: str) -> None:
    """Invalid ones are no name."""
    assert host_name(header) == name
