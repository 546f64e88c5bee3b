"""The rule for names that are part of URLs, such as `<name>--<owner>.boards.example.org`.

A name never looks like an id, so both can be used in the same places.
"""

import re
from collections.abc import Collection

from lightboard.errors import Invalid
from lightboard.hub.resources.ids import PATTERN

SHORTEST, LONGEST = 3, 40
RULE = f"{SHORTEST} to {LONGEST} of a-z, 0-9 and single hyphens, beginning with a letter"
_NAME = re.compile(r"[a-z](?:-?[a-z0-9])*")
_FOREIGN = re.compile(r"[^a-z0-9]+")


def check_name(name: str, what: str = "name") -> str:
    """`name` unchanged. Raises Invalid, with the rule as a hint."""
    if is_name(name):
        return name
    raise Invalid(f"{name!r} cannot be a {what}", hint=RULE)


def is_name(text: str) -> bool:
    """Whether `text` follows the rule."""
    return SHORTEST <= len(text) <= LONGEST and bool(_NAME.fullmatch(text)) and not PATTERN.fullmatch(text)


def name_from(text: str, otherwise: str) -> str:
    """The closest valid name to `text`; `otherwise` (a valid name) if nothing of it is usable."""
    slug = _FOREIGN.sub("-", text.lower()).strip("-")
    if slug and not slug[0].isalpha():
        slug = f"{otherwise}-{slug}"
    slug = slug[:LONGEST].rstrip("-")
    return slug if len(slug) >= SHORTEST else otherwise


def numbered(wanted: str, taken: Collection[str]) -> str:
    """`wanted`, or the first of `wanted-2`, `wanted-3` and so on that is free. Never longer than allowed."""
    name, number = wanted, 1
    while name in taken:
        number += 1
        name = f"{wanted[: LONGEST - len(str(number)) - 1].rstrip('-')}-{number}"
    return name
