"""Which runs of a source are wanted, by glob patterns of their names. Does no I/O.

`*` and `?` stand for any characters, slashes too, so that `seed1*` takes all below `seed1`. Several patterns are
separated by semicolons: names of runs are full of commas and spaces.
"""

import re
from collections.abc import Iterable
from fnmatch import translate
from functools import lru_cache
from typing import NamedTuple

SEPARATOR = ";"


class Choice(NamedTuple):
    """Runs that fit one of the patterns of `include` ("" takes all) and none of `exclude` ("" leaves out none)."""

    include: str = ""
    exclude: str = ""

    def takes(self, name: str) -> bool:
        """Is the run of this name wanted?"""
        wanted, unwanted = compiled(self.include), compiled(self.exclude)
        return (not wanted or fits(wanted, name)) and not fits(unwanted, name)


ALL = Choice()


def fits(patterns: Iterable[re.Pattern[str]], name: str) -> bool:
    """Does the name fit one of some patterns? Upper and lower case differ."""
    return any(one.match(name) for one in patterns)


@lru_cache(256)
def compiled(patterns: str) -> tuple[re.Pattern[str], ...]:
    """The patterns, without those that are empty."""
    return tuple(re.compile(translate(one.strip())) for one in patterns.split(SEPARATOR) if one.strip())
