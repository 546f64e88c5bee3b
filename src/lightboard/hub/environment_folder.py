"""The folder of an environment that the hub builds: what it is built from, the environment, the log of its build.

That is a requirements list, or a container image, whose file system is then the environment. A virtual environment has
its own path in its files, so it is built where it stays. A mark that is written last says that it is complete; without
it, nothing uses what is there.
"""

import json
import os
from dataclasses import asdict
from pathlib import Path

from lightboard.hub.container_reference import ContainerReference
from lightboard.hub.requirements_list import RequirementsList, name
from lightboard.hub.resources.images import BuiltEnvironment, ContainerConfig
from lightboard.hub.runners.line_log import read_lines
from lightboard.hub.runners.log_part import LogPart
from lightboard.hub.runners.remove_tree import remove_tree

MARK, NEW_MARK = "built.json", "built.json.new"
NO_ROOM_CODE = 3
"""The exit code of a build whose environment would take more disk than it may."""
NEEDED, GRANTED, REFUSED = "needed bytes: ", "granted", "refused"
"""What a build prints before it takes disk, and what it is told then."""


class EnvironmentFolder:
    """Everything about one environment below `path`, an absolute path without links."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.environment = path / "environment"
        self.log = path / "log"
        self.temporary = path / "tmp"
        self.requirements = path / "requirements"
        self.reference = path / "reference"

    @property
    def list(self) -> Path:
        """The copy of the list."""
        return self.requirements / name(0)

    def read(self) -> BuiltEnvironment | None:
        """What was built here; None if nothing is complete, or it does not work here any more.

        That is so if the folder was moved, or the Python that it was built with was removed.
        """
        try:
            found = json.loads((self.path / MARK).read_text(encoding="utf-8"))
            container = found.pop("container", None)
            part = self.environment if container else self.environment / "bin" / "python3"
            if found.pop("path") != str(self.environment) or not part.exists():
                return None
            return BuiltEnvironment(**found, container=ContainerConfig(**container) if container else None)
        except (OSError, ValueError, TypeError, KeyError):
            return None

    def write(self, built: BuiltEnvironment) -> None:
        """Marks the environment as complete. Raises OSError."""
        text = json.dumps({"path": str(self.environment), **asdict(built)})
        with open(self.path / NEW_MARK, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(self.path / NEW_MARK, self.path / MARK)

    def prepare(self, source: RequirementsList | ContainerReference) -> None:
        """Removes what an earlier build has left, and writes what it is built from. Raises OSError."""
        self.remove()
        self.requirements.mkdir(parents=True)
        self.temporary.mkdir()
        if isinstance(source, ContainerReference):
            self.reference.write_text(source.text, encoding="utf-8")
            return
        for number, text in enumerate(source.files):
            (self.requirements / name(number)).write_text(text, encoding="utf-8")

    def read_reference(self) -> ContainerReference | None:
        """The container image that it is built from, None for a requirements list."""
        try:
            return ContainerReference(self.reference.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None

    def remove(self) -> None:
        """Removes everything; the mark first, since that may be interrupted. Raises OSError."""
        (self.path / MARK).unlink(missing_ok=True)
        remove_tree(self.path)

    def read_log(self, cursor: int, max_bytes: int) -> LogPart:
        """A part of the log of its build, as `Runner.read_log`."""
        return read_lines(self.log, cursor, max_bytes, ended=True)
