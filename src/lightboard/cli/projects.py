"""`lightboard project ...`: projects, their members and bindings."""

from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

import typer

from lightboard.cli.output import say, show
from lightboard.cli.project_files import DEFAULT_CODE_DIRECTORY, DEFAULT_NAME, ProjectFolder, default_slug
from lightboard.cli.remote import AsJson, Output, Url, confirm, field, session_of, when
from lightboard.cli.tables import TABLE, Columns, show_list, show_one
from lightboard.client.projects import Project
from lightboard.client.session import Session
from lightboard.errors import NotFound, UsageError

app = typer.Typer(name="project", help="Projects of a hub, their members and bindings.", no_args_is_help=True)

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
    ("VALUE", field("shown")),
    ("CREDENTIAL", field("credential")),
    ("SINCE", when("created_at")),
)
FOLDERS: Columns = (
    ("FOLDER", field("uri")),
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
    """The path of a project, or of something in it."""
    return "/".join(["/api/v1/projects", quote(project, safe=""), *(quote(part, safe="") for part in more)])


@app.command("ls")
def list_command(url: Url = None, output: Output = TABLE, _json: AsJson = False) -> None:
    """List your projects."""
    with session_of(url, None) as session:
        show_list(session.get("/api/v1/projects")["items"], COLUMNS, output, "you are not a member of any project")


@app.command()
def create(
    name: str,
    display_name: str = "",
    storage: Annotated[str, typer.Option(help="folder or bucket for storage: paths")] = "",
    reuse: Annotated[
        bool, typer.Option("--reuse", help="return an existing one of this name that you can use")
    ] = False,
    url: Url = None,
    output: Output = TABLE,
    _json: AsJson = False,
) -> None:
    """Create a project. You become its owner."""
    body = {"name": name, "display_name": display_name, "storage": storage}
    with session_of(url, None) as session:
        project: Any = (existing_project(session, name) if reuse else None) or session.request(
            "POST", "/api/v1/projects", body=body
        )
    show_one(project, [(head.lower(), cell) for head, cell in COLUMNS], output)


def existing_project(session: Session, name: str) -> dict[str, Any] | None:
    """The project of this name that the account sees, None if there is none."""
    try:
        found: dict[str, Any] = session.get(route(name))
    except NotFound:
        return None
    return found


@app.command()
def init() -> None:
    """Create a folder here with a Makefile and a training program for a hub. Asks for names."""
    name = typer.prompt("project_name", default=DEFAULT_NAME)
    slug = typer.prompt("project_slug", default=default_slug(name))
    code = typer.prompt("code_directory", default=DEFAULT_CODE_DIRECTORY)
    folder = ProjectFolder(name=name, slug=slug, code_directory=code).create(Path.cwd())
    say(f"created {folder}")
    say(f"next: cd {folder.name}, make setup, make train, make tensorboard")


@app.command()
def delete(
    which: Which,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="do not ask for confirmation")] = False,
    url: Url = None,
) -> None:
    """Delete a project; the logs are kept."""
    confirm(f"Delete project {which} and its datasets? The logs are kept.", yes)
    with session_of(url, None) as session:
        session.request("DELETE", route(which))
    say(f"{which} deleted")


@app.command()
def members(which: Which, url: Url = None, output: Output = TABLE, _json: AsJson = False) -> None:
    """List the members of a project."""
    with session_of(url, None) as session:
        show_list(session.get(route(which, "members"))["items"], MEMBERS, output, "no members")


@app.command()
def add(
    which: Which,
    account: str,
    role: Annotated[str, typer.Option(help="owner, admin, editor or viewer")] = "editor",
    url: Url = None,
) -> None:
    """Change the role of a member; administrators of the hub can also add accounts."""
    with session_of(url, None) as session:
        session.request("PUT", route(which, "members"), body={"account": account, "role": role})
    say(f"{account} is now {role} of {which}")


@app.command()
def invite(
    which: Which,
    account: str,
    role: Annotated[str, typer.Option(help="owner, admin, editor or viewer")] = "editor",
    url: Url = None,
    output: Output = TABLE,
    _json: AsJson = False,
) -> None:
    """Invite an account to a project."""
    with session_of(url, None) as session:
        invitation = session.invite(which, account, role)
    show_one(invitation, [(head.lower(), cell) for head, cell in INVITATIONS], output)


