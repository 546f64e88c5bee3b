"""Opens listening sockets by TensorBoard's port rules, before anything slow, so that errors are immediate.

Without a port, 6006 or one of the next 99 ports is used. 0 means any free port. Any other port is used, or it is an
error.
"""

import contextlib
import errno
import ipaddress
import socket
from typing import NamedTuple

from lightboard.board.port_owner import owner_of
from lightboard.config import DEFAULT_PORT, BoardSettings
from lightboard.errors import UsageError

PORTS_TRIED = 100
BACKLOG = 512


class Listening(NamedTuple):
    """Listening sockets on one port, and the host name for the URL."""

    sockets: list[socket.socket]
    port: int
    host: str

    def close(self) -> None:
        """Close the sockets."""
        for listener in self.sockets:
            listener.close()


class TakenError(Exception):
    """Another process listens on this port."""


class DeniedError(Exception):
    """This user may not listen on this port."""


def listen(settings: BoardSettings) -> Listening:
    """Open the sockets of these settings.

    Raises:
        UsageError: the port is taken or out of range, or the host is not one of this machine.
    """
    addresses = addresses_of(settings)
    if settings.port is not None:
        try:
            return open_sockets(addresses, settings.port, settings)
        except TakenError:
            raise UsageError(
                f"port {settings.port} is taken{owner_of(settings.port)}",
                hint="leave out --port for a free one near 6006, or use --port 0 for any",
            ) from None
        except DeniedError:
            raise UsageError(
                f"port {settings.port} may not be used by this user",
                hint="ports below 1024 often require root; leave out --port for one near 6006",
            ) from None
    for port in range(DEFAULT_PORT, DEFAULT_PORT + PORTS_TRIED):
        with contextlib.suppress(TakenError, DeniedError):
            return open_sockets(addresses, port, settings)
    raise UsageError(
        f"ports {DEFAULT_PORT} to {DEFAULT_PORT + PORTS_TRIED - 1} are all taken", hint="use --port 0 for any free one"
    )


class Address(NamedTuple):
    """An address to listen on. It may fail if it is not `needed`, as ::1 does without IPv6."""

    family: socket.AddressFamily
    host: str
    needed: bool


def addresses_of(settings: BoardSettings) -> list[Address]:
    """The addresses to listen on. Loopback is both 127.0.0.1 and ::1, since browsers try either for "localhost"."""
    if settings.bind_all:
        # One socket for both families if the system has IPv6.
        return [Address(socket.AF_INET6, "::", False), Address(socket.AF_INET, "0.0.0.0", False)]  # noqa: S104  # the user has requested it
    if settings.host in (None, "localhost"):
        return [Address(socket.AF_INET, "127.0.0.1", True), Address(socket.AF_INET6, "::1", False)]
    host = str(settings.host).strip("[]")
    try:
        family, _, _, _, sockaddr = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    except (OSError, UnicodeError) as error:
        name, _, port = host.partition(":")
        with_port = bool(name) and port.isdigit()
        raise UsageError(
            f"--host {host}: no such address ({getattr(error, 'strerror', error)})",
            hint=f"--host {name} --port {port}" if with_port else "leave it out to listen on localhost",
        ) from None
    return [Address(socket.AddressFamily(family), str(sockaddr[0]), True)]


def open_sockets(addresses: list[Address], port: int, settings: BoardSettings) -> Listening:
    """Open sockets for all `addresses` on one port. Raises TakenError, DeniedError, UsageError."""
    sockets: list[socket.socket] = []
    try:
        for address in addresses:
            if settings.bind_all and sockets:
                break  # the first socket accepts both families
            try:
                sockets.append(open_one(address, port or (sockets[0].getsockname()[1] if sockets else 0), settings))
            except OSError as error:
                if error.errno == errno.EADDRINUSE:
                    raise TakenError from None
                if error.errno == errno.EACCES and address.needed:
                    raise DeniedError from None
                if address.needed:
                    raise UsageError(
                        f"cannot listen on {address.host} port {port}: {error.strerror}",
                        hint="--host must be an address of this machine; --bind_all listens on all of them",
                    ) from None
        if not sockets:
            raise UsageError("this machine has no network address to listen on")
    except BaseException:
        for listener in sockets:
            listener.close()
        raise
    return Listening(sockets, sockets[0].getsockname()[1], printable_host(settings))


def open_one(address: Address, port: int, settings: BoardSettings) -> socket.socket:
    """Open one listening socket. asyncio disables Nagle's algorithm only if the protocol is set."""
    listener = socket.socket(address.family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # allow ports in TIME_WAIT
        if settings.reuse_port:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        if address.family == socket.AF_INET6:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0 if address.host == "::" else 1)
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        listener.bind((address.host, port))
        listener.listen(BACKLOG)
        listener.setblocking(False)
    except BaseException:
        listener.close()
        raise
    return listener


def open_to_all(settings: BoardSettings) -> bool:
    """Whether the board listens on all addresses of this machine."""
    return settings.bind_all or settings.host in ("0.0.0.0", "::", "[::]")  # noqa: S104  # the user has requested it


def only_loopback(settings: BoardSettings) -> bool:
    """Whether the board can be reached from this machine only. Raises UsageError as `addresses_of`."""
    return all(ipaddress.ip_address(address.host.partition("%")[0]).is_loopback for address in addresses_of(settings))


def printable_host(settings: BoardSettings) -> str:
    """The host name for the URL."""
    if open_to_all(settings):
        return socket.gethostname()
    host = (settings.host or "localhost").strip("[]")
    return f"[{host}]" if ":" in host else host
