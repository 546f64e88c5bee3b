"""`lightboard secret ...`: values that jobs get in their variables, and that nobody is shown."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from lightboard.cli.output import say
from lightboard.cli.remote import AsJson, Output, ProjectName, Sure, Url, confirm, field, session_of, when
from lightboard.cli.tables import TABLE, Columns, show_list
from lightboard.client.projects import Project
from lightboard.client.session import Session
from lightboard.errors import UsageError

app = typer.Typer(name="secret", help="Secrets of a project: jobs use them, nobody sees them.", no_args_is_help=True)

Which = Annotated[str, typer.Argument(metavar="NAME", show_default=False)]
COLUMNS: Columns = (
    ("NAME", field("name")),
    ("OWNER", field("owner_name")),
    ("ADDED", when("created_at")),
    ("CHANGED", when("updated_at")),
)
HINT = "lightboard secret add NAME < FILE, or NAME @FILE, or NAME alone to be asked for it"


@app.command("ls")
def list_command(url: Url = None, project: ProjectName = None, output: Output = TABLE, _json: AsJson = False) -> None:
    """List the names of the secrets of a project."""
    with session_of(url, project) as session:
        items = project_of(session).secrets()
    show_list(items, COLUMNS, output, "no secrets; add one with lightboard secret add NAME")


@app.command()
def add(
    which: Which,
    value: Annotated[
        str, typer.Argument(metavar="[@FILE]", help="file with the value; default: asked for, or read from stdin")
    ] = "",
    url: Url = None,
    project: ProjectName = None,
) -> None:
    """Add a secret, or replace its value. Jobs get it in a variable with --env VARIABLE=secret:NAME."""
    text = value_of(value)
    with session_of(url, project) as session:
        made = project_of(session).add_secret(which, text)
    say(f"{which} added" if made["version"] == 1 else f"{which} replaced; jobs get the new value when they start")


@app.command()
def rm(which: Which, yes: Sure = False, url: Url = None, project: ProjectName = None) -> None:
    """Delete a secret. Jobs that run keep its value; others that have it cannot start."""
    confirm(f"Delete secret {which}? Jobs with it cannot start any more.", yes)
    with session_of(url, project) as session:
        project_of(session).delete_secret(which)
    say(f"{which} deleted")


def project_of(session: Session) -> Project:
    """The project of the session, or else the default one."""
    return Project(session.project, session) if session.project else Project.default(session)


def value_of(argument: str) -> str:
    """The value of a secret, from a file, stdin or a prompt. Raises UsageError; a value in the argument is refused."""
    if argument.startswith("@"):
        return text_of(Path(argument[1:]).expanduser())
    if argument:
        raise UsageError("a value on the command line stays in the history of the shell", hint=HINT)
    if sys.stdin.isatty():
        return str(typer.prompt("Value", hide_input=True, err=True))
    try:
        text = sys.stdin.read()
    except ValueError:
        raise UsageError("the value is not UTF-8", hint="encode binary data, for example with base64") from None
    if not text.strip():
        raise UsageError("there is no value", hint=HINT)
    return text.removesuffix("\n").removesuffix("\r")  # what `echo` adds


def text_of(file: Path) -> str:
    """The whole content of a file. Raises UsageError."""
    try:
        return file.read_bytes().decode()
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}", hint=HINT) from None
    except ValueError:
        raise UsageError(f"{file} is not UTF-8", hint="encode binary data, for example with base64") from None
