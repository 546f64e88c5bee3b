"""`lightboard project ...`: projects, their members, and what they may use."""

from typing import Annotated, Any
from urllib.parse import quote

import typer

from lightboard.cli.output import say, show
from lightboard.cli.remote import AsJson, Columns, Url, confirmed, field, session_of, show_list, show_one, when
from lightboard.client.projects import Project
from lightboard.errors import UsageError

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
BINDINGS: Columns = (
    ("ID", lambda item: item["id"] or "at start"),
    ("KIND", field("kind")),
    ("WHAT", field("shown")),
    ("CREDENTIAL", field("credential")),
    ("SINCE", when("created_at")),
)
FOLDERS: Columns = (
    ("PLACE", field("uri")),
    ("LOGS", lambda item: {True: "yes", False: "-"}.get(item["logs"], "?")),
    ("CHANGED", when("modified_at")),
)
INVITATIONS: Columns = (
    ("ID", field("id")),
    ("PROJECT", field("project_name")),
    ("ACCOUNT", field("account")),
    ("ROLE", field("role")),
    ("FROM", field("inviter_name")),
    ("UNTIL", when("expires_at")),
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
    """Give a member another role; for administrators of the hub, add an account."""
    with session_of(url, None) as session:
        session.ask("PUT", route(which, "members"), body={"account": account, "role": role})
    say(f"{account} is {role} of {which}")


@app.command()
def invite(
    which: Which,
    account: str,
    role: Annotated[str, typer.Option(help="owner, admin, editor or viewer")] = "editor",
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """Invite an account, which accepts or declines."""
    with session_of(url, None) as session:
        made = session.invite(which, account, role)
    show_one(made, [(head.lower(), cell) for head, cell in INVITATIONS], as_json)


@app.command()
def invitations(
    which: Annotated[str, typer.Argument(metavar="[PROJECT]", show_default=False)] = "",
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """Invitations that you have, or those to a project that you administer."""
    with session_of(url, None) as session:
        found = session.get(route(which, "invitations"))["items"] if which else session.invitations()
    show_list(found, INVITATIONS, as_json, "no invitations")


@app.command()
def withdraw(which: Which, invitation: str, url: Url = None) -> None:
    """Take an invitation back."""
    with session_of(url, None) as session:
        session.ask("DELETE", route(which, "invitations", invitation))
    say(f"{invitation} is withdrawn")


@app.command()
def accept(invitation: str, url: Url = None) -> None:
    """Accept an invitation: you are in the project then."""
    with session_of(url, None) as session:
        joined = session.accept(invitation)
    say(f"you are {joined['role']} of {joined['name']}")


@app.command()
def decline(invitation: str, url: Url = None) -> None:
    """Decline an invitation; who sent it is not told."""
    with session_of(url, None) as session:
        session.decline(invitation)
    say(f"{invitation} is declined")


@app.command()
def remove(which: Which, account: str, url: Url = None) -> None:
    """Take an account out."""
    with session_of(url, None) as session:
        session.ask("DELETE", route(which, "members", account))
    say(f"{account} is no member of {which} any more")


@app.command()
def folders(
    which: Which,
    root: Annotated[
        str, typer.Argument(help="one of the roots, or dataset:NAME; the roots are listed without it")
    ] = "",
    path: Annotated[str, typer.Option(help="below the root")] = "",
    prefix: Annotated[str, typer.Option(help="what names begin with")] = "",
    url: Url = None,
    as_json: AsJson = False,
) -> None:
    """Folders of the hub's machine in which to look for logs."""
    with session_of(url, None) as session:
        found = list(Project(which, session).folders(root, path, prefix))
    show_list(found, FOLDERS, as_json, "no folders here")


@app.command()
def bindings(which: Which, url: Url = None, as_json: AsJson = False) -> None:
    """Folders, buckets, credentials and datasets that it may use."""
    with session_of(url, None) as session:
        found = session.get(route(which, "bindings"))["items"]
    show_list(found, BINDINGS, as_json, "nothing but its own storage")


@app.command()
def bind(
    which: Which,
    root: Annotated[str, typer.Option(help="a folder of the hub's machine")] = "",
    storage: Annotated[str, typer.Option(help="an address in a bucket; --credential opens it")] = "",
    credential: Annotated[str, typer.Option(help="a credential, by its name")] = "",
    dataset: Annotated[str, typer.Option(help="a dataset of another project, by its id")] = "",
    url: Url = None,
) -> None:
    """Let it use something; for administrators. Prints the id of the binding."""
    body = binding_of(root, storage, credential, dataset)
    with session_of(url, None) as session:
        made: Any = session.ask("POST", route(which, "bindings"), body=body)
    show(made["id"])


def binding_of(root: str, storage: str, credential: str, dataset: str) -> dict[str, str]:
    """What is to be bound. Raises UsageError unless that is one thing."""
    places = {"root": root, "storage": storage, "dataset": dataset}
    given = {kind: value for kind, value in places.items() if value}
    if not given and credential:
        return {"kind": "credential", "value": credential}
    if len(given) != 1:
        raise UsageError("bind one thing at a time", hint="--root, --storage, --credential or --dataset")
    ((kind, value),) = given.items()
    return {"kind": kind, "value": value, "credential": credential}


@app.command()
def unbind(which: Which, binding: str, url: Url = None) -> None:
    """Take something away; TensorBoards that show it are stopped."""
    with session_of(url, None) as session:
        session.ask("DELETE", route(which, "bindings", binding))
    say(f"{which} may not use it any more")
