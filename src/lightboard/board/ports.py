"""Listening sockets by TensorBoard's port rules, opened before anything slow so that a busy port is told at once.

No port given: 6006 or the next free one, a hundred tried. 0: any free one. A port given: that one or a clear error.
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
    """Sockets that accept connections, all on one port, and the name that people should use."""

    sockets: list[socket.socket]
    port: int
    host: str

    def close(self) -> None:
        """Stops listening."""
        for each in self.sockets:
            each.close()


class TakenError(Exception):
    """Somebody else listens there."""


class DeniedError(Exception):
    """This user may not listen there."""


def listen(settings: BoardSettings) -> Listening:
    """Opens the sockets that `settings` ask for.

    Raises:
        UsageError: the port is taken or out of range, or the host is not one of this machine.
    """
    addresses = addresses_of(settings)
    if settings.port is not None:
        try:
            return opened(addresses, settings.port, settings)
        except TakenError:
            raise UsageError(
                f"port {settings.port} is taken{owner_of(settings.port)}",
                hint="leave --port out to get a free one near 6006, or use --port 0 for any",
            ) from None
        except DeniedError:
            raise UsageError(
                f"port {settings.port} may not be used by this user",
                hint="ports below 1024 are often for root alone; leave --port out to get one near 6006",
            ) from None
    for port in range(DEFAULT_PORT, DEFAULT_PORT + PORTS_TRIED):
        with contextlib.suppress(TakenError, DeniedError):
            return opened(addresses, port, settings)
    raise UsageError(
        f"ports {DEFAULT_PORT} to {DEFAULT_PORT + PORTS_TRIED - 1} are all taken", hint="use --port 0 for any free one"
    )


class Address(NamedTuple):
    """One address to listen at; one that is not `needed` may fail, as ::1 does where IPv6 is off."""

    family: socket.AddressFamily
    host: str
    needed: bool


def addresses_of(settings: BoardSettings) -> list[Address]:
    """Where to listen. Loopback is both 127.0.0.1 and ::1, for browsers try either for "localhost"."""
    if settings.bind_all:
        # One socket for both families where the system has IPv6.
        return [Address(socket.AF_INET6, "::", False), Address(socket.AF_INET, "0.0.0.0", False)]  # noqa: S104  # asked for
    if settings.host in (None, "localhost"):
        return [Address(socket.AF_INET, "127.0.0.1", True), Address(socket.AF_INET6, "::1", False)]
    host = str(settings.host).strip("[]")
    try:
        family, _, _, _, place = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    except (OSError, UnicodeError) as error:
        name, _, port = host.partition(":")
        with_port = bool(name) and port.isdigit()
        raise UsageError(
            f"--host {host}: no such address ({getattr(error, 'strerror', error)})",
            hint=f"--host {name} --port {port}" if with_port else "leave it out to listen on localhost",
        ) from None
    return [Address(socket.AddressFamily(family), str(place[0]), True)]


def opened(addresses: list[Address], port: int, settings: BoardSettings) -> Listening:
    """Sockets for all `addresses` on one port. Raises TakenError, DeniedError, UsageError."""
    sockets: list[socket.socket] = []
    try:
        for address in addresses:
            if settings.bind_all and sockets:
                break  # the first one already takes both families
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
                        hint="--host wants an address of this machine; --bind_all takes all of them",
                    ) from None
        if not sockets:
            raise UsageError("this machine offers no network address to listen on")
    except BaseException:
        for each in sockets:
            each.close()
        raise
    return Listening(sockets, sockets[0].getsockname()[1], shown_host(settings))


def open_one(address: Address, port: int, settings: BoardSettings) -> socket.socket:
    """One listening socket. The protocol is named because asyncio turns Nagle's delay off only then."""
    one = socket.socket(address.family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # a port just left is free again
        if settings.reuse_port:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        if address.family == socket.AF_INET6:
            one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0 if address.host == "::" else 1)
        one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        one.bind((address.host, port))
        one.listen(BACKLOG)
        one.setblocking(False)
    except BaseException:
        one.close()
        raise
    return one


def open_to_all(settings: BoardSettings) -> bool:
    """Does the board listen on every address of this machine, whichever flag said so?"""
    return settings.bind_all or settings.host in ("0.0.0.0", "::", "[::]")  # noqa: S104  # asked for


def only_loopback(settings: BoardSettings) -> bool:
    """Can the board be reached from this machine alone? Raises UsageError as `addresses_of`."""
    return all(ipaddress.ip_address(address.host.partition("%")[0]).is_loopback for address in addresses_of(settings))


def shown_host(settings: BoardSettings) -> str:
    """The name for the address that people click."""
    if open_to_all(settings):
        return socket.gethostname()
    host = (settings.host or "localhost").strip("[]")
    return f"[{host}]" if ":" in host else host
