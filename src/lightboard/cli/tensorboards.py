"""`lightboard tb ...`: TensorBoards of a hub from the command line."""

import os
import re
import sys
import time
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from lightboard.cli.output import say, show
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
    size_text,
    time_text,
    when,
)
from lightboard.cli.spans import span_secs, span_text
from lightboard.client.session import Session
from lightboard.client.tensorboards import TensorBoard, list_tensorboards, route
from lightboard.errors import UsageError

app = typer.Typer(name="tb", help="TensorBoards of a hub: make, find, open, stop, share, delete.", no_args_is_help=True)

Which = Annotated[str, typer.Argument(metavar="NAME_OR_ID", show_default=False)]
Several = Annotated[list[str], typer.Argument(metavar="NAME_OR_ID...", show_default=False)]
NoWait = Annotated[bool, typer.Option("--no-wait", help="come back at once")]
TOP_PAUSE_SECS = 2.0
SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:")


def ends(item: Any) -> str:
    """When its life span ends, and, where that comes first, when it stops for want of visitors."""
    expires_at, idle_at = item["expires_at"], item["idle_at"]
    parts = [] if expires_at is None else [time_text(expires_at)]
    if idle_at is not None and (expires_at is None or idle_at < expires_at):
        parts.append(f"idle in {span_text(idle_at - time.time())}")
    return ", ".join(parts) or "-"


def life_text(item: Any) -> str:
    """Until when it runs; for how long, where it does not run now."""
    if not item["life_span_secs"]:
        return "without end"
    expires_at = item["expires_at"]
    return f"for {span_text(item['life_span_secs'])}" if expires_at is None else f"until {time_text(expires_at)}"


def step_text(step: Any) -> str:
    """One step of its history; another life span with its end, and who gave it."""
    words = [time_text(step["at"]), step["status"], step["reason"]]
    if step.get("life_span_secs") is not None:  # older hubs do not tell
        words += [life_text(step), f"by {step['actor']}"]
    return " ".join(word for word in words if word)


def status_text(item: Any) -> str:
    """The status, and its reason where that says more."""
    return f"{item['status']} {item['reason']}" if item["reason"] not in ("", "Ready") else str(item["status"])


def sources_text(item: Any) -> str:
    """The first place, and how many more there are."""
    first, *more = (source["text"] for source in item["sources"])
    return f"{first} +{len(more)}" if more else str(first)


COLUMNS: Columns = (
    ("NAME", field("name")),
    ("STATUS", status_text),
    ("LINK", field("app_uri")),
    ("CREATED", when("created_at")),
    ("ENDS", ends),
    ("OWNER", field("owner_name")),
    ("SOURCES", sources_text),
    ("ORIGIN", field("origin")),
    ("ID", field("id")),
)

DETAILS: Columns = (
    ("id", field("id")),
    ("name", field("name")),
    ("display name", field("display_name")),
    ("status", status_text),
    ("message", field("message")),
    ("link", field("app_uri")),
    ("project", field("project_name")),
    ("owner", field("owner_name")),
    ("created", when("created_at")),
    ("ends", ends),
    ("sources", lambda item: ", ".join(f"{source['text']} ({source['id']})" for source in item["sources"])),
    ("runs", lambda item: str(item["progress"]["runs"])),
    ("read", lambda item: size_text(item["progress"]["bytes_read"])),
    ("points in memory", lambda item: size_text(item["memory_bytes"])),
    ("history", lambda item: " -> ".join(map(step_text, item["transitions"]))),
)


