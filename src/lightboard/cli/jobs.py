"""`lightboard job ...`: training jobs of a hub from the command line."""

import os
import shlex
import time
from collections.abc import Callable, Iterator
from typing import Annotated, Any

import typer

from lightboard.cli.from_notebook import AUTO, Choice, with_notebook
from lightboard.cli.hyperparameters import hyperparameters_of
from lightboard.cli.input_contents import SHOWN_DIGITS
from lightboard.cli.job_options import (
    HttpPort,
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
from lightboard.cli.log_output import show_log_line
from lightboard.cli.new_job import open_when_served, try_tensorboard
from lightboard.cli.output import say, show
from lightboard.cli.priorities import priority_number
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
    command_text,
    confirm,
    field,
    parse_labels,
    session_of,
    status_text,
    step_words,
    time_text,
    when,
)
from lightboard.cli.spans import span_secs, span_text
from lightboard.cli.tables import TABLE, Columns, Format, show_data, show_list, show_one
from lightboard.cli.tensorboards import report
from lightboard.cli.variables import environment_of
from lightboard.client.jobs import SUCCEEDED, find_job, kind_of, list_jobs
from lightboard.client.project_secrets import variable_text
from lightboard.client.tensorboards import TensorBoard
from lightboard.client.training_jobs import TrainingJob
from lightboard.client.volumes import volume_of
from lightboard.counts import counted
from lightboard.errors import HubUnreachable, UnexpectedStatusException, UsageError
from lightboard.memory_sizes import measured_memory_text, memory_bytes, memory_text
from lightboard.sizes import size_text

app = typer.Typer(
    name="job", help="Jobs of a hub: submit, find, follow, stop, run again, delete.", no_args_is_help=True
)

FOLLOW, STOP = "job logs -f", "job stop"
SIGNAL_BASE, INTERRUPTED = 128, 130
"""Exit codes, as those of shells."""
MAX_SHOWN = 60
"""Letters of a command in the list."""
MAX_GRACE_SECS = 3_600
"""The limit of the hub."""
KEPT = {"job": "outputs", "notebook": "files"}
"""What is kept of a deleted one, by kind."""


def ran(item: Any) -> str:
    """How long the last attempt has been running, or ran."""
    if item["started_at"] is None:
        return "-"
    return span_text((item["ended_at"] or time.time()) - item["started_at"])


def usage_text(usage: Any) -> str:
    """What the replicas of a job use together."""
    replicas = usage["replicas"]
    if not replicas:
        return "no process runs"
    memory, cpu, processes = (sum(each[key] for each in replicas) for key in ("memory_bytes", "cpu_secs", "processes"))
    count = f"{len(replicas)} replicas: " if len(replicas) > 1 else ""
    gpus = "".join(map(gpu_text, (gpu for each in replicas for gpu in each["gpus"])))
    return f"{count}memory {measured_memory_text(memory)}, cpu {cpu:.1f} s  processes {processes}{gpus}"


def gpu_text(gpu: Any) -> str:
    """What a replica uses of a GPU."""
    used, total = (measured_memory_text(gpu[key]) for key in ("memory_bytes", "total_memory_bytes"))
    return f"  gpu {gpu['id']}: {gpu['utilization']:.0%}, {used} of {total}"


def result_text(item: Any) -> str:
    """How the command ended."""
    if item["signal"] is not None:
        return f"signal {item['signal']}"
    return "-" if item["exit_code"] is None else f"exit code {item['exit_code']}"


def limit(key: str) -> Callable[[Any], str]:
    """A function that formats a limit in seconds."""
    return lambda item: span_text(item[key]) if item[key] else "no limit"


def life_span_text(item: Any) -> str:
    """How long a job may run in all attempts, and while it runs until when."""
    expires_at = item["expires_at"]
    return limit("life_span_secs")(item) + (f", until {time_text(expires_at)}" if expires_at is not None else "")


