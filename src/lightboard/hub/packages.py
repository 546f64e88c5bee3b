"""The packages that are installed in an environment, from their metadata: no program of the environment is run."""

import re
from collections.abc import Iterator
from importlib.metadata import distributions
from pathlib import Path
from typing import NamedTuple

METADATA = ("*.dist-info", "*.egg-info")


class Package(NamedTuple):
    """An installed package."""

    name: str
    version: str


def packages_of(environment: str) -> tuple[Package, ...]:
    """The packages in the folder of a virtual environment or Python installation, by name; none if it is none.

    Those of an installation that a virtual environment may use as well are not in it.
    """
    found: dict[str, Package] = {}
    for distribution in distributions(path=[str(folder) for folder in library_folders(environment)]):
        name = distribution.metadata["Name"]
        if name and distribution.version:  # a folder that an interrupted pip has left has neither
            found.setdefault(normalized(name), Package(name, distribution.version))
    return tuple(found[key] for key in sorted(found))


def count_packages(environment: str) -> int:
    """How many packages there are, quickly."""
    found = (path.name for folder in library_folders(environment) for each in METADATA for path in folder.glob(each))
    return len({normalized(name.partition("-")[0]) for name in found if not name.startswith("~")})


def library_folders(environment: str) -> Iterator[Path]:
    """The folders that packages are installed into; Debian has two of them."""
    for pattern in ("site-packages", "dist-packages"):
        yield from sorted(Path(environment, "lib").glob(f"python3*/{pattern}"))


def normalized(name: str) -> str:
    """A name as package indexes compare it (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def python_version(environment: str) -> str:
    """The Python version of a virtual environment, "" if it is not known."""
    try:
        lines = Path(environment, "pyvenv.cfg").read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        lines = []
    settings = {key.strip(): value.strip() for key, _, value in (line.partition("=") for line in lines)}
    text = settings.get("version") or settings.get("version_info") or ""
    return ".".join(text.split(".")[:3])
