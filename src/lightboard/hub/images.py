"""The images that jobs can have: names of virtual environments on this machine."""

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lightboard.errors import LaunchError, UsageError
from lightboard.hub.runners.program_folders import installations

NOT_FOUND = "ImageNotFound"


@dataclass(frozen=True)
class Images:
    """`folders` are the absolute folders of virtual environments, by the name of the image."""

    folders: Mapping[str, str] = field(default_factory=dict)

    def check(self, name: str) -> None:
        """Raises LaunchError if there is no image of this name; "" is none, which is always there."""
        if name and name not in self.folders:
            known = ", ".join(sorted(self.folders)) or "none"
            raise LaunchError(
                f"this hub has no image {name}",
                reason=NOT_FOUND,
                hint=f"its images: {known}; an administrator can add one: lightboard hub --image NAME=FOLDER",
            )

    def python(self, name: str) -> str:
        """The interpreter of an image; that of the hub for ""."""
        return f"{self.folders[name]}/bin/python3" if name else sys.executable

    def has(self, name: str, program: str) -> bool:
        """Whether a program is installed in an image that exists."""
        return os.path.exists(Path(self.python(name)).with_name(program))

    def variables(self, name: str, search_path: str) -> dict[str, str]:
        """The variables by which a command finds the programs of an image before those in `search_path`."""
        if not name:
            return {}
        folder = self.folders[name]
        return {"PATH": f"{folder}/bin:{search_path}", "VIRTUAL_ENV": folder}

    def readable(self, name: str) -> tuple[str, ...]:
        """The folders that its programs need."""
        if not name:
            return ()
        folder = self.folders[name]
        return tuple(dict.fromkeys((folder, *installations(Path(folder, "bin")))))


def parse_images(texts: Sequence[str]) -> Images:
    """The images of several `--image NAME=FOLDER`. Raises UsageError."""
    folders: dict[str, str] = {}
    for text in texts:
        name, _, folder = text.partition("=")
        if not (name.strip() and folder):
            raise UsageError(f"--image {text} is not NAME=FOLDER", hint="for example --image torch:2.9=/opt/torch")
        if name in folders:
            raise UsageError(f"the image {name} is given twice", hint="each needs a name of its own")
        if not os.path.isdir(f"{folder}/bin"):
            raise UsageError(
                f"--image {text}: {folder} is no virtual environment", hint=f"create one: python3 -m venv {folder}"
            )
        folders[name] = os.path.abspath(folder)
    return Images(folders)
