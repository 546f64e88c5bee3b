"""Writes the rights of hub.access to docs/access.md, between marks. --check only checks whether the page is stale."""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from lightboard.hub.access import HUB_RIGHTS, PERMISSIONS, Reach, needs_text, table, visibility_table
from lightboard.hub.resources.roles import Role

PAGE = Path(__file__).resolve().parents[1] / "docs" / "access.md"
OF_PROJECTS, OF_THE_HUB, OF_BOARDS = "project", "hub", "TensorBoards"
WORDS = {True: "every account", False: "administrators, and accounts that they permit"}
WHO = {Reach.NONE: "administrators", Reach.ANY: "every account"}


def tables() -> dict[str, str]:
    """The tables by the names of their marks."""
    heads = ("right", "what it is", *(role.value for role in Role), "scope", "permission")
    on_hub = [
        (name, right.what, WHO[right.viewer], right.scope.value, needs_text(right))
        for name, right in HUB_RIGHTS.items()
    ]
    permissions = [(name.value, grant.what, WORDS[grant.by_default]) for name, grant in PERMISSIONS.items()]
    return {
        f"rights of the {OF_PROJECTS}": markdown(heads, table()),
        f"rights of the {OF_THE_HUB}": markdown(("right", "what it is", "who", "scope", "permission"), on_hub),
        f"rights of the {OF_BOARDS}": markdown(
            ("access", "project at creation", "besides its owner it is seen by"), visibility_table()
        ),
        "permissions": markdown(("permission", "what it is for", "on a new hub"), permissions),
    }


def markdown(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table. The first column is formatted as code."""
    lines = [heads, ["---"] * len(heads), *([f"`{first}`", *rest] for first, *rest in rows)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def update_page(text: str) -> str:
    """The page with the current tables between its marks."""
    for name, rows in tables().items():
        begin, end = f"<!-- {name}, by scripts/access_table.py -->\n", "\n<!-- end -->"
        before, rest = text.split(begin)
        text = before + begin + rows + end + rest.partition(end)[2]
    return text


if __name__ == "__main__":
    old = PAGE.read_text(encoding="utf-8")
    new = update_page(old)
    if "--check" in sys.argv:
        sys.exit(old != new and "docs/access.md is stale: run `make docs`")
    PAGE.write_text(new, encoding="utf-8")
