"""Which files of a folder git would ignore."""

import os
from dataclasses import dataclass

from pathspec import GitIgnoreSpec

IGNORE_FILE, GIT = ".gitignore", ".git"
ALWAYS_IGNORED = frozenset({GIT, "__pycache__"})


@dataclass(frozen=True)
class IgnoreRules:
    """The `.gitignore` file of `folder`, and by `parent` those of the folders above it."""

    folder: str
    spec: GitIgnoreSpec
    parent: "IgnoreRules | None" = None

    @classmethod
    def of_top(cls, folder: str) -> "IgnoreRules":
        """The rules of a folder (an absolute path) in its git working tree, if it is in one.

        Rules of higher folders that ignore the folder itself do not apply, since it was chosen explicitly.
        """
        rules: IgnoreRules | None = None
        for above in folders_above(folder):
            rules = cls.of_folder(above, rules)
        return cls.of_folder(folder, None if rules and rules.ignores(folder, is_folder=True) else rules)

    @classmethod
    def of_folder(cls, folder: str, parent: "IgnoreRules | None") -> "IgnoreRules":
        """The rules of a folder below one with the rules `parent`. Raises OSError."""
        try:
            with open(os.path.join(folder, IGNORE_FILE), encoding="utf-8", errors="surrogateescape") as file:
                lines = file.read().splitlines()
        except (FileNotFoundError, IsADirectoryError):
            lines = []
        return cls(folder, GitIgnoreSpec.from_lines(lines), parent)

    def ignores(self, path: str, *, is_folder: bool) -> bool:
        """Whether a path (absolute, below `folder`) is ignored. The nearest file with a rule for it decides."""
        if os.path.basename(path) in ALWAYS_IGNORED:
            return True
        rules: IgnoreRules | None = self
        while rules is not None:
            relative = os.path.relpath(path, rules.folder) + ("/" if is_folder else "")
            include = rules.spec.check_file(relative).include
            if include is not None:
                return include
            rules = rules.parent
        return False


def folders_above(folder: str) -> list[str]:
    """The folders above one in its git working tree, the top first; none if it is the top, or in no tree."""
    above: list[str] = []
    here = folder
    while not os.path.exists(os.path.join(here, GIT)):
        parent = os.path.dirname(here)
        if parent == here:
            return []
        above.insert(0, parent)
        here = parent
    return above