def devices(amount: str, ids: str) -> Callable[[Any], str]:
    """A function that formats how many CPUs or GPUs each replica has, and which those of all replicas were."""
    return lambda item: f"{item[amount]}{f' ({numbers_text(item[ids])})' if item[ids] else ''}"


def numbers_text(numbers: list[int]) -> str:
    """`0, 1, 3`."""
    return ", ".join(map(str, numbers))


def shortened(text: str) -> str:
    """The beginning of a long text."""
    return text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 3]}..."


def source_code_text(item: Any) -> str:
    """The source code of a job: how much, and the beginning of its digest."""
    code = item["source_code"]
    if code is None:
        return "-"
    files, size = counted(code["files"], "file"), size_text(code["size_bytes"])
    return f"{files}, {size} ({code['digest'][:SHOWN_DIGITS]})"


def hyperparameters_text(item: Any) -> str:
    """The hyperparameters of a job."""
    return ", ".join(f"{key}={value}" for key, value in item["hyperparameters"].items()) or "-"


def variables_text(item: Any) -> str:
    """The names of variables, and of the secrets that are their values; other values may be secret as well."""
    texts = [
        variable_text(name, value) if isinstance(value, dict) else name for name, value in item["environment"].items()
    ]
    return ", ".join(texts) or "-"


def volume_text(volume: Any) -> str:
    """A volume of a job, and how the job finds it."""
    text = str(volume_of(volume))
    return f"{text} ({volume['enforcement']})" if volume["enforcement"] else text


def command_of(item: Any) -> str:
    """The beginning of the command of a job."""
    return shortened(shlex.join(item["command"]))


COLUMNS: Columns = (
    ("NAME", field("name")),
    ("STATUS", status_text),
    ("CREATED", when("created_at")),
    ("RAN", ran),
    ("COMMAND", command_of),
    ("ATTEMPTS", field("attempt")),
    ("OWNER", field("owner_name")),
    ("ID", field("id")),
)

DETAILS: Columns = (
    ("id", field("id")),
    ("name", field("name")),
    ("display name", field("display_name")),
    ("status", status_text),
    ("message", field("message")),
    ("result", result_text),
    ("command", lambda item: shlex.join(item["command"])),
    ("source code", source_code_text),
    ("hyperparameters", hyperparameters_text),
    ("image", lambda item: item["image"] or "-"),
    ("inputs", lambda item: ", ".join(f"{name}={source}" for name, source in item["inputs"].items()) or "-"),
    ("volumes", lambda item: ", ".join(map(volume_text, item["volumes"])) or "-"),
    ("variables", variables_text),
    ("project", field("project_name")),
    ("owner", field("owner_name")),
    ("created", when("created_at")),
    ("started", when("started_at")),
    ("ran", ran),
    ("attempts", field("attempt")),
    ("retries", lambda item: f"{item['retries']} of {item['max_retries']}"),
    ("replicas", field("replicas")),
    ("preset", lambda item: item["preset"] or "-"),
    ("CPUs", devices("cpus", "cpu_ids")),
    ("memory", lambda item: memory_text(item["memory_limit_bytes"])),
    ("GPUs", devices("gpus", "gpu_ids")),
    ("isolation", lambda item: item["isolation"] or "-"),
    ("limits", lambda item: item["limits"] or "-"),
    ("priority", field("priority")),
    ("run time", limit("max_run_secs")),
    ("life span", life_span_text),
    ("queue timeout", limit("queue_timeout_secs")),
    ("web page", lambda item: item["url"] or "-"),
    ("outputs", field("output_uri")),
    ("history", lambda item: " -> ".join(" ".join(step_words(step)) for step in item["transitions"])),
)


