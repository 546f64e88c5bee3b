"""Ports of this machine, for servers that must know their address before they listen."""

import socket


def free_ports(count: int) -> list[int]:
    """Local ports that nobody has now."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [int(one.getsockname()[1]) for one in sockets]
    for one in sockets:
        one.close()
    return ports
