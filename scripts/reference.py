"""Writes tables of flags, commands, signatures and routes to the pages in docs/, between marks.

--check only prints which pages are stale. The text around the marks is written by hand.
"""

import argparse
import inspect
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from typer.main import get_command

import lightboard
from lightboard.cli import flags as board_flags
from lightboard.cli import hub as hub_flags
from lightboard.cli.hub_client import app

DOCS = Path(__file__).resolve().parents[1] / "docs"
MARK = re.compile(r"<!-- (?P<name>[^\n]+), by scripts/reference\.py -->\n.*?<!-- end -->", re.DOTALL)


def pages() -> dict[str, Callable[[str], str]]:
    """For each page, a function that returns the text between the marks of a name."""
    return {
        "flags.md": lambda _: flag_table(board_flags.parser()),
        "hub-flags.md": lambda _: flag_table(hub_flags.parser()),
        "cli-hub.md": {name: usage(name, command) for name, command in commands()}.__getitem__,
        "sdk.md": lambda name: f"```py\n{signature(name)}\n```",
        "http.md": lambda _: route_table("openapi.json"),
        "hub-http.md": lambda _: route_table("hub-openapi.json"),
    }


def markdown(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(cells).strip()} |" for cells in lines)


def escape_cell(text: str) -> str:
    """Escape a text for a cell of a Markdown table."""
    return re.sub(r"([|<*])", r"\\\1", " ".join(text.split()))


def anchor(heading: str) -> str:
    """The anchor that GitHub gives to a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def flag_table(parser: argparse.ArgumentParser) -> str:
    """All flags of the board or the hub, with links to their headings."""
    rows = []
    for action in parser._actions:
        names = [name for name in action.option_strings if name.startswith("--")]
        if names and action.help != argparse.SUPPRESS:
            values = list(action.choices or [action.metavar]) if action.nargs != 0 else []
            links = ", ".join(f"[`{name}`](#{anchor(name)})" if name != "--helpfull" else f"`{name}`" for name in names)
            rows.append((links, ", ".join(f"`{value}`" for value in values), escape_cell(action.help or "")))
    return markdown(("Flag", "Value", "Meaning"), rows)


def commands() -> Iterator[tuple[str, Any]]:
    """All commands that talk to a hub, with their full names."""
    pending = [("lightboard", get_command(app))]
    while pending:
        name, command = pending.pop()
        if subcommands := getattr(command, "commands", None):
            pending += [(f"{name} {word}", subcommand) for word, subcommand in subcommands.items()]
        else:
            yield name, command


def usage(name: str, command: Any) -> str:
    """The usage line of a command, and the table of its arguments and flags."""
    arguments = [param for param in command.params if param.param_type_name == "argument"]
    options = [param for param in command.params if param.param_type_name == "option"]
    words = [*(argument_usage(argument) for argument in arguments), *(["[FLAGS]"] if options else [])]
    if not command.context_settings.get("allow_interspersed_args", True):
        words.sort(key=lambda word: word != "[FLAGS]")
    rows = [(f"`{argument_usage(argument)}`", escape_cell(argument.help)) for argument in arguments if argument.help]
    for option in options:
        names = ", ".join(f"`{flag}`" for flag in (*option.opts, *option.secondary_opts))
        value = "" if option.is_flag else f" `{option.metavar or option.name.upper()}`"
        rows.append((names + value, escape_cell(option.help or "")))
    table = f"\n\n{markdown(('Argument or flag', 'Meaning'), rows)}" if rows else ""
    return f"```\n{' '.join([name, *words])}\n```{table}"


def argument_usage(argument: Any) -> str:
    """An argument in a usage line."""
    word = (argument.metavar or argument.name.upper()).strip("[].")
    word = f"{word}..." if argument.nargs == -1 else word
    return word if argument.required else f"[{word}]"


def signature(name: str) -> str:
    """The signature of a public name of the SDK, or the type of a property."""
    owner, _, member = name.partition(".")
    if not member:
        return f"{name}{format_signature(inspect.signature(getattr(lightboard, name)))}"
    attribute = inspect.getattr_static(getattr(lightboard, owner), member)
    if isinstance(attribute, property):
        return f"{name}: {format_signature(inspect.signature(attribute.fget)).rpartition('-> ')[2]}"
    method = format_signature(inspect.signature(getattr(getattr(lightboard, owner), member)), owner)
    return name + re.sub(r"\((\s*)self(?:, |,\n    |(?=\)))", r"(\1", method)


def format_signature(original: inspect.Signature, owner: str = "") -> str:
    """A signature without the modules of its types, on several lines if it is long. `owner` is the type of Self."""
    text = re.sub(r"\b(?:\w+\.)+(?=[A-Z])|'(?=\w+'\])|(?<=\w)'(?=\])", "", str(original)).replace("Self", owner)
    text = text.removesuffix(" -> None")
    if len(text) < 90:
        return text
    inside, _, result = text[1:].rpartition(")")
    return "(\n    " + ",\n    ".join(re.split(r", (?=\w+: |\*)", inside)) + f",\n){result}"


def route_table(document: str) -> str:
    """All routes of an OpenAPI document, with links to their headings."""
    paths = json.loads((DOCS / document).read_text(encoding="utf-8"))["paths"]
    rows = []
    for path, methods in paths.items():
        for method, operation in methods.items():
            heading = f"{method.upper()} {path}"
            cells = [f"[`{heading}`](#{anchor(heading)})", escape_cell(operation["summary"])]
            rows.append([*cells, f"`{operation['x-right']}`"] if "x-right" in operation else cells)
    return markdown(("Route", "Meaning", "Right")[: len(rows[0])], rows)


def update_page(page: str, text: str) -> str:
    """A page with the current text between its marks."""
    make = pages()[page]
    return MARK.sub(lambda match: f"{match[0].partition(chr(10))[0]}\n{make(match['name'])}\n<!-- end -->", text)


def main() -> int:
    """Write or check all pages. Returns the exit status."""
    stale = []
    for page in pages():
        old = (DOCS / page).read_text(encoding="utf-8")
        new = update_page(page, old)
        if new != old:
            stale.append(f"docs/{page}")
        if "--check" not in sys.argv:
            (DOCS / page).write_text(new, encoding="utf-8")
    if stale and "--check" in sys.argv:
        print(f"stale: {', '.join(stale)}; run `make docs`", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
