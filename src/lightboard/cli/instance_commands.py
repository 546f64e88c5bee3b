"""Neu.ro's commands for TensorBoards and jobs alike: `lightboard ps`, `status`, `logs`, `kill` and so on."""

import shlex
from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import typer

from lightboard.cli import jobs, tensorboards
from lightboard.cli.attach import attach_job, attach_tensorboard
from lightboard.cli.instances import Instance, find_instance
from lightboard.cli.log_output import show_log_line
from lightboard.cli.output import show
from lightboard.cli.remote import (
    AsJson,
    Output,
    ProjectName,
    Several,
    Tags,
    Url,
    Which,
    field,
    repeat,
    session_of,
    when,
)
from lightboard.cli.run_command import run_words
from lightboard.cli.spans import span_secs
from lightboard.cli.tables import TABLE, Columns, show_data, show_list, show_one
from lightboard.client.jobs import list_jobs
from lightboard.client.neuro_status import neuro_words
from lightboard.client.session import Session
from lightboard.client.tensorboards import RESTING, TensorBoard, list_tensorboards
from lightboard.client.training_jobs import TrainingJob
from lightboard.errors import Conflict, UsageError

LIVE = ("pending", "suspended", "running")
"""Statuses that are listed by default."""
WORDS = (*LIVE, "succeeded", "failed", "cancelled")
NO_USAGE = "nothing runs; lightboard ps --all lists what has ended"

COLUMNS: Columns = (
    ("NAME", field("name")),
    ("KIND", lambda item: "job" if is_job(item) else "TensorBoard"),
    ("STATUS", neuro_words),
    ("CREATED", when("created_at")),
    ("WHAT", lambda item: jobs.command_of(item) if is_job(item) else tensorboards.sources_text(item)),
    ("TAGS", lambda item: ", ".join(item["tags"]) or "-"),
    ("OWNER", field("owner_name")),
    ("ID", field("id")),
)


def is_job(item: Any) -> bool:
    """Whether the data is that of a job."""
    return "command" in item


def ps(
    all_statuses: Annotated[bool, typer.Option("--all", "-a", help="also those that have ended")] = False,
    owner: Annotated[str, typer.Option("--owner", help="name of the owner, me, or '' for everybody")] = "me",
    status: Annotated[
        list[str] | None,
        typer.Option("--status", "-s", help="pending, suspended, running, succeeded, failed or cancelled; repeatable"),
    ] = None,
    tag: Tags = None,
    url: Url = None,
    project: ProjectName = None,
    output: Output = TABLE,
    _json: AsJson = False,
) -> None:
    """List your TensorBoards and jobs that wait, run or are paused, newest first."""
    wanted = set(status or (WORDS if all_statuses else LIVE))
    if unknown := sorted(wanted.difference(WORDS)):
        raise UsageError(f"{unknown[0]!r} is not a status", hint=", ".join(WORDS))
    with session_of(url, project) as session:
        found = [item for item in list_all(session, owner) if matches(item, wanted, tag or [])]
    show_list(found, COLUMNS, output, "nothing waits or runs; lightboard run starts something")


def list_all(session: Session, owner: str) -> list[dict[str, Any]]:
    """All TensorBoards and jobs of an owner, newest first."""
    filters = {"project": session.project, "owner": owner}
    found = [*list_tensorboards(session, **filters), *list_jobs(session, **filters)]
    return sorted(found, key=lambda item: float(item["created_at"]), reverse=True)


def matches(item: Any, statuses: set[str], tags: Sequence[str]) -> bool:
    """Whether it has one of the statuses and all of the tags."""
    return item["neuro_status"] in statuses and set(tags).issubset(item["tags"])


def status(
    which: Which, url: Url = None, project: ProjectName = None, output: Output = TABLE, _json: AsJson = False
) -> None:
    """Show a TensorBoard or job with its history."""
    with session_of(url, project) as session:
        _, info = find_instance(session, which)
    details = jobs.DETAILS if is_job(info) else tensorboards.DETAILS
    fields = [(head, neuro_words if head == "status" else cell) for head, cell in details]
    show_one(info, fields, output)


