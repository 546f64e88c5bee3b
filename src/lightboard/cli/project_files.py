"""The files of a new project folder: a Makefile and a training program that work with a hub."""

import re
import secrets
from dataclasses import dataclass, field
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from lightboard.errors import UsageError
from lightboard.hub.resources.names import is_name, name_from

DEFAULT_NAME, DEFAULT_CODE_DIRECTORY = "Neuro Project", "modules"
LONGEST_SLUG = 28
"""So that `tensorboard-SLUG` is a name."""
SHOWN, HIDDEN = ("Makefile", "README.md", "job.sh", "requirements.txt"), ("gitignore", "project.mk")
"""Files of the template that a project has; the dots with which the hidden ones begin there are missing here."""
RESULTS = "results"
_FOLDER = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f$#@]")


def default_slug(name: str) -> str:
    """The slug of a project that has none of its own."""
    return name_from(name, "project")[:LONGEST_SLUG].rstrip("-")


def new_project_id() -> str:
    """An id of the form of Neu.ro's."""
    return f"neuro-project-{secrets.token_hex(4)}"


@dataclass(frozen=True, kw_only=True)
class ProjectFolder:
    """A project, and how its folder and the folder of its code are called.

    Raises UsageError for a name that cannot be used.
    """

    name: str
    slug: str
    code_directory: str
    project_id: str = field(default_factory=new_project_id)

    def __post_init__(self) -> None:
        if not self.name.strip() or _CONTROLS.search(self.name):
            raise UsageError(f"{self.name!r} cannot be the name of a project", hint="without $, #, @ and line breaks")
        if not is_name(self.slug) or len(self.slug) > LONGEST_SLUG:
            hint = f"3 to {LONGEST_SLUG} of a-z, 0-9 and single hyphens, beginning with a letter"
            raise UsageError(f"{self.slug!r} cannot be a project_slug", hint=hint)
        if not _FOLDER.fullmatch(self.code_directory) or self.code_directory in (*SHOWN, RESULTS):
            hint = "one name of letters, digits, dots, hyphens and underscores"
            raise UsageError(f"{self.code_directory!r} cannot be a code_directory", hint=hint)

    def create(self, parent: Path) -> Path:
        """Writes the files to a new folder in `parent`, and returns it. Raises UsageError if it exists."""
        folder = parent / self.slug
        try:
            folder.mkdir()
            (folder / self.code_directory).mkdir()
            (folder / RESULTS).mkdir()
            for path, text in self.texts().items():
                (folder / path).write_text(text, encoding="utf-8", newline="\n")
        except FileExistsError:
            raise UsageError(f"{folder} exists", hint="choose another project_slug, or remove it") from None
        except OSError as error:
            raise UsageError(f"{folder} cannot be written: {error.strerror}") from None
        return folder

    def texts(self) -> dict[str, str]:
        """The texts of the files by path."""
        template = files("lightboard.cli") / "project_template"
        return {
            **{name: self._fill(template / name) for name in SHOWN},
            **{f".{name}": self._fill(template / name) for name in HIDDEN},
            f"{self.code_directory}/train.py": self._fill(template / "train.py"),
        }

    def _fill(self, template: Traversable) -> str:
        text = template.read_text(encoding="utf-8")
        values = {"NAME": self.name, "SLUG": self.slug, "CODE_DIRECTORY": self.code_directory}
        for key, value in {**values, "PROJECT_ID": self.project_id}.items():
            text = text.replace(f"@{key}@", value)
        return text
