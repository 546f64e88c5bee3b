"""The line with the address of a board, printed as soon as it accepts requests: programs that start boards read it."""

import re
from typing import NamedTuple
from urllib.parse import quote

from lightboard import __version__

LINE = re.compile(r"^Lightboard \S+ at http://(\[[^\]]+\]|[^:/]+):(\d+)(\S*)/ \(Ctrl\+C to quit\)$", re.MULTILINE)


class Address(NamedTuple):
    """Where a board is: a host name, a port, and the path prefix, percent-encoded and without a final slash."""

    host: str
    port: int
    prefix: str

    @property
    def url(self) -> str:
        """The URL of the page, with a final slash."""
        return f"http://{self.host}:{self.port}{self.prefix}/"


def announcement(host: str, port: int, path_prefix: str) -> str:
    """The line for a board with this prefix, which is not encoded."""
    return f"Lightboard {__version__} at {Address(host, port, quote(path_prefix)).url} (Ctrl+C to quit)"


def find_address(output: str) -> Address | None:
    """The address in the output of a board; None until it is printed."""
    found = LINE.search(output)
    return Address(found[1], int(found[2]), found[3]) if found else None
