"""The TCP sockets of this machine and the processes that hold them, from `/proc` (proc(5)). Linux only."""

import contextlib
import os
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from ipaddress import ip_address

from lightboard.hub.runners.process_tree import as_owner_of

TABLES = ("/proc/net/tcp", "/proc/net/tcp6")
LISTENING = "0A"
"""The state of a socket that listens, in these tables."""
SOCKET_LINK = "socket:["

Address = tuple[str, int]
"""A host and a port. An IPv4 address that an IPv6 socket uses is written as IPv4."""


@dataclass(frozen=True)
class TcpSocket:
    """One end of a connection, or a socket that listens. `inode` is 0 until a process has accepted the connection."""

    local: Address
    remote: Address
    listens: bool
    inode: int


def sockets_at(port: int) -> Iterator[TcpSocket]:
    """The sockets with this local port, those of IPv4 first."""
    for table in TABLES:
        with contextlib.suppress(FileNotFoundError), open(table) as file:  # a machine without IPv6
            yield from parse_table(file, port)


def parse_table(lines: Iterable[str], port: int) -> Iterator[TcpSocket]:
    """The sockets with this local port, from the lines of a table."""
    wanted = f":{port:04X}"
    for line in lines:
        fields = line.split(maxsplit=10) if wanted in line else []
        if len(fields) > 9 and fields[1].endswith(wanted):
            yield TcpSocket(address_of(fields[1]), address_of(fields[2]), fields[3] == LISTENING, int(fields[9]))


def address_of(text: str) -> Address:
    """An address as the tables have it: words of 32 bits in the order of this machine, and the port."""
    host, _, port = text.partition(":")
    words = [int(host[start : start + 8], 16) for start in range(0, len(host), 8)]
    address = ip_address(struct.pack(f"={len(words)}I", *words))
    return str(getattr(address, "ipv4_mapped", None) or address), int(port, 16)


@dataclass(frozen=True)
class HeldSockets:
    """The inodes of the sockets that processes hold. `hidden` are those that this process may not look into."""

    inodes: frozenset[int]
    hidden: tuple[int, ...]


def sockets_of(pids: Iterable[int]) -> HeldSockets:
    """The sockets of processes. Those that have ended meanwhile have none."""
    inodes: set[int] = set()
    hidden = []
    for pid in pids:
        try:
            with as_owner_of(pid):
                inodes.update(socket_inodes(f"/proc/{pid}/fd"))
        except PermissionError:
            hidden.append(pid)
        except OSError:  # it has ended
            continue
    return HeldSockets(frozenset(inodes), tuple(hidden))


def socket_inodes(folder: str) -> Iterator[int]:
    """The inodes of sockets among the descriptors of a process. Raises OSError."""
    for name in os.listdir(folder):
        with contextlib.suppress(FileNotFoundError):  # closed meanwhile
            link = os.readlink(f"{folder}/{name}")
            if link.startswith(SOCKET_LINK):
                yield int(link[len(SOCKET_LINK) : -1])
