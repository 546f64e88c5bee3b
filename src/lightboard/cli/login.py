"""`lightboard login`, `logout`, `whoami`: the hub and token that later commands use."""

import sys
from typing import Annotated

import typer

from lightboard.cli.output import say
from lightboard.cli.remote import AsJson, Output, ProjectName, Url, session_of
from lightboard.cli.tables import TABLE, show_one
from lightboard.client.session import Session
from lightboard.client.settings import DEFAULT_URL, Login, forget_login, keep_login


def login(
    address: Annotated[str, typer.Argument(metavar="[URL]", help="URL of the hub", show_default=True)] = DEFAULT_URL,
    project: ProjectName = None,
    token_stdin: Annotated[bool, typer.Option("--token-stdin", help="read the API token from standard input")] = False,
) -> None:
    """Store a hub and an API token for later commands; create the token on the hub's Tokens page."""
    if token_stdin or not sys.stdin.isatty():
        token = sys.stdin.readline().strip()
    else:
        token = typer.prompt("API token", hide_input=True, err=True).strip()
    address = address.rstrip("/")
    with Session(address, token, project) as session:
        me = session.get("/api/v1/me")
    file = keep_login(Login(url=address, token=token, project=project or ""))
    say(f"logged in to {address} as {me['account']['name']}; stored in {file}")


def logout() -> None:
    """Remove the stored hub and token; the token stays valid until it is deleted on the hub."""
    say("logged out" if forget_login() else "not logged in")


def whoami(url: Url = None, output: Output = TABLE, _json: AsJson = False) -> None:
    """Show the account that is logged in."""
    with session_of(url, None) as session:
        me = session.get("/api/v1/me")
    facts = (
        ("account", lambda item: str(item["account"]["name"])),
        ("projects", lambda item: ", ".join(f"{m['name']} ({m['role']})" for m in item["memberships"]) or "-"),
        ("TensorBoards", lambda item: f"{item['in_use']} of {item['account']['limit']} in use"),
    )
    show_one(me, facts, output)
