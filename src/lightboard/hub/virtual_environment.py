"""The virtual environment that the programs of a job come from."""

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from lightboard.hub.installed_packages import PythonEnvironment, read_environment
from lightboard.hub.runners.program_folders import installations


@dataclass(frozen=True)
class VirtualEnvironment:
    """A virtual environment in a folder; "" is that of the hub itself.

    `root` is the folder of the file system that it belongs to, "" for that of the machine.
    """

    folder: str = ""

    @property
    def root(self) -> str:
        return ""

    @property
    def python(self) -> str:
        """Its interpreter."""
        return f"{self.folder}/bin/python3" if self.folder else sys.executable

    def find(self, program: str) -> str:
        """The path of a program that is installed in it, "" if there is none."""
        path = str(Path(self.python).with_name(program))
        return path if os.path.exists(path) else ""

    def has(self, program: str) -> bool:
        """Whether a program is installed in it."""
        return bool(self.find(program))

    def variables(self, search_path: str) -> dict[str, str]:
        """The variables by which a command finds its programs before those in `search_path`."""
        if not self.folder:
            return {}
        return {"PATH": f"{self.folder}/bin:{search_path}", "VIRTUAL_ENV": self.folder}

    @property
    def readable(self) -> tuple[str, ...]:
        """The folders that its programs need."""
        if not self.folder:
            return ()
        return tuple(dict.fromkeys((self.folder, *installations(Path(self.folder, "bin")))))

    def read(self) -> PythonEnvironment:
        """What is installed in it."""
        return read_environment(Path(self.folder or sys.prefix))
