"""`lightboard notebook ...`: notebooks of a hub from the command line. What they share with jobs is that of `jobs`."""

import os
from typing import Annotated, Any

import typer

from lightboard.cli import jobs
from lightboard.cli.job_options import (
    Image,
    InputTexts,
    LogDir,
    Preset,
    VariableFile,
    Variables,
    VolumeTexts,
    WithTensorBoard,
    inputs_of,
)
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
    Tags,
    Url,
    Which,
    field,
    parse_labels,
    session_of,
    status_text,
    step_words,
    when,
)
from lightboard.cli.spans import span_secs
from lightboard.cli.tables import TABLE, Columns, Format, show_data, show_list, show_one
from lightboard.cli.variables import environment_of
from lightboard.client.notebooks import RUNNING, Notebook, find_notebook, list_notebooks
from lightboard.client.tensorboards import TensorBoard
from lightboard.memory_sizes import memory_bytes, memory_text

app = typer.Typer(
    name="notebook", help="Notebooks of a hub: create, find, open, start, stop, delete.", no_args_is_help=True
)

Detach = Annotated[bool, typer.Option("--detach", help="do not wait until it runs")]

COLUMNS: Columns = (
    ("NAME", field("name")),
    ("STATUS", status_text),
    ("LINK", field("url")),
    ("CREATED", when("created_at")),
    ("RAN", jobs.ran),
    ("OWNER", field("owner_name")),
    ("ID", field("id")),
)

DETAILS: Columns = (
    ("id", field("id")),
    ("name", field("name")),
    ("display name", field("display_name")),
    ("status", status_text),
    ("message", field("message")),
    ("link", field("url")),
    ("image", field("image")),
    ("inputs", lambda item: ", ".join(f"{name}={source}" for name, source in item["inputs"].items()) or "-"),
    ("variables", jobs.variables_text),
    ("project", field("project_name")),
    ("owner", field("owner_name")),
    ("created", when("created_at")),
    ("started", when("started_at")),
    ("ran", jobs.ran),
    ("memory", lambda item: memory_text(item["memory_bytes"])),
    ("isolation", field("isolation")),
    ("limits", field("limits")),
    ("idle time", jobs.limit("idle_secs")),
    ("idle stop", when("idle_at")),
    ("run time", jobs.limit("max_run_secs")),
    ("files", field("output_uri")),
    ("TensorBoard logs", field("tensorboard_uri")),
    ("history", lambda item: " -> ".join(" ".join(step_words(step)) for step in item["transitions"])),
)


@app.command()
def create(
    name: Annotated[str, typer.Option(help="name; default: derived from the display name")] = "",
    display_name: Annotated[str, typer.Option(help="display name; default: notebook")] = "",
    env: Variables = None,
    env_file: VariableFile = None,
    image: Image = "",
    preset: Preset = "",
    input: InputTexts = None,
    volume: VolumeTexts = None,
    memory: Annotated[str | None, typer.Option(help="limit, for example 4G")] = None,
    idle: Annotated[str, typer.Option(help="time without use until it stops, for example 2h; 0 for never")] = "30m",
    max_run_time: Annotated[str, typer.Option(help="limit after each start, for example 8h; 0 for none")] = "0",
    label: LabelTexts = None,
    tag: Tags = None,
    tensorboard: WithTensorBoard = False,
    log_dir: LogDir = "",
    detach: Detach = False,
    browse: Browse = False,
    url: Url = None,
    project: ProjectName = None,
    output: Output = TABLE,
    _json: AsJson = False,
) -> None:
    """Create a notebook, wait until it runs, and print its link."""
    settings: dict[str, Any] = {
        "name": name,
        "display_name": display_name,
        "environment": environment_of(env or [], env_file, os.environ),
        "image": image,
        "preset": preset,
        "inputs": inputs_of(input or []),
        "volumes": volume or [],
        "memory_bytes": None if memory is None else memory_bytes(memory),
        "idle_time": span_secs(idle),
        "max_run_time": span_secs(max_run_time),
        "labels": parse_labels(label),
        "tags": tag or [],
        "log_dir": log_dir,
        "tensorboard": tensorboard,
    }
    with session_of(url, project) as session:
        notebook = Notebook.create(session=session, wait=False, **settings)
        board = notebook.tensorboard(wait=False) if tensorboard else None
        if not detach:
            notebook.wait(say=say)
        report(notebook, board, output)
        if browse:
            notebook.open()


def report(notebook: Notebook, board: TensorBoard | None = None, output: Format = TABLE) -> None:
    """Prints the link of a notebook, and of its TensorBoard if there is one; or all data."""
    info = notebook.info()
    if output is not TABLE:
        show_data(info if board is None else {**info, "tensorboard": board.info()}, output)
        return
    say(f"{info['name']} ({info['id']}) is {status_text(info)}")
    show(info["url"])
    if board is not None:
        show(board.app_uri)


@app.command("ls")
def list_command(
    owner: Owner = "",
    status: Statuses = "",
    search: Annotated[str, typer.Option(help="search in names, labels and tags")] = "",
    sort: Annotated[str, typer.Option(help="created or name; with - in descending order")] = "-created",
    url: Url = None,
    project: ProjectName = None,
    output: Output = TABLE,
    _json: AsJson = False,
) -> None:
    """List notebooks, newest first."""
    with session_of(url, project) as session:
        found = list_notebooks(session, project=session.project, owner=owner, status=status, search=search, sort=sort)
        show_list(found, COLUMNS, output, "no notebooks; create one with lightboard notebook create")


@app.command()
def get(
    which: Which, url: Url = None, project: ProjectName = None, output: Output = TABLE, _json: AsJson = False
) -> None:
    """Show a notebook with its history."""
    with session_of(url, project) as session:
        show_one(find_notebook(session, which), DETAILS, output)


@app.command("open")
def open_command(which: Which, url: Url = None, project: ProjectName = None) -> None:
    """Open a notebook in the browser; a stopped one is started first."""
    with session_of(url, project) as session:
        notebook = Notebook.get(which, session)
        if notebook.status != RUNNING:
            notebook.start(wait=False).wait(say=say)
        show(notebook.open())


@app.command()
def start(which: Several, detach: Detach = False, url: Url = None, project: ProjectName = None) -> None:
    """Start stopped notebooks, and print their links."""
    with session_of(url, project) as session:
        for name in which:
            notebook = Notebook.get(name, session).start(wait=False)
            if not detach:
                notebook.wait(say=say)
            report(notebook)


app.command(help="Stop notebooks; their files are kept.")(jobs.stop)
app.command(help="End and delete notebooks and their logs; the files are kept.")(jobs.delete)
app.command(help="Print the log of a notebook.")(jobs.logs)
app.command(help="Print the link of the TensorBoard of a notebook, which is created or started if needed.")(
    jobs.tensorboard
)
