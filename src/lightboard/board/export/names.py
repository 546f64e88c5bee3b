"""Turns untrusted names into file names that are valid on all systems and still recognisable.

A tag or run may be any text, with slashes, `..`, characters that Windows forbids, names of its devices, or
bidirectional control characters. Each is converted to one component of a path, never to a path.
"""

import re
import unicodedata

UNFIT = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]+')
"""Separators, characters that Windows forbids, controls, bidirectional marks, surrogates."""

DEVICES = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])", re.IGNORECASE)

ENDING = re.compile(r"[A-Za-z0-9]{1,10}")

MAX_CHARACTERS = 80
MAX_BYTES = 180
TAIL = 30
"""The number of characters at the end of a long name that are kept, since long names mostly differ there."""


def fit(name: str) -> str:
    """Convert a name to one path component: 1 to 80 characters that are valid on all systems."""
    clean = UNFIT.sub("_", unicodedata.normalize("NFC", name)).strip(" .")
    clean = shorten(clean).strip(" .") or ("root" if name == "." else "_")
    return f"_{clean}" if DEVICES.fullmatch(clean.partition(".")[0].rstrip()) else clean


def shorten(name: str) -> str:
    """Shorten a long name to its beginning and end."""
    if len(name) > MAX_CHARACTERS:
        name = f"{name[: MAX_CHARACTERS - TAIL - 1]}~{name[-TAIL:]}"
    while len(name.encode()) > MAX_BYTES:
        middle = len(name) // 2
        name = f"{name[: middle - 2]}~{name[middle + 1 :]}"
    return name


def split_ending(name: str) -> tuple[str, str]:
    """Split `chart.svg` into `chart` and `.svg`. An unusual extension is left in the name."""
    stem, dot, ending = name.rpartition(".")
    return (stem, dot + ending) if stem and ENDING.fullmatch(ending) else (name, "")


def parts_of(name: str) -> list[str]:
    """The parts of `name` between slashes."""
    return [part for part in name.split("/") if part] or [name]


class Names:
    """Creates unique paths, also on case-insensitive systems. No path is both a file and a folder."""

    def __init__(self, *folders: str) -> None:
        self._files: set[str] = set()
        self._folders = set(folders)
        self._numbers: dict[tuple[str, str, bool], int] = {}

    def unique_path(self, *parts: str, ending: str) -> str:
        """A path of `parts` with `ending`, with a number added if it was used before."""
        *folders, name = map(fit, parts)
        folder_path = ""
        for folder in folders:
            path = self._first_unused(folder_path + folder)
            self._folders.add(path.casefold())
            folder_path = f"{path}/"
        path = self._first_unused(folder_path + name, ending, is_file=True)
        self._files.add(path.casefold())
        return path

    def _first_unused(self, path: str, ending: str = "", *, is_file: bool = False) -> str:
        """`path` with `ending`, with a number from 2 between them if it was used."""
        used = (self._files, self._folders) if is_file else (self._files,)
        # Start at the last number: thousands of names may be shortened to the same path.
        key = (path.casefold(), ending, is_file)
        number = self._numbers.get(key, 1)
        while True:
            candidate = f"{path}-{number}{ending}" if number > 1 else f"{path}{ending}"
            if not any(candidate.casefold() in names for names in used):
                self._numbers[key] = number
                return candidate
            number += 1