@app.command(context_settings={"allow_interspersed_args": False})
def submit(
    command: Annotated[
        list[str],
        typer.Argument(
            metavar="COMMAND...", help="a program and its arguments, or one quoted line for sh", show_default=False
        ),
    ],
    source_dir: Annotated[
        str | None,
        typer.Option(
            metavar="DIR", help="folder of source code to upload, in which the command starts; .gitignore applies"
        ),
    ] = None,
    name: Annotated[str, typer.Option(help="name; default: derived from the display name")] = "",
    display_name: Annotated[str, typer.Option(help="display name; default: the command")] = "",
    env: Variables = None,
    env_file: VariableFile = None,
    hp: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="hyperparameter: a number, true, false or text; repeatable"),
    ] = None,
    image: Image = "",
    preset: Preset = "",
    input: InputTexts = None,
    volume: VolumeTexts = None,
    replicas: Annotated[int, typer.Option(min=1, max=64, help="how many run at once")] = 1,
    memory: Annotated[str | None, typer.Option(help="limit of one replica, for example 512M or 4G")] = None,
    priority: Annotated[int, typer.Option(min=1, max=9, help="1 to 9; higher ones start first")] = 5,
    retries: Annotated[int, typer.Option(min=0, max=100, help="how often it is started again after a failure")] = 0,
    max_run_time: Annotated[str, typer.Option(help="limit of one attempt, for example 2h30m; 0 for none")] = "0",
    life_span: Annotated[str, typer.Option(help="limit of all attempts together, for example 1d; 0 for none")] = "0",
    queue_timeout: Annotated[
        str,
        typer.Option("--queue-timeout", "--schedule-timeout", help="how long it may wait to start; 0 for no limit"),
    ] = "0",
    grace: Annotated[str, typer.Option(help="time to clean up when it is stopped, at most 1h")] = "30s",
    label: LabelTexts = None,
    tag: Tags = None,
    follow: Annotated[
        bool, typer.Option("--follow/--detach", help="print its log, and exit with the exit code of the command")
    ] = False,
    tensorboard: WithTensorBoard = False,
    log_dir: LogDir = "",
    http: HttpPort = None,
    from_notebook: Choice = AUTO,
    browse: Annotated[
        bool, typer.Option("--browse", help="open its web page in the browser, or else its TensorBoard")
    ] = False,
    url: Url = None,
    project: ProjectName = None,
    output: Output = TABLE,
    _json: AsJson = False,
) -> None:
    """Submit a job. Flags of this command must precede COMMAND."""
    if follow and output is not TABLE:
        raise UsageError("--follow prints a log, which is not JSON", hint="use either --follow or --json")
    settings: dict[str, Any] = {
        "source_dir": source_dir,
        "name": name,
        "display_name": display_name,
        "environment": environment_of(env or [], env_file, os.environ),
        "hyperparameters": hyperparameters_of(hp or []),
        "image": image,
        "preset": preset,
        "inputs": inputs_of(input or []),
        "volumes": volume or [],
        "replicas": replicas,
        "memory_bytes": None if memory is None else memory_bytes(memory),
        "priority": priority,
        "max_retries": retries,
        "max_run_time": span_secs(max_run_time),
        "life_span": span_secs(life_span),
        "queue_timeout": span_secs(queue_timeout),
        "grace_period": grace_secs(grace),
        "labels": parse_labels(label),
        "tags": tag or [],
        "log_dir": log_dir,
        "tensorboard": tensorboard,
        "http_port": http,
    }
    with session_of(url, project) as session:
        settings, taken = with_notebook(session, settings, from_notebook, os.environ)
        if taken:
            say(taken)
        job = TrainingJob.create(line_or_words(command), session=session, **settings)
        info = job.info()
        if source_dir is not None:
            say(f"source code: {source_code_text(info)}")
        say(f"{info['name']} ({job.id}) is {status_text(info)}")
        board = try_tensorboard(job) if tensorboard or (browse and not info["url"]) else None
        if follow:
            if browse:
                open_in_browser(job, info, board, attached=True)
            raise typer.Exit(follow_to_end(job, info["name"], project, board))
        report_new(job, info, board, project, output)
        if browse:
            open_in_browser(job, info, board, attached=False)


