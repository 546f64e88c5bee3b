"""`lightboard project ...`: projects and their members."""

from typing import Annotated, Any
from urllib.parse import quote

import typer

from lightboard.cli.output import say
from lightboard.cli.remote import AsJson, Columns, Url, confirmed, field, session_of, show_list, show_one, when

app = typer.Typer(name="project", help="Projects of a hub, and who is in them.", no_args_is_help=True)

Which = Annotated[str, typer.Argument(metavar="PROJECT", show_default=False)]
COLUMNS: Columns = (
    ("ID", field("id")),
    ("NAME", field("name")),
    ("DISPLAY NAME", field("display_name")),
    ("ROLE", field("role")),
    ("MEMBERS", field("members")),
    ("CREATED", when("created_at")),
)
MEMBERS: Columns = (("ACCOUNT", field("name")), ("ROLE", field("role")), ("SINCE", when("since")))


def route(project: str, *more: str) -> str:
    """The address of one project, or of something below it."""
    return "/".join(["/api/v1/projects", quote(project, safe=""), *(quote(part, safe="") for part in more)])


@app.command("ls")
def list_command(url: Url = None, as_json: AsJson = False) -> None:
    """Projects you are in."""
    with session_of(url, None) as session:
        show_list(session.get("/api/v1/projects")["items"], COLUMNS, as_json, "you are in no project yet")


@app.command()
def create(
    name: str,
    display_name: str = "",
    storage: Annotated[str, typer.Option(help="folder or bucket that storage: means here")] = "",
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """Make a project; you are its owner."""
    body = {"name": name, "display_name": display_name, "storage": storage}
    with session_of(url, None) as session:
        made: Any = session.ask("POST", "/api/v1/projects", body=body)
    show_one(made, [(head.lower(), cell) for head, cell in COLUMNS], as_json)


@app.command()
def delete(
    which: Which, yes: Annotated[bool, typer.Option("--yes", "-y", help="do not ask")] = False, url: Url = None
) -> None:
    """Delete a project; the logs are kept."""
    confirmed(f"Delete project {which} and its datasets? The logs are kept.", yes)
    with session_of(url, None) as session:
        session.ask("DELETE", route(which))
    say(f"{which} is deleted")


@app.command()
def members(which: Which, url: Url = None, as_json: AsJson = False) -> None:
    """Who is in it."""
    with session_of(url, None) as session:
        show_list(session.get(route(which, "members"))["items"], MEMBERS, as_json, "nobody")


@app.command()
def add(
    which: Which,
    account: str,
    role: Annotated[str, typer.Option(help="owner, admin, editor or viewer")] = "editor",
    url: Url = None,
) -> None:
    """Add an account, or give it another role."""
    with session_of(url, None) as session:
        session.ask("PUT", route(which, "members"), body={"account": account, "role": role})
    say(f"{account} is {role} of {which}")


@app.command()
def remove(which: Which, account: str, url: Url = None) -> None:
    """Take an account out."""
    with session_of(url, None) as session:
        session.ask("DELETE", route(which, "members", account))
    say(f"{account} is no member of {which} any more")
