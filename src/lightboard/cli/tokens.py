"""`lightboard token ...`: API tokens of your account."""

from typing import Annotated, Any
from urllib.parse import quote

import typer

from lightboard.cli.output import say, show
from lightboard.cli.remote import AsJson, Output, Url, field, session_of, when
from lightboard.cli.spans import span_secs
from lightboard.cli.tables import TABLE, Columns, show_data, show_list

app = typer.Typer(name="token", help="API tokens of your account.", no_args_is_help=True)

COLUMNS: Columns = (
    ("ID", field("id")),
    ("NAME", field("name")),
    ("BEGINS", field("shown")),
    ("SCOPES", lambda item: ",".join(item["scopes"])),
    ("PROJECT", field("project")),
    ("EXPIRES", when("expires_at")),
    ("LAST USED", when("last_used_at")),
)


@app.command("ls")
def list_command(url: Url = None, output: Output = TABLE, _json: AsJson = False) -> None:
    """List your tokens, without their secrets."""
    with session_of(url, None) as session:
        show_list(session.get("/api/v1/tokens")["items"], COLUMNS, output, "no tokens")


@app.command()
def create(
    name: str,
    scope: Annotated[list[str] | None, typer.Option(help="read, write or admin; repeatable")] = None,
    for_project: Annotated[str, typer.Option("--for-project", help="valid for this project only")] = "",
    expires: Annotated[str, typer.Option(help="for example 30d; 0 for never")] = "0",
    url: Url = None,
    output: Output = TABLE,
    _json: AsJson = False,
) -> None:
    """Create a token. Its secret is printed once, to stdout."""
    body: dict[str, Any] = {"name": name, "project": for_project, "expires_secs": span_secs(expires) or None}
    if scope:
        body["scopes"] = scope
    with session_of(url, None) as session:
        token: Any = session.request("POST", "/api/v1/tokens", body=body)
    if output is not TABLE:
        show_data(token, output)
        return
    say(f"{name} ({token['id']}); store this secret, it is not shown again:")
    show(token["secret"])


@app.command()
def delete(which: Annotated[str, typer.Argument(metavar="ID")], url: Url = None) -> None:
    """Delete a token. It is invalid from now on."""
    with session_of(url, None) as session:
        session.request("DELETE", f"/api/v1/tokens/{quote(which, safe='')}")
    say(f"{which} deleted")
