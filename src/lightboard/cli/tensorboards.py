"""`lightboard tb ...`: TensorBoards of a hub from the command line."""

import os
import re
import time
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from lightboard.cli.log_output import show_log_line
from lightboard.cli.output import say, show
from lightboard.cli.remote import (
    AsJson,
    Browse,
    LabelTexts,
    Output,
    Owner,
    ProjectName,
    Several,
    Statuses,
    Sure,
    Tags,
    Url,
    Which,
    confirm,
    field,
    parse_labels,
    repeat,
    session_of,
    status_text,
    step_words,
    time_text,
    when,
)
from lightboard.cli.spans import span_secs, span_text
from lightboard.cli.tables import TABLE, Columns, Format, show_data, show_list, show_one
from lightboard.client.session import Session
from lightboard.client.tensorboards import TensorBoard, list_tensorboards, route
from lightboard.client.training_jobs import TrainingJob
from lightboard.counts import counted
from lightboard.errors import UsageError
from lightboard.memory_sizes import measured_memory_text
from lightboard.sizes import size_text

app = typer.Typer(
    name="tb", help="TensorBoards of a hub: create, find, open, stop, share, delete.", no_args_is_help=True
)

NoWait = Annotated[bool, typer.Option("--no-wait", help="do not wait until it is running")]
MAX_SHARE_SECS = 7 * 86_400
"""The limit of the hub."""
SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:")


def ends(item: Any) -> str:
    """When its life span ends, and when it is stopped as idle if that is earlier."""
    expires_at, idle_at = item["expires_at"], item["idle_at"]
    parts = [] if expires_at is None else [time_text(expires_at)]
    if idle_at is not None and (expires_at is None or idle_at < expires_at):
        parts.append(f"idle in {span_text(idle_at - time.time())}")
    return ", ".join(parts) or "-"


def life_text(item: Any) -> str:
    """Until when it runs, or for how long if it is not running."""
    if not item["life_span_secs"]:
        return "without end"
    expires_at = item["expires_at"]
    return f"for {span_text(item['life_span_secs'])}" if expires_at is None else f"until {time_text(expires_at)}"


def step_text(step: Any) -> str:
    """One history entry; for a changed life span with its end and who changed it."""
    words = step_words(step)
    if step.get("life_span_secs") is not None:  # missing in responses of older hubs
        words += [life_text(step), f"by {step['actor']}"]
    return " ".join(words)


def sources_text(item: Any) -> str:
    """The first source, and the number of others."""
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
    ("points in memory", lambda item: measured_memory_text(item["memory_bytes"])),
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
    dataset: Annotated[str | None, typer.Option(help="name of a dataset; see --path")] = None,
    path: Annotated[str, typer.Option(help="path below the dataset")] = "",
    name: Annotated[str, typer.Option(help="name in URLs; default: derived from the display name")] = "",
    display_name: Annotated[str | None, typer.Option(help="display name")] = None,
    life_span: Annotated[
        str | None, typer.Option(help="running time until it stops, for example 1d or 2h30m; 0 for no end")
    ] = None,
    idle: Annotated[str | None, typer.Option(help="time without visitors until it stops; 0 for never")] = None,
    access: Annotated[str, typer.Option(help="private, project or public_link")] = "private",
    http_auth: Annotated[bool, typer.Option("--http-auth/--no-http-auth", help="require a login for the link")] = True,
    tag: Tags = None,
    label: LabelTexts = None,
    reuse: Annotated[bool, typer.Option("--reuse", help="return an existing one for the same logs, if any")] = False,
    browse: Browse = False,
    no_wait: NoWait = False,
    url: Url = None,
    project: ProjectName = None,
    output: Output = TABLE,
    _json: AsJson = False,
) -> None:
    """Create a TensorBoard for logs. The folder must exist; runs may be added later."""
    sources: list[str | dict[str, str]] = [absolute_source(source) for source in places or []]
    sources += [{"dataset": dataset, "path": path}] if dataset else []
    if not sources:
        raise UsageError("no source was given", hint="lightboard tb create /a/folder, or --dataset NAME --path P")
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
            labels=parse_labels(label),
            tags=tag or [],
            origin="cli",
            reuse=reuse,
        )
        if not no_wait:
            board.wait(say=say)
        report(board, output)
        if browse:
            board.open()


def absolute_source(source: str) -> str:
    """A source with the path of a folder made absolute, because the hub has another working directory."""
    return source if SCHEME.match(source) else os.path.abspath(os.path.expanduser(source))


def report(board: TensorBoard, output: Format) -> None:
    """Print the link of a board, or all data."""
    info = board.info()
    if output is not TABLE:
        show_data(info, output)
    else:
        say(f"{info['name']} ({info['id']}) is {status_text(info)}")
        show(info["app_uri"])


@app.command("ls")
def list_command(
    owner: Owner = "",
    status: Statuses = "",
    search: Annotated[str, typer.Option(help="search in names and sources")] = "",
    tag: Tags = None,
    sort: Annotated[str, typer.Option(help="created, name or active; with - in descending order")] = "-created",
    url: Url = None,
    project: ProjectName = None,
    output: Output = TABLE,
    _json: AsJson = False,
) -> None:
    """List TensorBoards, newest first; with several tags, those that have all of them."""
    with session_of(url, project) as session:
        boards = list_tensorboards(
            session, project=session.project, owner=owner, status=status, search=search, tag=tag or "", sort=sort
        )
        show_list(boards, COLUMNS, output, "no TensorBoards; create one with lightboard tb create")


