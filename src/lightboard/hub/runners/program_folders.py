"""Finds the folders that programs on the search path need, such as the Python installation of a virtual environment."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
"""The folders of the operating system's programs, which every workload sees."""
STORES = ("/nix/store", "/gnu/store")
"""Where Nix and Guix keep programs."""


def program_folders(search_path: str, home: str, prefixes: Iterable[str] = ()) -> list[str]:
    """The existing folders, besides those in SYSTEM, that programs in `search_path` need; `prefixes` are added.

    `search_path` is the value of the variable PATH. Never `home`, or a folder above it.
    """
    found = [*STORES, *prefixes]
    for folder in search_path.split(":"):
        if os.path.isabs(folder) and os.path.isdir(folder):
            found += [os.path.normpath(folder), *installations(Path(folder))]
    return [
        folder
        for folder in dict.fromkeys(found)
        if os.path.isdir(folder) and not is_below(folder, SYSTEM) and not is_below(home, (folder,))
    ]


def installations(folder: Path) -> Iterator[str]:
    """The folders that programs in `folder` need, by what is beside it."""
    parent = folder.parent
    is_pyenv = folder.name == "shims" and (parent / "versions").is_dir()
    if is_pyenv or (parent / "pyvenv.cfg").is_file() or (parent / "conda-meta").is_dir():
        yield str(parent)
    for name in ("python3", "python"):
        # A link to an installation elsewhere, in a virtual environment and in ~/.local/bin.
        prefix = Path(os.path.realpath(folder / name)).parent.parent
        if any(prefix.glob("lib/python3*/os.py")):
            yield str(prefix)


def is_below(path: str, folders: Iterable[str]) -> bool:
    """Whether a path is one of the folders or below it."""
    return any(Path(path).is_relative_to(folder) for folder in folders)
