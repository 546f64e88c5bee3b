"""`lightboard permission ...`: permissions of accounts, for administrators."""

from typing import Annotated, Any
from urllib.parse import quote

import typer

from lightboard.cli.output import say
from lightboard.cli.remote import AsJson, Output, Url, field, session_of
from lightboard.cli.tables import TABLE, Columns, show_list
from lightboard.client.session import Session
from lightboard.errors import NotFound

app = typer.Typer(name="permission", help="Permissions of accounts on a hub.", no_args_is_help=True)

ROUTE = "/api/v1/permissions"
Which = Annotated[str, typer.Argument(metavar="PERMISSION", show_default=False)]
For = Annotated[str, typer.Option("--account", help="one account; default: all accounts without an exception")]
WORDS = {True: "allowed", False: "denied"}
COLUMNS: Columns = (
    ("PERMISSION", field("name")),
    ("ACCOUNTS", lambda item: WORDS[item["allowed"]]),
    ("DESCRIPTION", field("what")),
)


@app.command("ls")
def list_command(account: For = "", url: Url = None, output: Output = TABLE, _json: AsJson = False) -> None:
    """List the permissions of all accounts, or of one."""
    with session_of(url, None) as session:
        items = session.get(ROUTE)["items"]
        if account:
            has = account_of(session, account)["permissions"]
            items = [{**item, "allowed": item["name"] in has} for item in items]
    show_list(items, COLUMNS, output, "none")


@app.command()
def allow(which: Which, account: For = "", url: Url = None) -> None:
    """Allow a permission."""
    put(url, which, account, True)


@app.command()
def deny(which: Which, account: For = "", url: Url = None) -> None:
    """Deny a permission."""
    put(url, which, account, False)


@app.command()
def reset(
    which: Which, account: Annotated[str, typer.Option("--account", help="the account")], url: Url = None
) -> None:
    """Remove the exception of an account."""
    put(url, which, account, None)


def put(url: str | None, which: str, account: str, allowed: bool | None) -> None:
    """Set a permission, for all accounts or for one."""
    route = f"/api/v1/accounts/{quote(account, safe='')}" if account else ROUTE
    with session_of(url, None) as session:
        session.request("PATCH", route, body={"permissions": {which: allowed}})
    word = "reset to the default" if allowed is None else WORDS[allowed]
    say(f"{which} is {word} for {account or 'all accounts without an exception'}")


def account_of(session: Session, name: str) -> Any:
    """The account with this name or id. Raises NotFound."""
    for item in session.get("/api/v1/accounts", {"search": name})["items"]:
        if name in (item["name"], item["id"]):
            return item
    raise NotFound(f"there is no account {name}", hint="the Accounts page lists all")
