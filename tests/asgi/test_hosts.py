"""Which names a server answers to."""

import pytest

from lightboard.asgi.hosts import AllowedHosts, host_name

LOOPBACK = ["localhost", "LOCALHOST:6006", "127.0.0.1:6006", "127.1.2.3", "[::1]:6006", "my.localhost", "localhost."]


@pytest.mark.parametrize("host", LOOPBACK)
def test_loopback_is_always_answered(host: str) -> None:
    """With any port, in any case."""
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
def test_foreign_names_are_not(host: str) -> None:
    """A name that was made to resolve to this machine stays a foreign name."""
    assert not AllowedHosts([]).accepts(host)


@pytest.mark.parametrize("host", ["box", "BOX:80", "10.0.0.1", "a.example.com", "a.b.example.com:443"])
def test_names_that_were_given_are_answered(host: str) -> None:
    """Whole names, addresses, and everything below a name that begins with a dot."""
    assert AllowedHosts(["Box", "10.0.0.1", ".example.com"]).accepts(host)


def test_a_suffix_is_no_name_of_its_own() -> None:
    """`.example.com` is not `badexample.com`."""
    assert not AllowedHosts([".example.com"]).accepts("badexample.com")


def test_a_server_on_all_interfaces_answers_to_any_address() -> None:
    """An address in the header was not resolved by anybody, so it cannot be rebound."""
    hosts = AllowedHosts([], any_address=True)

    assert [hosts.accepts(host) for host in ("10.1.2.3:6006", "[fe80::1]:6006", "evil.com")] == [True, True, False]


def test_a_star_lets_everything_in() -> None:
    """For people who have their own door."""
    assert AllowedHosts(["*"]).accepts("anything.at.all")


@pytest.mark.parametrize(
    ("header", "name"),
    [("A.b:1", "a.b"), ("[::1]:80", "::1"), ("[::1]", "::1"), ("[::1]x", ""), ("x:", "x"), ("x:y", "")],
)
def test_host_headers_are_taken_apart(header: str, name: str) -> None:
    """What makes no sense is no name."""
    assert host_name(header) == name
