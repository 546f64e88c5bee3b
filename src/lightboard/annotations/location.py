"""The name of the file that stores the annotations of a board: readable, and unique to its folders. Does no I/O."""

import hashlib
import os
import re
from collections.abc import Sequence

FOLDER = "boards"
UNSAFE_CHARACTERS = re.compile(r"[^\w.+-]+")
DIGEST_CHARACTERS = 10
MAX_CHARACTERS = 40


def board_file(home: str, folders: Sequence[tuple[str, str]]) -> str:
    """`<home>/boards/<name>-<digest>.json` for the folders of a board, each as (prefix of its runs, full address)."""
    return os.path.join(home, FOLDER, f"{readable_name(folders)}-{digest(folders)}.json")


def logdir_of(folders: Sequence[tuple[str, str]]) -> str:
    """The folders in one line, in the form of --logdir_spec if there are several."""
    return ",".join(f"{prefix}:{address}" if prefix else address for prefix, address in sorted(folders))


def digest(folders: Sequence[tuple[str, str]]) -> str:
    """Distinguishes folders with equal names. The order of the folders does not matter."""
    return hashlib.sha256(logdir_of(folders).encode(), usedforsecurity=False).hexdigest()[:DIGEST_CHARACTERS]


def readable_name(folders: Sequence[tuple[str, str]]) -> str:
    """The names of the folders, shortened to a name that every file system accepts."""
    names = [prefix or last_name(address) for prefix, address in sorted(folders)]
    return UNSAFE_CHARACTERS.sub("_", "+".join(names))[:MAX_CHARACTERS].strip("._+") or "board"


def last_name(address: str) -> str:
    """The last part of a path or address."""
    return re.split(r"[/\\]", address.rstrip("/\\"))[-1]
