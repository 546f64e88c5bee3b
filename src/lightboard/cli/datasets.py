"""`lightboard dataset ...`: named places with data."""

from typing import Annotated, Any
from urllib.parse import quote

import typer

from lightboard.cli.output import say
from lightboard.cli.remote import AsJson, Output, ProjectName, Url, confirm, field, session_of, when
from lightboard.cli.tables import TABLE, Columns, show_list, show_one

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
    """The path of a dataset."""
    return f"/api/v1/datasets/{quote(dataset, safe='')}"


@app.command("ls")
def list_command(url: Url = None, project: ProjectName = None, output: Output = TABLE, _json: AsJson = False) -> None:
    """List the datasets of your projects."""
    with session_of(url, project) as session:
        datasets = session.get("/api/v1/datasets", {"project": session.project})["items"]
    show_list(datasets, COLUMNS, output, "no datasets; create one with lightboard dataset create")


@app.command()
def create(
    name: str,
    uri: str,
    kind: Annotated[
        str, typer.Option(help="path, storage, nfs, pvc, s3, gs, az, oss or reference; default: by the URI")
    ] = "",
    credential: Annotated[str, typer.Option(help="name of a credential on the hub")] = "",
    url: Url = None,
    project: ProjectName = None,
    output: Output = TABLE,
    _json: AsJson = False,
) -> None:
    """Create a dataset for a folder, part of the project's storage, or a bucket."""
    scheme = uri.partition("://")[0] if "://" in uri else "storage" if uri.startswith("storage:") else "path"
    with session_of(url, project) as session:
        body = {"name": name, "uri": uri, "kind": kind or scheme, "credential": credential, "project": session.project}
        dataset: Any = session.request("POST", "/api/v1/datasets", body=body)
    show_one(dataset, [(head.lower(), cell) for head, cell in COLUMNS], output)


@app.command()
def get(
    which: Which, url: Url = None, project: ProjectName = None, output: Output = TABLE, _json: AsJson = False
) -> None:
    """Show a dataset."""
    with session_of(url, project) as session:
        show_one(session.get(route(which)), [(head.lower(), cell) for head, cell in COLUMNS], output)


@app.command()
def delete(
    which: Which,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="do not ask for confirmation")] = False,
    url: Url = None,
    project: ProjectName = None,
) -> None:
    """Remove a dataset from the hub; the data is kept."""
    confirm(f"Delete dataset {which}? The data is kept.", yes)
    with session_of(url, project) as session:
        session.request("DELETE", route(which))
    say(f"{which} deleted; its data is kept")
