"""Connections to ports at which a replica listens, among others of the same machine. Linux only.

All jobs of a machine share its loopback interface. A port that one is known for can be taken by another, who would
receive what is meant for the first: before it, after it, or beside it (SO_REUSEPORT). So it is not enough to look at
who listens. Nothing is sent over a connection until a process of the replica holds the other end of it.
"""

import contextlib
import errno
import os
import socket
from collections.abc import Callable, Sequence

from lightboard.errors import LaunchError
from lightboard.hub.runners.tcp_sockets import Address, sockets_at, sockets_of
from lightboard.types import UNREACHABLE

PORT_TAKEN = "PortTaken"
"""The reason of an error: another program listens at the port."""
IPV4, IPV6 = "127.0.0.1", "::1"
REACHED_BY = {IPV4: IPV4, "0.0.0.0": IPV4, IPV6: IPV6, "::": IPV6}  # noqa: S104  # compared, not bound
"""The loopback address that reaches a socket which listens at this address."""

Processes = Callable[[], Sequence[int]]
"""The ids of the processes of a replica as they are now. Raises LaunchError if none runs."""


class PortConnection:
    """A connection that may not be used before `is_accepted`. The caller closes `socket`, which is non-blocking."""

    def __init__(self, address: Address, processes: Processes) -> None:
        self._processes = processes
        self._port = address[1]
        family = socket.AF_INET6 if address[0] == IPV6 else socket.AF_INET
        self.socket = socket.socket(family, socket.SOCK_STREAM)
        self.socket.setblocking(False)
        code = self.socket.connect_ex(address)
        if code not in (0, errno.EINPROGRESS):
            self.socket.close()
            raise self._refused(code)

    def is_accepted(self) -> bool:
        """Whether a process of the replica has accepted it. Raises LaunchError if it was refused or closed."""
        if code := self.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
            raise self._refused(code)
        try:
            own, peer = self.socket.getsockname()[:2], self.socket.getpeername()[:2]
        except OSError:  # it is not connected yet
            return False
        inode = max((each.inode for each in sockets_at(peer[1]) if (each.local, each.remote) == (peer, own)), default=0)
        if inode and inode in sockets_of(self._processes()).inodes:
            return True
        if self._is_closed():
            raise LaunchError(f"what listens at port {self._port} has closed the connection", reason=UNREACHABLE)
        return False

    def close(self) -> None:
        """Ends it."""
        self.socket.close()

    def _is_closed(self) -> bool:
        try:
            return not self.socket.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return False
        except OSError:
            return True

    def _refused(self, code: int) -> LaunchError:
        return LaunchError(f"port {self._port} cannot be connected to: {os.strerror(code)}", reason=UNREACHABLE)


def listening_address(port: int, processes: Processes) -> Address:
    """The address that reaches a replica which listens at a port.

    Raises LaunchError if it does not: PORT_TAKEN if another program does.
    """
    found = [each for each in sockets_at(port) if each.listens and each.local[0] in REACHED_BY]
    if not found:
        raise LaunchError(
            f"nothing listens at port {port} of the job",
            reason=UNREACHABLE,
            hint="its program listens at 127.0.0.1 when it is ready; the variable PORT has the number",
        )
    held = sockets_of(processes())
    for each in found:
        if each.inode in held.inodes:
            return reachable(each.local[0]), port
    if held.hidden:
        raise LaunchError(
            f"the hub may not see whether the job listens at port {port}",
            reason=UNREACHABLE,
            hint="run the hub with CAP_SYS_PTRACE, or as a user other than root",
        )
    raise LaunchError(
        f"another program of this machine listens at port {port}",
        reason=PORT_TAKEN,
        hint="run the job again with another port",
    )


def reachable(host: str) -> str:
    """The loopback address that reaches what listens at `host`.

    What listens at all addresses with IPv6 can be reached by IPv4, which only matters on a machine without `::1`.
    """
    wanted = REACHED_BY[host]
    if wanted == IPV6:
        with contextlib.closing(socket.socket(socket.AF_INET6)) as probe:
            try:
                probe.bind((IPV6, 0))
            except OSError:
                return IPV4
    return wanted
