"""The host names that a server accepts.

The page of another site can make its own name resolve to 127.0.0.1 and then read from servers there (DNS rebinding).
Such a request has the other site's name in its Host header, so a server that checks the name is safe. An IP address in
the header cannot be rebound, since it is not resolved.
"""

import ipaddress
from collections.abc import Iterable

ANYTHING = "*"


class AllowedHosts:
    """A set of names. `.example.com` stands for all its subdomains, `*` for any name.

    Loopback names and addresses are always allowed. `any_address` allows any IP address, for servers that listen on all
    interfaces.
    """

    def __init__(self, names: Iterable[str], *, any_address: bool = False) -> None:
        cleaned = {name.strip().rstrip(".").lower() for name in names if name.strip()}
        self.everything = ANYTHING in cleaned
        self.any_address = any_address
        self.suffixes = tuple(name for name in cleaned if name.startswith("."))
        self.names = frozenset(without_brackets(name) for name in cleaned)

    def accepts(self, host: str) -> bool:
        """Whether `host`, a Host header with or without a port, is allowed."""
        if self.everything:
            return True
        name = host_name(host)
        if not name:
            return False
        if name in self.names or name == "localhost" or name.endswith((".localhost", *self.suffixes)):
            return True
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return False
        return self.any_address or address.is_loopback


def host_name(host: str) -> str:
    """The name in a Host header, lower case, without port, brackets and final dot; "" if it is invalid."""
    host = host.strip().lower()
    if host.startswith("["):
        name, bracket, rest = host[1:].partition("]")
        return name if bracket and (not rest or rest.startswith(":")) else ""
    name, _, port = host.partition(":")
    return name.rstrip(".") if not port or port.isdigit() else ""


def without_brackets(name: str) -> str:
    """`[::1]` as `::1`."""
    return name[1:-1] if name.startswith("[") and name.endswith("]") else name
