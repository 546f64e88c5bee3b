"""Selects runs of a source by glob patterns of their names. Does no I/O.

`*` and `?` match any characters, slashes included, so that `seed1*` matches everything below `seed1`. Separate patterns
with semicolons, because run names often contain commas and spaces.
"""

import re
from collections.abc import Iterable
from fnmatch import translate
from functools import lru_cache
from typing import NamedTuple

SEPARATOR = ";"


class RunFilter(NamedTuple):
    """Runs that match a pattern of `include` ("": all runs) and none of `exclude`."""

    include: str = ""
    exclude: str = ""

    def matches(self, name: str) -> bool:
        """Whether the run of this name is selected. Matching is case-sensitive."""
        included, excluded = compile_patterns(self.include), compile_patterns(self.exclude)
        return (not included or matches_any(included, name)) and not matches_any(excluded, name)


ALL_RUNS = RunFilter()


def matches_any(patterns: Iterable[re.Pattern[str]], name: str) -> bool:
    """Whether the name matches at least one pattern."""
    return any(one.match(name) for one in patterns)


@lru_cache(256)
def compile_patterns(patterns: str) -> tuple[re.Pattern[str], ...]:
    """The compiled patterns, without empty ones."""
    return tuple(re.compile(translate(one.strip())) for one in patterns.split(SEPARATOR) if one.strip())