@app.command()
def invitations(
    which: Annotated[str, typer.Argument(metavar="[PROJECT]", show_default=False)] = "",
    url: Url = None,
    output: Output = TABLE,
    _json: AsJson = False,
) -> None:
    """List your invitations, or those of a project that you administer."""
    with session_of(url, None) as session:
        listing = session.get(route(which, "invitations"))["items"] if which else session.invitations()
    show_list(listing, INVITATIONS, output, "no invitations")


@app.command()
def withdraw(which: Which, invitation: str, url: Url = None) -> None:
    """Withdraw an invitation."""
    with session_of(url, None) as session:
        session.request("DELETE", route(which, "invitations", invitation))
    say(f"{invitation} withdrawn")


@app.command()
def accept(invitation: str, url: Url = None) -> None:
    """Accept an invitation and join the project."""
    with session_of(url, None) as session:
        joined = session.accept(invitation)
    say(f"you are now {joined['role']} of {joined['name']}")


@app.command()
def decline(invitation: str, url: Url = None) -> None:
    """Decline an invitation; the inviter is not notified."""
    with session_of(url, None) as session:
        session.decline(invitation)
    say(f"{invitation} declined")


@app.command()
def remove(which: Which, account: str, url: Url = None) -> None:
    """Remove a member from a project."""
    with session_of(url, None) as session:
        session.request("DELETE", route(which, "members", account))
    say(f"{account} removed from {which}")


@app.command()
def folders(
    which: Which,
    root: Annotated[str, typer.Argument(help="a root, or dataset:NAME; without it, the roots are listed")] = "",
    path: Annotated[str, typer.Option(help="path below the root")] = "",
    prefix: Annotated[str, typer.Option(help="prefix of names")] = "",
    url: Url = None,
    output: Output = TABLE,
    _json: AsJson = False,
) -> None:
    """Browse folders of the hub's machine for logs."""
    with session_of(url, None) as session:
        listing = list(Project(which, session).folders(root, path, prefix))
    show_list(listing, FOLDERS, output, "no folders")


@app.command()
def bindings(which: Which, url: Url = None, output: Output = TABLE, _json: AsJson = False) -> None:
    """List what a project may use: folders, buckets, credentials and datasets."""
    with session_of(url, None) as session:
        listing = session.get(route(which, "bindings"))["items"]
    show_list(listing, BINDINGS, output, "nothing but the storage of the project")


@app.command()
def bind(
    which: Which,
    root: Annotated[str, typer.Option(help="a folder on the hub's machine")] = "",
    storage: Annotated[str, typer.Option(help="a URL in a bucket, with --credential")] = "",
    credential: Annotated[str, typer.Option(help="name of a credential")] = "",
    dataset: Annotated[str, typer.Option(help="id of a dataset of another project")] = "",
    url: Url = None,
) -> None:
    """Bind something to a project (administrators only). Prints the id of the binding."""
    body = binding_of(root, storage, credential, dataset)
    with session_of(url, None) as session:
        binding: Any = session.request("POST", route(which, "bindings"), body=body)
    show(binding["id"])


def binding_of(root: str, storage: str, credential: str, dataset: str) -> dict[str, str]:
    """The request body. Raises UsageError unless exactly one thing is given."""
    values = {"root": root, "storage": storage, "dataset": dataset}
    set_values = {kind: value for kind, value in values.items() if value}
    if not set_values and credential:
        return {"kind": "credential", "value": credential}
    if len(set_values) != 1:
        raise UsageError("bind one thing at a time", hint="use --root, --storage, --credential or --dataset")
    ((kind, value),) = set_values.items()
    return {"kind": kind, "value": value, "credential": credential}


@app.command()
def unbind(which: Which, binding: str, url: Url = None) -> None:
    """Remove a binding; TensorBoards that need it are stopped."""
    with session_of(url, None) as session:
        session.request("DELETE", route(which, "bindings", binding))
    say(f"{binding} removed from {which}")
