"""TensorBoard's port rules, on real sockets."""

import errno
import os
import socket
from collections.abc import Iterator

import pytest

from lightboard.board.port_owner import owner_of
from lightboard.board.ports import Listening, listen
from lightboard.config import DEFAULT_PORT, BoardSettings
from lightboard.errors import UsageError


@pytest.fixture
def taken() -> Iterator[int]:
    """A port that this process holds."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def opened(**settings: object) -> Listening:
    return listen(BoardSettings(logdir="x", **settings))  # type: ignore[arg-type]


def test_e3_the_default_is_the_first_free_port_from_6006() -> None:
    """Two boards stand side by side."""
    first, second = opened(), opened()
    try:
        assert DEFAULT_PORT <= first.port < second.port < DEFAULT_PORT + 100
    finally:
        first.close()
        second.close()


def test_port_zero_is_any_free_port() -> None:
    """The same one on both families."""
    listening = opened(port=0)
    try:
        assert {each.getsockname()[1] for each in listening.sockets} == {listening.port}
    finally:
        listening.close()


def test_busy_ports_name_their_owner(taken: int) -> None:
    """With a hint."""
    with pytest.raises(UsageError) as error:
        opened(port=taken)

    assert error.value.message.startswith(f"port {taken} is taken")
    assert error.value.hint
    if os.path.isdir("/proc/net"):
        assert f"process {os.getpid()}" in error.value.message


def test_free_ports_have_no_owner() -> None:
    """Then nothing is said."""
    listening = opened(port=0)
    listening.close()

    assert owner_of(listening.port) == ""


def test_foreign_addresses_are_refused() -> None:
    """With a message."""
    with pytest.raises(UsageError, match=r"cannot listen on 192\.0\.2\.1"):
        opened(host="192.0.2.1", port=0)


def test_unresolvable_hosts_are_refused() -> None:
    """With a message."""
    with pytest.raises(UsageError, match="no such address"):
        opened(host="300.1.1.1.1", port=0)


def test_a_port_in_the_host_is_explained() -> None:
    """The hint is the correct command line."""
    with pytest.raises(UsageError) as error:
        opened(host="localhost:7007")

    assert error.value.hint == "--host localhost --port 7007"


def test_privileged_ports_are_not_called_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error is simulated, since root may bind all."""

    def refuse(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(socket.socket, "bind", refuse)
    with pytest.raises(UsageError, match="port 80 may not be used by this user"):
        opened(port=80)


@pytest.mark.parametrize(
    ("settings", "shown"),
    [
        ({}, "localhost"),
        ({"host": "127.0.0.1"}, "127.0.0.1"),
        ({"bind_all": True}, socket.gethostname()),
        ({"host": "0.0.0.0"}, socket.gethostname()),
    ],
)
def test_e3_the_displayed_url_is_reachable(settings: dict[str, object], shown: str) -> None:
    """The name that people should use."""
    listening = opened(port=0, **settings)
    listening.close()

    assert listening.host == shown


def test_nagle_is_disabled() -> None:
    """On every socket."""
    listening = opened(port=0)
    try:
        values = [each.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) for each in listening.sockets]
    finally:
        listening.close()

    assert all(values)


@pytest.mark.parametrize("shared", [True, False])
def test_ports_are_shared_on_request_only(shared: bool) -> None:
    """--reuse_port."""
    first = opened(port=0, reuse_port=shared)
    try:
        if shared:
            opened(port=first.port, reuse_port=True).close()
        else:
            with pytest.raises(UsageError):
                opened(port=first.port)
    finally:
        first.close()


def test_loopback_sockets_are_unreachable_from_outside() -> None:
    """A socket on localhost cannot be reached by another address of this machine."""
    listening = opened(port=0)
    try:
        hosts = {each.getsockname()[0] for each in listening.sockets}
    finally:
        listening.close()

    assert hosts <= {"127.0.0.1", "::1"}


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="needs IPv6")
@pytest.mark.parametrize("settings", [{"bind_all": True}, {"host": "::"}, {"host": "[::]"}])
def test_all_interfaces_include_both_families(settings: dict[str, object]) -> None:
    """As in TensorBoard; IPv4 clients reach the same socket."""
    listening = opened(port=0, **settings)
    try:
        for host in ("127.0.0.1", "::1"):
            socket.create_connection((host, listening.port), timeout=5).close()
    finally:
        listening.close()