@app.command()
def get(
    which: Which, url: Url = None, project: ProjectName = None, output: Output = TABLE, _json: AsJson = False
) -> None:
    """Show a TensorBoard with its history."""
    with session_of(url, project) as session:
        show_one(session.get(route(which)), DETAILS, output)


@app.command("open")
def open_command(which: Which, url: Url = None, project: ProjectName = None) -> None:
    """Open a TensorBoard in the browser; a stopped one is started first."""
    with session_of(url, project) as session:
        open_board(TensorBoard.get(which, session))


def open_board(board: TensorBoard) -> None:
    """Open a TensorBoard in the browser, once it runs, and print its link."""
    if board.status != "Running":
        board.start(wait=False).wait(say=say)
    show(board.open())


@app.command()
def start(which: Several, no_wait: NoWait = False, url: Url = None, project: ProjectName = None) -> None:
    """Start stopped TensorBoards."""
    for board in each_of(which, url, project):
        board.start(wait=False)
        if not no_wait:
            board.wait(say=say)
        report(board, TABLE)


@app.command()
def stop(which: Several, url: Url = None, project: ProjectName = None) -> None:
    """Stop running TensorBoards; links and annotations are kept."""
    for board in each_of(which, url, project):
        stop_board(board)


def stop_board(board: TensorBoard) -> None:
    """Stop a TensorBoard, and tell its status."""
    board.stop(wait=True)
    say(f"{board.id} is {board.status}")


@app.command()
def extend(
    which: Which,
    more: Annotated[str, typer.Argument(metavar="TIME", help="for example 2h or 1d")],
    url: Url = None,
    project: ProjectName = None,
) -> None:
    """Extend the life span of a TensorBoard."""
    for board in each_of([which], url, project):
        extend_board(board, span_secs(more))


def extend_board(board: TensorBoard | TrainingJob, secs: float) -> None:
    """Extend the life span of a TensorBoard or job, and tell its end."""
    board.extend(secs / 60)
    say(f"{board.id} runs {life_text(board.info())}")


@app.command()
def share(
    which: Which,
    expires: Annotated[str, typer.Option(help="how long the link is valid, at most 7d")] = "7d",
    url: Url = None,
    project: ProjectName = None,
) -> None:
    """Create a link that opens a TensorBoard without an account."""
    secs = span_secs(expires)
    if not 0 < secs <= MAX_SHARE_SECS:
        raise UsageError(f"a link cannot be valid for {expires}", hint="at most 7d, for example 12h or 2d")
    for board in each_of([which], url, project):
        show(board.share(secs))
        say(f"valid for {span_text(secs)}; anyone with this link can view {board.id}")


@app.command()
def delete(
    which: Several,
    yes: Sure = False,
    url: Url = None,
    project: ProjectName = None,
) -> None:
    """Delete TensorBoards; the logs are kept."""
    confirm(f"Delete {', '.join(which)}? The logs are kept.", yes)
    for board in each_of(which, url, project):
        board.delete()
        say(f"{board.id} deleted; its logs are kept")


@app.command()
def logs(
    which: Which,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="continue until it stops")] = False,
    url: Url = None,
    project: ProjectName = None,
) -> None:
    """Show the server log about a TensorBoard, such as skipped files and unreachable sources."""
    for board in each_of([which], url, project):
        for line in board.logs(follow):
            show_log_line(line)


@app.command()
def top(
    which: Which,
    once: Annotated[bool, typer.Option("--once", help="show once and exit")] = False,
    url: Url = None,
    project: ProjectName = None,
    output: Output = TABLE,
    _json: AsJson = False,
) -> None:
    """Show memory, CPU and progress every two seconds."""
    for board in each_of([which], url, project):

        def show_usage(board: TensorBoard = board) -> None:
            usage = board.top()
            show(usage_text(usage)) if output is TABLE else show_data(usage, output)

        repeat(show_usage, once)


def usage_text(usage: Any) -> str:
    """What the process of a TensorBoard uses, and how much of the logs it has read."""
    progress = usage["progress"]
    cpu = "-" if usage["cpu_secs"] is None else f"{usage['cpu_secs']:.1f} s"
    memory = measured_memory_text(usage["process_memory_bytes"])
    read = f"read {size_text(progress['bytes_read'])} of {size_text(progress['bytes_total'])}"
    boards = counted(usage["process_boards"], "board") if usage["process_boards"] else "- boards"
    return f"process of {boards}: memory {memory}, cpu {cpu}  runs {progress['runs']}  {read}"


sources = typer.Typer(name="sources", help="Sources of a TensorBoard.", no_args_is_help=True)
app.add_typer(sources)


@sources.command("add")
def add_source(which: Which, place: str, alias: str = "", url: Url = None, project: ProjectName = None) -> None:
    """Add a source, also while it runs."""
    for board in each_of([which], url, project):
        show(board.add_source(absolute_source(place), alias=alias))


@sources.command("rm")
def remove_source(which: Which, source: str, url: Url = None, project: ProjectName = None) -> None:
    """Remove a source; `tb get` shows the ids."""
    for board in each_of([which], url, project):
        board.remove_source(source)


def each_of(which: list[str], url: str | None, project: str | None) -> Iterator[TensorBoard]:
    """The TensorBoards with these names or ids."""
    session: Session
    with session_of(url, project) as session:
        for name in which:
            yield TensorBoard.get(name, session)
