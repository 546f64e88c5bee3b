"""Which file holds the overlay of a board: readable at sight, and never the same for two logdirs. Does no I/O."""

import hashlib
import os
import re
from collections.abc import Sequence

FOLDER = "boards"
ODD = re.compile(r"[^\w.+-]+")
DIGEST_CHARACTERS = 10
MOST_CHARACTERS = 40


def board_file(home: str, folders: Sequence[tuple[str, str]]) -> str:
    """`<home>/boards/<name>-<digest>.json` for the folders of a board, each as (prefix of its runs, full address)."""
    return os.path.join(home, FOLDER, f"{readable(folders)}-{digest(folders)}.json")


def logdir_of(folders: Sequence[tuple[str, str]]) -> str:
    """The folders in one line, in the form of --logdir_spec if there are several."""
    return ",".join(f"{prefix}:{address}" if prefix else address for prefix, address in sorted(folders))


def digest(folders: Sequence[tuple[str, str]]) -> str:
    """Tells folders of the same name apart. The order in which they were given does not count."""
    return hashlib.sha256(logdir_of(folders).encode(), usedforsecurity=False).hexdigest()[:DIGEST_CHARACTERS]


def readable(folders: Sequence[tuple[str, str]]) -> str:
    """Something of the names, fit for a file name everywhere."""
    words = [prefix or last_name(address) for prefix, address in sorted(folders)]
    return ODD.sub("_", "+".join(words))[:MOST_CHARACTERS].strip("._+") or "board"


def last_name(address: str) -> str:
    """The last part of a path or address."""
    return re.split(r"[/\\]", address.rstrip("/\\"))[-1]