def logs(
    which: Which,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="continue until it ends")] = False,
    url: Url = None,
    project: ProjectName = None,
) -> None:
    """Print what a job prints, or the server log about a TensorBoard."""
    for instance, _ in each_of([which], url, project):
        for line in instance.logs(follow):
            show_log_line(line)


def top(
    which: Annotated[str, typer.Argument(metavar="[NAME_OR_ID]", show_default=False)] = "",
    once: Annotated[bool, typer.Option("--once", help="show once and exit")] = False,
    url: Url = None,
    project: ProjectName = None,
    output: Output = TABLE,
    _json: AsJson = False,
) -> None:
    """Show memory and CPU of a TensorBoard or job, or of all of yours, every two seconds."""
    with session_of(url, project) as session:
        chosen = [find_instance(session, which)] if which else []

        def show_usage() -> None:
            running = chosen or [(instance_of(session, item), item) for item in list_all(session, "me") if runs(item)]
            items = [{"id": info["id"], "name": info["name"], **instance.top()} for instance, info in running]
            if output is not TABLE and which:
                show_data(items[0], output)
            else:
                show_list(items, USAGE, output, NO_USAGE)

        repeat(show_usage, once)


USAGE: Columns = (
    ("NAME", field("name")),
    ("USAGE", lambda item: jobs.usage_text(item) if "replicas" in item else tensorboards.usage_text(item)),
)


def runs(item: Any) -> bool:
    """Whether something runs."""
    return bool(item["neuro_status"] == "running")


def instance_of(session: Session, item: Any) -> Instance:
    """The TensorBoard or job with this data."""
    return TrainingJob(item["id"], session) if is_job(item) else TensorBoard(item["id"], session)


def kill(which: Several, url: Url = None, project: ProjectName = None) -> None:
    """Stop TensorBoards and jobs; logs and outputs are kept."""
    for instance, _ in each_of(which, url, project):
        if isinstance(instance, TensorBoard):
            tensorboards.stop_board(instance)
        else:
            jobs.stop_job(instance)


def browse(which: Which, url: Url = None, project: ProjectName = None) -> None:
    """Open a TensorBoard, the web page of a job, or else its TensorBoard; a stopped one is started first."""
    for instance, info in each_of([which], url, project):
        if isinstance(instance, TrainingJob) and info["url"]:
            show(instance.open())
        else:
            tensorboards.open_board(instance if isinstance(instance, TensorBoard) else instance.tensorboard(wait=False))


def attach(which: Which, url: Url = None, project: ProjectName = None) -> None:
    """Print what a job or TensorBoard prints until it ends; Ctrl-C detaches."""
    for instance, info in each_of([which], url, project):
        if isinstance(instance, TrainingJob):
            raise typer.Exit(attach_job(instance, info["name"], project))
        if info["status"] in RESTING:
            raise Conflict(f"{info['name']} is {neuro_words(info)}", hint=f"lightboard tb start {info['name']}")
        raise typer.Exit(attach_tensorboard(instance, info["name"], project))


def bump_life_span(
    which: Which,
    more: Annotated[str, typer.Argument(metavar="TIME", help="for example 2h or 1d")],
    url: Url = None,
    project: ProjectName = None,
) -> None:
    """Extend the life span of a TensorBoard or job."""
    for instance, _ in each_of([which], url, project):
        tensorboards.extend_board(instance, span_secs(more))


def generate_run_command(which: Which, url: Url = None, project: ProjectName = None) -> None:
    """Print the run command that makes a TensorBoard or job again."""
    for _, info in each_of([which], url, project):
        show(shlex.join(["lightboard", *run_words(info)]))


def each_of(which: list[str], url: str | None, project: str | None) -> Iterator[tuple[Instance, dict[str, Any]]]:
    """The TensorBoards and jobs with these names or ids, and their data. All are found before the first is returned."""
    with session_of(url, project) as session:
        yield from [find_instance(session, name) for name in which]


COMMANDS = (ps, status, logs, top, kill, browse, attach, bump_life_span, generate_run_command)
