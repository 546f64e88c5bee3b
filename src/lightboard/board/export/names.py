"""Names of strangers as names of files that every system can unpack, and that people still recognise.

A tag or run may be any text: with slashes, dots that lead out of a folder, characters that Windows refuses, names of
its devices, orders to turn the writing direction. Each becomes one part of a path, never a path.
"""

import re
import unicodedata

UNFIT = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]+')
"""Separators, what Windows refuses, controls, marks that turn the direction of writing, halves of characters."""

DEVICES = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])", re.IGNORECASE)

ENDING = re.compile(r"[A-Za-z0-9]{1,10}")

MOST_CHARACTERS = 80
MOST_BYTES = 180
TAIL = 30
"""Long names that differ mostly differ at their ends."""


def fit(name: str) -> str:
    """`name` as one part of a path: readable, 1 to 80 characters, the same on all systems."""
    clean = UNFIT.sub("_", unicodedata.normalize("NFC", name)).strip(" .")
    clean = shortened(clean).strip(" .") or ("root" if name == "." else "_")
    return f"_{clean}" if DEVICES.fullmatch(clean.partition(".")[0].rstrip()) else clean


def shortened(name: str) -> str:
    """Beginning and end of a name that is too long."""
    if len(name) > MOST_CHARACTERS:
        name = f"{name[: MOST_CHARACTERS - TAIL - 1]}~{name[-TAIL:]}"
    while len(name.encode()) > MOST_BYTES:
        middle = len(name) // 2
        name = f"{name[: middle - 2]}~{name[middle + 1 :]}"
    return name


def split_ending(name: str) -> tuple[str, str]:
    """`chart.svg` as `chart` and `.svg`; what is no plain ending belongs to the name."""
    stem, dot, ending = name.rpartition(".")
    return (stem, dot + ending) if stem and ENDING.fullmatch(ending) else (name, "")


def parts_of(name: str) -> list[str]:
    """The folders that the slashes of `name` make, and what stands in them."""
    return [part for part in name.split("/") if part] or [name]


class Names:
    """Hands out paths, none twice, also where capitals do not count; what is a folder is no file and the reverse."""

    def __init__(self, *folders: str) -> None:
        self._files: set[str] = set()
        self._folders = set(folders)
        self._numbers: dict[tuple[str, str, bool], int] = {}

    def free(self, *parts: str, ending: str) -> str:
        """The path of `parts`, made fit, with `ending`; with a number behind what was given out before."""
        *folders, name = map(fit, parts)
        place = ""
        for folder in folders:
            path = self._first_free(place + folder)
            self._folders.add(path.casefold())
            place = f"{path}/"
        path = self._first_free(place + name, ending, is_file=True)
        self._files.add(path.casefold())
        return path

    def _first_free(self, path: str, ending: str = "", *, is_file: bool = False) -> str:
        """`path` with `ending`, and a number from 2 on between them where it was given out."""
        taken = (self._files, self._folders) if is_file else (self._files,)
        # What was taken stays so: of ten thousand names that are cut alike each begins where the last one ended.
        key = (path.casefold(), ending, is_file)
        number = self._numbers.get(key, 1)
        while True:
            candidate = f"{path}-{number}{ending}" if number > 1 else f"{path}{ending}"
            if not any(candidate.casefold() in names for names in taken):
                self._numbers[key] = number
                return candidate
            number += 1
