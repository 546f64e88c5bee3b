"""Which files of a folder git would ignore."""

import contextlib
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import RegexPattern

IGNORE_FILE, GIT = ".gitignore", ".git"
FOLDER_GROUP = "ps_d"
"""The group of pathspec's expressions that has the slash after a folder."""
ALWAYS_IGNORED = frozenset({GIT, "__pycache__"})


@dataclass(frozen=True)
class IgnoreRules:
    """The patterns of a folder, the last one first, and by `parent` those of the folders above it."""

    folder: str
    patterns: "tuple[RegexPattern, ...]"
    parent: "IgnoreRules | None" = None

    @classmethod
    def of_top(cls, folder: str) -> "IgnoreRules":
        """The rules of a folder (an absolute path) in its git working tree, if it is in one.

        Rules of higher folders do not apply if they ignore the folder, since it was chosen explicitly.
        """
        rules: IgnoreRules | None = None
        above = folders_above(folder)
        for outer, inner in pairwise([*above, folder]):
            rules = cls.of_folder(outer, rules)
            if rules.ignores(inner, is_folder=True):
                return cls.of_folder(folder, None)
        return cls.of_folder(folder, rules)

    @classmethod
    def of_folder(cls, folder: str, parent: "IgnoreRules | None") -> "IgnoreRules":
        """The rules of a folder below one with the rules `parent`. Raises OSError."""
        try:
            with open(os.path.join(folder, IGNORE_FILE), encoding="utf-8-sig", errors="surrogateescape") as file:
                lines = file.read().split("\n")
        except (FileNotFoundError, IsADirectoryError):
            lines = []
        return cls(folder, tuple(patterns_of(reversed(lines))), parent)

    def ignores(self, path: str, *, is_folder: bool) -> bool:
        """Whether a path is ignored: absolute, in `folder`, which is not ignored itself. The last match decides."""
        if os.path.basename(path) in ALWAYS_IGNORED:
            return True
        rules: IgnoreRules | None = self
        while rules is not None:
            relative = os.path.relpath(path, rules.folder) + ("/" if is_folder else "")
            for pattern in rules.patterns:
                if matches(pattern, relative):
                    return bool(pattern.include)
            rules = rules.parent
        return False


def patterns_of(lines: Iterable[str]) -> "Iterator[RegexPattern]":
    """The patterns of lines. Those that are no patterns are skipped, as git does."""
    from pathspec.patterns.gitignore import GitIgnorePatternError  # slow to import, and most commands pack no folder
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

    for line in lines:
        with contextlib.suppress(GitIgnorePatternError, re.error):
            pattern = GitIgnoreSpecPattern(line.removesuffix("\r"))
            if pattern.include is not None:
                yield pattern


def matches(pattern: "RegexPattern", path: str) -> bool:
    """Whether a pattern matches a path itself, and not only a folder above it, about which was decided before."""
    regex = pattern.regex
    if regex is None:
        return False
    if FOLDER_GROUP not in regex.groupindex:
        found = regex.search(path)
        is_folder_of_rule = path.endswith("/") and found is not None and found.end() == len(path)  # a/ of a/**
        return found is not None and not is_folder_of_rule
    *_, last = (None, *regex.finditer(path))
    return last is not None and last.end(FOLDER_GROUP) in (-1, len(path))


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
