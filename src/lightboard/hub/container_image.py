"""The file system of a container image, from which the programs of a job come instead of those of the machine.

It is on this machine, and nothing of it is run to look at it. Links in it are those of an untrusted image: they are
followed within it, and never out of it.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from lightboard.hub.installed_packages import (
    MAX_PACKAGES,
    PythonEnvironment,
    metadata_in,
    normalized,
    own_package_folders,
    python_version,
    read_package,
)

DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
"""That of engines, for images that have none."""
INTERPRETERS = ("python3", "python")
MAX_LINKS = 40


@dataclass(frozen=True)
class ContainerImage:
    """The image in the folder `root`. `environment` are the variables that it sets."""

    root: str
    environment: Mapping[str, str] = field(default_factory=dict, hash=False)

    @property
    def readable(self) -> tuple[str, ...]:
        """The folders of the machine that its programs need."""
        return ()

    @property
    def python(self) -> str:
        """The path of its interpreter in the image; "python3" if it has none."""
        return self.find(*INTERPRETERS) or INTERPRETERS[0]

    def variables(self, search_path: str) -> dict[str, str]:  # noqa: ARG002  # programs of the machine are not seen
        """The variables of a job with this image."""
        return {"PATH": DEFAULT_PATH, **self.environment}

    def has(self, program: str) -> bool:
        """Whether a program can be found in it."""
        return bool(self.find(program))

    def find(self, *names: str) -> str:
        """The path in the image of the first program with one of these names, "" if there is none."""
        for folder in self.variables("")["PATH"].split(":"):
            for name in names:
                path = f"{folder}/{name}"
                found = self.resolve(path) if os.path.isabs(path) else None
                if found and os.path.isfile(found):
                    return path
        return ""

    def resolve(self, path: str) -> str | None:
        """The real path on this machine of an absolute path in the image; None if it does not exist there."""
        found, rest, links = Path(self.root), [*reversed(PurePosixPath(path).parts[1:])], 0
        while rest:
            name = rest.pop()
            if name == "..":
                found = found if str(found) == self.root else found.parent
                continue
            here = found / name
            if here.is_symlink():
                links += 1
                if links > MAX_LINKS:
                    return None
                target = PurePosixPath(os.readlink(here))
                found = Path(self.root) if target.is_absolute() else found
                rest += [part for part in reversed(target.parts) if part != "/"]
            elif here.exists():
                found = here
            else:
                return None
        return str(found)

    def read(self) -> PythonEnvironment:
        """The packages of its first interpreter."""
        python = self.find(*INTERPRETERS)
        real = self.resolve(python) if python else None
        if real is None:
            return PythonEnvironment()
        prefixes = [Path(self.root + python).parent.parent, Path(real).parent.parent]
        found = next((each for each in prefixes if any(self._packages(each))), prefixes[-1])
        packages = {normalized(name): (name, version) for name, version in self._packages(found)}
        return PythonEnvironment(
            version=python_version(found), packages=tuple(packages[name] for name in sorted(packages)[:MAX_PACKAGES])
        )

    def _packages(self, prefix: Path) -> Iterator[tuple[str, str]]:
        for folder in own_package_folders(prefix, ""):
            for path, stem in metadata_in(folder):
                if all(self._is_inside(each) for each in (path, path / "METADATA", path / "PKG-INFO")):
                    yield from read_package(path, stem)

    def _is_inside(self, path: Path) -> bool:
        return Path(os.path.realpath(path)).is_relative_to(self.root)