def report_new(job: TrainingJob, info: Any, board: TensorBoard | None, project: str | None, output: Format) -> None:
    """Prints the id and the links of a new job, or all data."""
    if output is not TABLE:
        show_data(info if board is None else {**info, "tensorboard": board.info()}, output)
        return
    show(job.id)
    if info["url"]:
        show(info["url"])
    if board is not None:
        show(board.app_uri)
    say(f"follow it: {command_text(FOLLOW, info['name'], project)}")


def open_in_browser(job: TrainingJob, info: Any, board: TensorBoard | None, *, attached: bool) -> None:
    """Opens the web page of a new job as soon as it is served, or else its TensorBoard, if it has one."""
    if info["url"]:
        open_when_served(job, attached=attached)
    elif board is not None:
        board.open()


def line_or_words(command: list[str]) -> str | list[str]:
    """A line for the shell if it is one word with spaces, else a program and its arguments."""
    return command[0] if len(command) == 1 and len(command[0].split()) > 1 else command


def grace_secs(text: str) -> float:
    """The seconds of `--grace`. Raises UsageError."""
    secs = span_secs(text)
    if secs > MAX_GRACE_SECS:
        raise UsageError(f"a job cannot have {text} to clean up", hint="at most 1h, for example 30s or 5m")
    return secs


def follow_to_end(
    job: TrainingJob,
    name: str,
    project: str | None,
    board: TensorBoard | None,
    *,
    verbs: tuple[str, str] = (FOLLOW, STOP),
    say_status: Callable[[str], None] = say,
    seen: int | None = None,
) -> int:
    """Prints the log of a job until it has ended. Returns the exit code, also after an interruption.

    `verbs` are the commands that follow and stop it, for those who detach.
    """
    try:
        if board is not None:
            say(f"TensorBoard: {board.app_uri}")
        job.wait(say=say_status, show=show_log_line, seen=seen)
    except UnexpectedStatusException as error:
        say(f"{name} is {error.message}")
    except KeyboardInterrupt:
        say_detached(name, project, verbs)
        return INTERRUPTED
    except HubUnreachable:
        say_detached(name, project, verbs)
        raise
    return exit_code(job.info())


def say_detached(name: str, project: str | None, verbs: tuple[str, str]) -> None:
    """Tells that a job or TensorBoard continues, and the commands that follow and stop it."""
    follow, stop = verbs
    say(f"detached; {name} continues")
    say(f"follow it: {command_text(follow, name, project)}")
    say(f"stop it: {command_text(stop, name, project)}")


def exit_code(info: Any) -> int:
    """The exit code of the command, or 128 and the signal that ended it; 1 if neither tells that it did not succeed."""
    if info["status"] == SUCCEEDED:
        return 0
    return SIGNAL_BASE + int(info["signal"]) if info["signal"] is not None else int(info["exit_code"] or 1)


@app.command("ls")
def list_command(
    owner: Owner = "",
    status: Statuses = "",
    search: Annotated[str, typer.Option(help="search in names, commands, labels and tags")] = "",
    sort: Annotated[str, typer.Option(help="created or name; with - in descending order")] = "-created",
    url: Url = None,
    project: ProjectName = None,
    output: Output = TABLE,
    _json: AsJson = False,
) -> None:
    """List jobs, newest first."""
    with session_of(url, project) as session:
        jobs = list_jobs(session, project=session.project, owner=owner, status=status, search=search, sort=sort)
        show_list(jobs, COLUMNS, output, "no jobs; submit one with lightboard job submit")


@app.command()
def get(
    which: Which, url: Url = None, project: ProjectName = None, output: Output = TABLE, _json: AsJson = False
) -> None:
    """Show a job with its history."""
    with session_of(url, project) as session:
        show_one(find_job(session, which), DETAILS, output)


@app.command()
def logs(
    which: Which,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="continue until it ends")] = False,
    attempt: Annotated[int, typer.Option(min=0, help="number of the attempt; 0 is the last one")] = 0,
    rank: Annotated[int, typer.Option(min=0, max=63, help="number of the replica")] = 0,
    url: Url = None,
    project: ProjectName = None,
) -> None:
    """Print the log of a job."""
    for job in each_of([which], url, project):
        for line in job.logs(follow, rank, attempt):
            show_log_line(line)


