"""Prints what commands list: tables for people, and JSON or YAML for programs."""

import json
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from typing import Any

from lightboard.cli.output import plain, say, show
from lightboard.cli.yaml_text import yaml_text

MIN_COLUMNS = 4
"""The number of columns that are always shown, with folded lines if needed."""

Columns = Sequence[tuple[str, Callable[[Any], str]]]
"""Column headers, and functions that format an item."""


class Format(StrEnum):
    """How lists and details are printed."""

    TABLE = "table"
    JSON = "json"
    YAML = "yaml"


TABLE = Format.TABLE
"""What people get who ask for nothing else."""


def show_data(value: Any, output: Format) -> None:
    """Print the data of a response, as JSON or YAML."""
    show(yaml_text(value) if output is Format.YAML else json.dumps(value, ensure_ascii=False, indent=2))


def show_list(items: Iterable[Any], columns: Columns, output: Format, empty: str) -> None:
    """Print a table, or the data of the items."""
    rows = list(items)
    if output is not TABLE:
        show_data(rows, output)
        return
    if not rows:
        say(empty)
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    terminal = Console()
    cells = [[plain(cell(row)) for row in rows] for _, cell in columns]
    shown = fitting_columns([max(map(len, (head, *texts))) for (head, _), texts in zip(columns, cells, strict=True)],
                    terminal.width if terminal.is_terminal else None)  # fmt: skip
    table = Table(box=None, pad_edge=False, show_edge=False)
    for index in shown:
        table.add_column(columns[index][0], overflow="fold")
    for line in range(len(rows)):
        table.add_row(*(Text(cells[index][line]) for index in shown))
    # Output to a pipe must not be cut to the width of a terminal.
    (terminal if terminal.is_terminal else Console(width=sum(len(text) for row in cells for text in row) + 1000)).print(
        table
    )
    if len(shown) < len(columns):
        left = ", ".join(head.lower() for index, (head, _) in enumerate(columns) if index not in shown)
        say(f"not shown because the terminal is too narrow: {left}; use a wider one or --output json")


def fitting_columns(widths: Sequence[int], room: int | None, gap: int = 2) -> list[int]:
    """The indices of the first columns that fit into `room` characters, at least four. All columns if it is None."""
    shown = list(range(len(widths)))
    while room is not None and len(shown) > MIN_COLUMNS and sum(widths[i] + gap for i in shown) > room + gap:
        shown.pop()
    return shown


def show_one(item: Any, fields: Columns, output: Format) -> None:
    """Print one item with a line per field, or its data."""
    if output is not TABLE:
        show_data(item, output)
        return
    width = max(len(head) for head, _ in fields)
    for head, cell in fields:
        show(f"{head:<{width}}  {plain(cell(item))}")
