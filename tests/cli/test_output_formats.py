"""`--output` of the commands for a hub."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from typer.main import get_command

from lightboard.cli.hub_client import app
from lightboard.cli.main import main
from support.hub_cli import HubCli


def commands(name: str, command: Any) -> Iterator[tuple[str, Any]]:
    """All commands below one, by their words."""
    for below, each in getattr(command, "commands", {}).items():
        yield from commands(f"{name} {below}".strip(), each)
    if not hasattr(command, "commands"):
        yield name, command


def test_what_prints_json_prints_yaml() -> None:
    """By the same two flags everywhere."""
    flags = {
        name: {flag for each in command.params for flag in each.opts}
        for name, command in commands("", get_command(app))
    }
    formats = {name: found & {"--json", "--output", "-o"} for name, found in flags.items()}

    assert {name: found for name, found in formats.items() if found not in (set(), {"--json", "--output", "-o"})} == {}
    assert {"ps", "status", "top", "job get", "job queue", "notebook ls", "tb ls", "project bindings", "whoami"} <= {
        name for name, found in formats.items() if found
    }


def test_the_data_is_the_same_in_both(cli: HubCli) -> None:
    """`--json` is the same as `--output json`; what is empty is an empty list."""
    printed = [cli("whoami", *flags) for flags in (("--json",), ("-o", "json"), ("--output", "yaml"))]

    assert printed[0] == printed[1]
    assert yaml.safe_load(printed[2]) == json.loads(printed[0])
    assert (cli("job", "ls", "-o", "yaml"), cli("tb", "ls", "-o", "json")) == ("[]\n", "[]\n")


@pytest.mark.parametrize(
    ("words", "message", "hint"),
    [
        ("--json -o yaml", "--json and --output yaml contradict each other", "use one of them"),
        (
            "-o xml",
            "Invalid value for '--output' / '-o': Value error, 'xml' is not one of 'table', 'json', 'yaml'.",
            "lightboard whoami --help",
        ),
    ],
)
def test_mistakes_are_told(words: str, message: str, hint: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Before any request."""
    code = main(["whoami", "--url", "http://127.0.0.1:1", *words.split()])

    assert (code, capsys.readouterr().err.splitlines()) == (2, [f"lightboard: {message}", f"hint: {hint}"])
