"""`lightboard dataset ...`: named places with data."""

from typing import Annotated, Any
from urllib.parse import quote

import typer

from lightboard.cli.output import say
from lightboard.cli.remote import (
    AsJson,
    Columns,
    ProjectName,
    Url,
    confirmed,
    field,
    session_of,
    show_list,
    show_one,
    when,
)

app = typer.Typer(name="dataset", help="Datasets of a hub.", no_args_is_help=True)

Which = Annotated[str, typer.Argument(metavar="NAME_OR_ID", show_default=False)]
COLUMNS: Columns = (
    ("ID", field("id")),
    ("NAME", field("name")),
    ("KIND", field("kind")),
    ("URI", field("uri")),
    ("CREDENTIAL", field("credential")),
    ("OWNER", field("owner_name")),
    ("USED BY", field("used_by")),
    ("CREATED", when("created_at")),
)


def route(dataset: str) -> str:
    """The address of one."""
    return f"/api/v1/datasets/{quote(dataset, safe='')}"


@app.command("ls")
def list_command(url: Url = None, project: ProjectName = None, as_json: AsJson = False) -> None:
    """Datasets of your projects."""
    with session_of(url, project) as session:
        found = session.get("/api/v1/datasets", {"project": session.project})["items"]
    show_list(found, COLUMNS, as_json, "no datasets; lightboard dataset create makes one")


@app.command()
def create(
    name: str,
    uri: str,
    kind: Annotated[str, typer.Option(help="path, nfs, pvc, s3, gs, az, oss or reference; else as the uri says")] = "",
    credential: Annotated[str, typer.Option(help="name of a credential that the administrator laid down")] = "",
    url: Url = None,
    project: ProjectName = None,
    as_json: AsJson = False,
) -> None:
    """Make a dataset over a folder or a bucket."""
    scheme = uri.partition("://")[0] if "://" in uri else "path"
    with session_of(url, project) as session:
        body = {"name": name, "uri": uri, "kind": kind or scheme, "credential": credential, "project": session.project}
        made: Any = session.ask("POST", "/api/v1/datasets", body=body)
    show_one(made, [(head.lower(), cell) for head, cell in COLUMNS], as_json)


@app.command()
def get(which: Which, url: Url = None, project: ProjectName = None, as_json: AsJson = False) -> None:
    """Show one."""
    with session_of(url, project) as session:
        show_one(session.get(route(which)), [(head.lower(), cell) for head, cell in COLUMNS], as_json)


@app.command()
def delete(
    which: Which,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="do not ask")] = False,
    url: Url = None,
    project: ProjectName = None,
) -> None:
    """Remove a dataset from the hub; the data is kept."""
    confirmed(f"Delete dataset {which}? The data is kept.", yes)
    with session_of(url, project) as session:
        session.ask("DELETE", route(which))
    say(f"{which} is deleted; its data is kept")
