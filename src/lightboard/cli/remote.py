"""What all commands that speak to a hub share: which hub, tables for people, JSON for programs, words to stderr."""

import json
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any

import typer

from lightboard.cli.output import plain, say, show
from lightboard.client.session import Session

Url = Annotated[str | None, typer.Option("--url", envvar="LIGHTBOARD_URL", help="the hub; else the one of the login")]
ProjectName = Annotated[
    str | None, typer.Option("--project", "-p", envvar="LIGHTBOARD_PROJECT", help="project by name")
]
AsJson = Annotated[bool, typer.Option("--json", help="for programs: JSON to stdout")]

MOST_NEEDED = 4
"""Columns that are always shown, by folding lines if need be."""

Columns = Sequence[tuple[str, Callable[[Any], str]]]
"""Heads, and what to show of an item under each."""


def session_of(url: str | None, project: str | None) -> Session:
    """The hub of the flags, the environment or the login; the token is never a flag, which others could read."""
    return Session(url, None, project)


def show_list(items: Iterable[Any], columns: Columns, as_json: bool, empty: str) -> None:
    """A table for people, or a JSON list."""
    rows = list(items)
    if as_json:
        show(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    if not rows:
        say(empty)
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    terminal = Console()
    cells = [[plain(cell(row)) for row in rows] for _, cell in columns]
    shown = fitting([max(map(len, (head, *texts))) for (head, _), texts in zip(columns, cells, strict=True)],
                    terminal.width if terminal.is_terminal else None)  # fmt: skip
    table = Table(box=None, pad_edge=False, show_edge=False)
    for place in shown:
        table.add_column(columns[place][0], overflow="fold")
    for line in range(len(rows)):
        table.add_row(*(Text(cells[place][line]) for place in shown))
    # What is piped must not be cut to a terminal that is not there.
    (terminal if terminal.is_terminal else Console(width=sum(len(text) for row in cells for text in row) + 1000)).print(
        table
    )
    if len(shown) < len(columns):
        left = ", ".join(head.lower() for place, (head, _) in enumerate(columns) if place not in shown)
        say(f"not shown for want of room: {left}; a wider terminal or --json has them")


def fitting(widths: Sequence[int], room: int | None, gap: int = 2) -> list[int]:
    """The numbers of the columns that fit, first ones first; at least four, whatever the room. All without `room`."""
    shown = list(range(len(widths)))
    while room is not None and len(shown) > MOST_NEEDED and sum(widths[i] + gap for i in shown) > room + gap:
        shown.pop()
    return shown


def show_one(item: Any, fields: Columns, as_json: bool) -> None:
    """One thing, a line a field, or its JSON."""
    if as_json:
        show(json.dumps(item, ensure_ascii=False, indent=2))
        return
    width = max(len(head) for head, _ in fields)
    for head, cell in fields:
        show(f"{head:<{width}}  {plain(cell(item))}")


def field(key: str) -> Callable[[Any], str]:
    """Shows a field as it is; "-" where it is empty."""
    return lambda item: str(item[key]) if item[key] not in ("", None, []) else "-"


def when(key: str) -> Callable[[Any], str]:
    """Shows a time of this machine's clock."""
    return lambda item: time_text(item[key])


def time_text(secs: float | None) -> str:
    """`2026-11-20 12:04`, where the user is; "-" for never."""
    if secs is None:
        return "-"
    return datetime.fromtimestamp(secs, UTC).astimezone().strftime("%Y-%m-%d %H:%M")


def size_text(size_bytes: int | None) -> str:
    """`1.2 GB`; "-" where it is not known."""
    if size_bytes is None:
        return "-"
    size, units = float(size_bytes), ("B", "kB", "MB", "GB", "TB")
    for unit in units:
        if size < 1000 or unit == units[-1]:
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1000
    raise AssertionError


def confirmed(question: str, sure: bool) -> None:
    """Asks a person; leaves with code 1 on no. A program says --yes."""
    if not sure:
        typer.confirm(question, abort=True, err=True)
