"""`lightboard image ...`: the environments of jobs and notebooks."""

from typing import Annotated, Any
from urllib.parse import quote

import typer

from lightboard.cli.log_output import show_log_line
from lightboard.cli.output import say, show
from lightboard.cli.remote import AsJson, Output, Url, field, session_of, when
from lightboard.cli.tables import TABLE, Columns, show_data, show_list, show_one
from lightboard.client.session import Session
from lightboard.sizes import size_text

app = typer.Typer(name="image", help="Images: the environments of jobs and notebooks.", no_args_is_help=True)

ROUTE = "/api/v1/images"
PART_BYTES = 1 << 20
Which = Annotated[str, typer.Argument(metavar="NAME", show_default=False)]
COLUMNS: Columns = (
    ("NAME", field("name")),
    ("STATE", field("state")),
    ("PYTHON", field("python")),
    ("PACKAGES", field("packages")),
    ("SIZE", lambda item: "-" if item["size_bytes"] is None else size_text(item["size_bytes"])),
    ("NOTEBOOKS", lambda item: "yes" if item["notebooks"] else "no"),
    ("DIGEST", lambda item: item["digest"][:12] or "-"),
    ("MESSAGE", field("message")),
)
FIELDS: Columns = (
    *((head.lower(), cell) for head, cell in COLUMNS if head != "DIGEST"),
    ("digest", field("digest")),
    ("built", lambda item: "-" if item["built_at"] is None else when("built_at")(item)),
    ("source", field("source")),
)


def route(name: str) -> str:
    """The path of an image, whose name may have slashes."""
    return f"{ROUTE}/{quote(name)}"


@app.command("ls")
def list_command(url: Url = None, output: Output = TABLE, _json: AsJson = False) -> None:
    """List the images of the hub."""
    with session_of(url, None) as session:
        show_list(session.get(ROUTE)["images"], COLUMNS, output, "no images; jobs run in the environment of the hub")


@app.command()
def get(which: Which, url: Url = None, output: Output = TABLE, _json: AsJson = False) -> None:
    """Show an image and its packages."""
    with session_of(url, None) as session:
        image = session.get(route(which))
    show_one(image, FIELDS, output)
    if output is TABLE:
        for package in image["installed"]:
            show(f"  {package['name']}=={package['version']}")


@app.command()
def log(which: Which, url: Url = None, output: Output = TABLE, _json: AsJson = False) -> None:
    """Print the log of the last build of an image, for administrators."""
    with session_of(url, None) as session:
        lines = read_log(session, which)
    if output is not TABLE:
        show_data(lines, output)
        return
    for line in lines:
        show_log_line(line["text"])


@app.command()
def rebuild(which: Which, url: Url = None) -> None:
    """Build an image again whose build has failed, for administrators."""
    with session_of(url, None) as session:
        image: Any = session.request("PUT", f"{route(which)}/rebuild")
    say(f"{which} is {image['state']}")


def read_log(session: Session, name: str) -> list[Any]:
    """All lines that there are."""
    lines: list[Any] = []
    cursor = 0
    while True:
        part = session.get(f"{route(name)}/log", {"cursor": cursor, "max_bytes": PART_BYTES})
        if not part["lines"]:
            return lines
        lines += part["lines"]
        cursor = part["cursor"]