@app.command()
def create(
    places: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PLACE]...",
            help="/a/folder, storage:path, dataset:name/path, s3:// gs:// az:// oss://",
            show_default=False,
        ),
    ] = None,
    dataset: Annotated[str | None, typer.Option(help="a dataset, with --path below it")] = None,
    path: Annotated[str, typer.Option(help="the log path in the dataset")] = "",
    name: Annotated[str, typer.Option(help="its name in addresses; made up if not given")] = "",
    display_name: Annotated[str | None, typer.Option(help="what people call it")] = None,
    life_span: Annotated[
        str | None, typer.Option(help="running time until it stops, as 1d or 2h30m; 0 for no end")
    ] = None,
    idle: Annotated[str | None, typer.Option(help="time without visitors until it stops; 0 for never")] = None,
    access: Annotated[str, typer.Option(help="private, project or public_link")] = "private",
    http_auth: Annotated[bool, typer.Option("--http-auth/--no-http-auth", help="login in front of the link")] = True,
    tag: Annotated[list[str] | None, typer.Option(help="may be given several times")] = None,
    label: Annotated[list[str] | None, typer.Option(metavar="KEY=VALUE", help="may be given several times")] = None,
    reuse: Annotated[bool, typer.Option("--reuse", help="take up one over the same logs, if there is one")] = False,
    browse: Annotated[bool, typer.Option("--browse", help="open it in the browser")] = False,
    no_wait: NoWait = False,
    url: Url = None,
    project: ProjectName = None,
    as_json: AsJson = False,
) -> None:
    """Make a TensorBoard over logs; the folder must be there, runs may come later."""
    sources: list[str | dict[str, str]] = [whole(place) for place in places or []]
    sources += [{"dataset": dataset, "path": path}] if dataset else []
    if not sources:
        raise UsageError(
            "no place with logs was given", hint="lightboard tb create /a/folder, or --dataset NAME --path P"
        )
    with session_of(url, project) as session:
        board = TensorBoard.create(
            wait=False,
            display_name=display_name,
            session=session,
            name=name,
            sources=sources,
            life_span=None if life_span is None else span_secs(life_span),
            idle_timeout=None if idle is None else span_secs(idle),
            http_auth=http_auth,
            access=access,
            labels=dict(pair(each) for each in label or []),
            tags=tag or [],
            origin="cli",
            reuse=reuse,
        )
        if not no_wait:
            board.wait(say=say)
        report(board, as_json)
        if browse:
            board.open()


def whole(place: str) -> str:
    """A folder of this machine by its whole path, since the hub has another place in mind; anything else as it is."""
    return place if SCHEME.match(place) else os.path.abspath(os.path.expanduser(place))


def pair(text: str) -> tuple[str, str]:
    """`key=value`. Raises UsageError."""
    key, found, value = text.partition("=")
    if not found or not key:
        raise UsageError(f"{text!r} is no label", hint="--label KEY=VALUE")
    return key, value


def report(board: TensorBoard, as_json: bool) -> None:
    """How it stands: its link alone for people, all of it for programs."""
    info = board.info()
    if as_json:
        show_one(info, DETAILS, as_json)
    else:
        say(f"{info['name']} ({info['id']}) is {status_text(info)}")
        show(info["app_uri"])


@app.command("ls")
def list_command(
    owner: Annotated[str, typer.Option(help="a name, or me")] = "",
    status: Annotated[str, typer.Option(help="several are separated by commas")] = "",
    search: Annotated[str, typer.Option(help="in names, owners and places")] = "",
    sort: Annotated[
        str, typer.Option(help="created, name or active; with - before it the other way round")
    ] = "-created",
    url: Url = None,
    project: ProjectName = None,
    as_json: AsJson = False,
) -> None:
    """List TensorBoards, newest first."""
    with session_of(url, project) as session:
        found = list_tensorboards(
            session, project=session.project, owner=owner, status=status, search=search, sort=sort
        )
        show_list(found, COLUMNS, as_json, "no TensorBoards here; lightboard tb create makes one")


@app.command()
def get(which: Which, url: Url = None, project: ProjectName = None, as_json: AsJson = False) -> None:
    """Show one, with its history."""
    with session_of(url, project) as session:
        show_one(session.get(route(which)), DETAILS, as_json)


@app.command("open")
def open_command(which: Which, url: Url = None, project: ProjectName = None) -> None:
    """Open it in the browser; a stopped one is started first."""
    with session_of(url, project) as session:
        board = TensorBoard.get(which, session)
        if board.status != "Running":
            board.session.ask("PUT", f"{route(board.id)}/start")
            board.wait(say=say)
        show(board.open())