@app.command("source-code")
def source_code(
    which: Which,
    to: Annotated[str, typer.Option(metavar="FILE", help="new file; default: NAME-source-code.tar.gz here")] = "",
    url: Url = None,
    project: ProjectName = None,
) -> None:
    """Download the source code of a job, as a tar file compressed with gzip."""
    for job in each_of([which], url, project):
        path = to or f"{job.name}-source-code.tar.gz"
        job.download_source_code(path)
        show(path)


@app.command()
def stop(which: Several, url: Url = None, project: ProjectName = None) -> None:
    """Stop jobs; their outputs are kept."""
    for job in each_of(which, url, project):
        stop_job(job)


def stop_job(job: TrainingJob) -> None:
    """Stop a job without waiting for its end, and tell its status."""
    job.stop()
    say(f"{job.id} is {job.status}")


@app.command()
def pause(which: Several, url: Url = None, project: ProjectName = None) -> None:
    """Hold jobs: waiting ones do not start, and the attempts of running ones end."""
    for job in each_of(which, url, project):
        job.pause()
        say(f"{job.id} is {job.status}")


@app.command()
def resume(which: Several, url: Url = None, project: ProjectName = None) -> None:
    """Let paused jobs wait for slots again."""
    for job in each_of(which, url, project):
        job.resume()
        say(f"{job.id} is {job.status}")


@app.command()
def prioritize(
    which: Several,
    priority: Annotated[str, typer.Option("--priority", help="low, normal, high, or 1 to 9")],
    url: Url = None,
    project: ProjectName = None,
) -> None:
    """Change the priority of jobs; of those that wait, higher ones start first."""
    number = priority_number(priority)
    for job in each_of(which, url, project):
        job.set_priority(number)
        say(f"{job.id} has the priority {number}")


@app.command()
def restart(which: Several, url: Url = None, project: ProjectName = None) -> None:
    """Run ended jobs again."""
    for job in each_of(which, url, project):
        job.restart()
        say(f"{job.id} is {job.status}")


@app.command()
def delete(which: Several, yes: Sure = False, url: Url = None, project: ProjectName = None) -> None:
    """End and delete jobs and their logs; the outputs are kept."""
    with session_of(url, project) as session:
        found = [TrainingJob.get(name, session) for name in which]
        kept = {job.id: KEPT[kind_of(job.info())] for job in found}
        confirm(f"Delete {', '.join(which)}? The {' and '.join(sorted({*kept.values()}))} are kept.", yes)
        for job in found:
            job.delete()
            say(f"{job.id} deleted; its {kept[job.id]} are kept")


@app.command()
def tensorboard(
    which: Which,
    log_dir: Annotated[
        str, typer.Option(metavar="SOURCE", help="show this folder instead, for example dataset:mnist/logs")
    ] = "",
    off: Annotated[bool, typer.Option("--off", help="delete its TensorBoard; the logs are kept")] = False,
    browse: Browse = False,
    url: Url = None,
    project: ProjectName = None,
    output: Output = TABLE,
    _json: AsJson = False,
) -> None:
    """Print the link of the TensorBoard of a job, which is created or started if needed, also after its end."""
    if off and (log_dir or browse or output is not TABLE):
        raise UsageError("--off deletes the TensorBoard", hint="use it without --log-dir, --browse and --json")
    for job in each_of([which], url, project):
        if off:
            job.delete_tensorboard()
            say(f"{which} has no TensorBoard; its logs are kept")
            return
        board = job.tensorboard(wait=False, log_dir=log_dir).wait(say=say)
        report(board, output)
        if browse:
            board.open()


def each_of(which: list[str], url: str | None, project: str | None) -> Iterator[TrainingJob]:
    """The jobs with these names or ids."""
    with session_of(url, project) as session:
        for name in which:
            yield TrainingJob.get(name, session)