@app.command()
def start(which: Several, no_wait: NoWait = False, url: Url = None, project: ProjectName = None) -> None:
    """Start stopped ones again."""
    for board in each_of(which, url, project):
        board.start(wait=False)
        if not no_wait:
            board.wait(say=say)
        report(board, as_json=False)


@app.command()
def stop(which: Several, url: Url = None, project: ProjectName = None) -> None:
    """Stop running ones; link and notes stay."""
    for board in each_of(which, url, project):
        board.stop(wait=True)
        say(f"{board.id} is {board.status}")


@app.command()
def extend(which: Which, more: Annotated[str, typer.Argument(metavar="TIME", help="as 2h or 1d")], url: Url = None,
           project: ProjectName = None) -> None:  # fmt: skip
    """Give it more running time."""
    for board in each_of([which], url, project):
        board.extend(span_secs(more) / 60)
        say(f"{board.id} runs {life_text(board.info())}")


@app.command()
def share(
    which: Which,
    expires: Annotated[str, typer.Option(help="how long the link is good, at most 7d")] = "7d",
    url: Url = None,
    project: ProjectName = None,
) -> None:
    """Make a link by which anybody may look for a while."""
    for board in each_of([which], url, project):
        show(board.share(span_secs(expires)))


@app.command()
def delete(
    which: Several,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="do not ask")] = False,
    url: Url = None,
    project: ProjectName = None,
) -> None:
    """Delete TensorBoards; the logs are kept."""
    confirmed(f"Delete {', '.join(which)}? The logs are kept.", yes)
    for board in each_of(which, url, project):
        board.delete()
        say(f"{board.id} is deleted; its logs are kept")


@app.command()
def logs(
    which: Which,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="go on until it ends")] = False,
    url: Url = None,
    project: ProjectName = None,
) -> None:
    """What its server says: files skipped, places not reached."""
    for board in each_of([which], url, project):
        for line in board.logs(follow):
            show(line)


@app.command()
def top(
    which: Which,
    once: Annotated[bool, typer.Option("--once", help="one look")] = False,
    url: Url = None,
    project: ProjectName = None,
    as_json: AsJson = False,
) -> None:
    """Memory, CPU and progress, every two seconds."""
    for board in each_of([which], url, project):
        while True:
            taken = board.top()
            if as_json:
                show_one(taken, (), as_json)
            else:
                read, total = taken["progress"]["bytes_read"], taken["progress"]["bytes_total"]
                cpu = "-" if taken["cpu_secs"] is None else f"{taken['cpu_secs']:.1f} s"
                memory, runs = size_text(taken["process_memory_bytes"]), taken["progress"]["runs"]
                shared = f"process of {taken['process_boards'] or '-'} boards: memory {memory}, cpu {cpu}"
                show(f"{shared}  runs {runs}  read {size_text(read)} of {size_text(total)}")
            if once or not sys.stdout.isatty():
                return
            time.sleep(TOP_PAUSE_SECS)


sources = typer.Typer(name="sources", help="Places whose logs a TensorBoard shows.", no_args_is_help=True)
app.add_typer(sources)


@sources.command("add")
def add_source(which: Which, place: str, alias: str = "", url: Url = None, project: ProjectName = None) -> None:
    """Show another place too, while it runs."""
    for board in each_of([which], url, project):
        show(board.add_source(whole(place), alias=alias))


@sources.command("rm")
def remove_source(which: Which, source: str, url: Url = None, project: ProjectName = None) -> None:
    """Show a place no more; `tb get` says the ids."""
    for board in each_of([which], url, project):
        board.remove_source(source)


def each_of(which: list[str], url: str | None, project: str | None) -> Iterator[TensorBoard]:
    """Those that are meant, one after the other."""
    session: Session
    with session_of(url, project) as session:
        for name in which:
            yield TensorBoard.get(name, session)
