"""`lightboard run`: Neu.ro's command for a TensorBoard or a job."""

import os
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from lightboard.cli import tensorboard_command
from lightboard.cli.attach import attach_job, attach_tensorboard, nothing
from lightboard.cli.jobs import open_in_browser
from lightboard.cli.new_job import try_tensorboard
from lightboard.cli.output import say, show
from lightboard.cli.port_forward import check_board_ports, forwarded, port_pair
from lightboard.cli.priorities import priority_number
from lightboard.cli.remote import Browse, ProjectName, Tags, Url, command_text, session_of
from lightboard.cli.run_flags import (
    PASSED,
    Restart,
    in_folder,
    refuse_sharing,
    refuse_terminal,
    retries_of,
    with_entrypoint,
)
from lightboard.cli.spans import span_secs
from lightboard.cli.variables import environment_of
from lightboard.client.neuro_status import CREATED, neuro_words
from lightboard.client.presets import preset_or_default
from lightboard.client.session import Session
from lightboard.client.tensorboards import RESTING, TensorBoard, find_tensorboard, route
from lightboard.client.training_jobs import TrainingJob
from lightboard.client.volumes import parse_volumes
from lightboard.errors import Conflict, TensorboardLimitExceeded, UsageError

SHORTCUTS = (
    ("status", (), "check job status"),
    ("logs", (), "monitor job stdout"),
    ("top", (), "display real-time job telemetry"),
    ("exec", ("bash",), "execute bash shell to the job"),
    ("kill", (), "kill job"),
)
"""Commands that `run` names, what follows the name in them, and what they do."""

MAX_TITLE = 200
"""Letters of a display name."""


def run(
    image: Annotated[
        str,
        typer.Argument(
            metavar="IMAGE",
            help="environment of the programs of a job, '' for the hub's; for tensorboard, see --image-viewer",
            show_default=False,
        ),
    ],
    command: Annotated[
        list[str],
        typer.Argument(
            metavar="COMMAND...",
            help="tensorboard with its flags, a program and its arguments, or one quoted line for sh",
            show_default=False,
        ),
    ],
    name: Annotated[str, typer.Option("--name", "-n", help="name; default: derived from the logs or the command")] = "",
    preset: Annotated[
        str,
        typer.Option(
            "--preset", "-s", help="what a job gets of the machine, if the hub has it; of no meaning for tensorboard"
        ),
    ] = "",
    tag: Tags = None,
    http: Annotated[
        int | None,
        typer.Option("--http-port", "--http", min=1, max=65535, help="port of the web page of a job"),
    ] = None,
    image_viewer: Annotated[
        bool, typer.Option("--image-viewer", help="run the tensorboard of IMAGE as a job, in place of the hub's viewer")
    ] = False,
    http_auth: Annotated[bool, typer.Option("--http-auth/--no-http-auth", help="require a login for the link")] = True,
    browse: Browse = False,
    life_span: Annotated[
        str | None, typer.Option(help="running time until it stops, for example 1d or 2h30m; 0 for no end")
    ] = None,
    idle: Annotated[
        str | None, typer.Option(help="time without visitors until a TensorBoard stops; default: its life span")
    ] = None,
    volume: Annotated[
        list[str] | None,
        typer.Option(
            "--volume", "-v", metavar="SOURCE:TARGET:MODE", help="folder at a path that the command knows; repeatable"
        ),
    ] = None,
    env: Annotated[
        list[str] | None,
        typer.Option(
            "--env",
            "-e",
            metavar="NAME=VALUE",
            help="environment variable of a job, of a secret with NAME=secret:SECRET; repeatable",
        ),
    ] = None,
    env_file: Annotated[str | None, typer.Option(metavar="FILE", help="file with a variable on each line")] = None,
    entrypoint: Annotated[
        str, typer.Option(metavar="COMMAND", help="words that precede COMMAND, for example 'python -u'")
    ] = "",
    workdir: Annotated[str, typer.Option("--workdir", "-w", metavar="PATH", help="folder in which a job starts")] = "",
    restart: Annotated[Restart, typer.Option(help="when a job is started again")] = Restart.NEVER,
    port_forward: Annotated[
        list[str] | None,
        typer.Option(
            metavar="LOCAL:REMOTE",
            help="port of a job, or 6006 of a TensorBoard, at one of this machine while attached; repeatable",
        ),
    ] = None,
    share: Annotated[
        list[str] | None, typer.Option(metavar="USER", help="refused: members of a project see its jobs")
    ] = None,
    tty: Annotated[bool, typer.Option("--tty/--no-tty", "-t/-T", help="refused: the command has no terminal")] = False,
    pass_config: Annotated[
        bool, typer.Option("--pass-config", help="of no meaning: a job has a token for itself")
    ] = False,
    description: Annotated[str, typer.Option(help="display name")] = "",
    priority: Annotated[str, typer.Option(help="of a job: low, normal, high, or 1 to 9")] = "normal",
    schedule_timeout: Annotated[
        str, typer.Option(help="how long a job may wait to start, for example 1d or 2h30m; 0 for no limit")
    ] = "0",
    detach: Annotated[bool, typer.Option("--detach", help="return at once, without its output")] = False,
    url: Url = None,
    project: ProjectName = None,
) -> None:
    """Run a TensorBoard or a job, as with Neu.ro. Flags of this command must precede IMAGE."""
    refuse_sharing(share or [])
    refuse_terminal(tty)
    ports = local_ports(port_forward or [], detach)
    command = with_entrypoint(entrypoint, command)
    settings = settings_of(
        image=image,
        command=command,
        workdir=workdir,
        restart=restart,
        name=name,
        preset=preset,
        tag=tag,
        http=http,
        image_viewer=image_viewer,
        http_auth=http_auth,
        life_span=life_span,
        idle=idle,
        volume=volume,
        env=env,
        env_file=env_file,
        description=description,
        priority=priority,
        schedule_timeout=schedule_timeout,
    )
    with session_of(url, project) as session:
        if "command" in settings:
            if pass_config:
                say(PASSED)
            settings["preset"] = preset_or_default(session, preset, say)
            job = TrainingJob.create(session=session, **settings)
            raise typer.Exit(follow_job(job, project, browse, detach, ports))
        check_board_ports(ports)
        for note in tensorboard_command.notes(tensorboard_command.tensorboard_words(command) or [], volume or []):
            say(note)
        board, seen = create_or_start(session, settings)
        raise typer.Exit(follow_tensorboard(board, project, browse, detach, seen, ports))


def settings_of(
    *,
    image: str,
    command: list[str],
    workdir: str,
    restart: Restart,
    name: str,
    preset: str,
    tag: list[str] | None,
    http: int | None,
    image_viewer: bool,
    http_auth: bool,
    life_span: str | None,
    idle: str | None,
    volume: list[str] | None,
    env: list[str] | None,
    env_file: str | None,
    description: str,
    priority: str,
    schedule_timeout: str,
) -> dict[str, Any]:
    """What is to be created, as arguments of `TensorBoard.create`, or of `TrainingJob.create` if there is a `command`.

    Raises UsageError.
    """
    tags, volumes = tag or [], parse_volumes(volume or [])
    if image_viewer:
        http = http or tensorboard_command.TENSORBOARD_PORT
        command = tensorboard_command.viewer_command(command, http)
    words = None if image_viewer else tensorboard_command.tensorboard_words(command)
    span = None if life_span is None else span_secs(life_span)
    level, variables = priority_number(priority), environment_of(env or [], env_file, os.environ)
    queue_timeout = span_secs(schedule_timeout)
    shared = {"name": name, "display_name": description, "tags": tags, "labels": labels_of(tags)}
    if words is not None:
        return {
            **shared,
            "sources": tensorboard_command.sources_of(words, volumes),
            "http_auth": http_auth,
            "life_span": span,
            "idle_timeout": (span or None) if idle is None else span_secs(idle),
        }
    refuse_unsupported(http_auth, idle)
    return {
        **shared,
        "command": in_folder(workdir, command),
        "display_name": description or (title_of(command) if workdir else ""),
        "max_retries": retries_of(restart),
        "image": image,
        "preset": preset,
        "environment": variables,
        "volumes": volume or [],
        "priority": level,
        "life_span": span or 0.0,
        "http_port": http,
        "queue_timeout": queue_timeout,
    }


def local_ports(texts: Sequence[str], detach: bool) -> list[tuple[int, int]]:
    """The ports of this machine and of the job to forward. Raises UsageError, also if one is in use here."""
    pairs = [port_pair(text) for text in texts]
    if pairs and detach:
        raise UsageError(
            "--port-forward forwards while this terminal is attached",
            hint="leave out --detach, or use lightboard port-forward NAME LOCAL:REMOTE afterwards",
        )
    if pairs:
        from lightboard.client.port_forward import check_port_free  # loads asyncio

        for local, remote in pairs:
            check_port_free(local, remote)
    return pairs


def title_of(command: Sequence[str]) -> str:
    """A command as a display name, without what starts it in a folder."""
    return " ".join(command).strip()[:MAX_TITLE]


def labels_of(tags: Sequence[str]) -> dict[str, str]:
    """The tags of the form `key:value` as labels."""
    return {key: value for key, colon, value in (tag.partition(":") for tag in tags) if key and colon}


def refuse_unsupported(http_auth: bool, idle: str | None) -> None:
    """Raises UsageError for flags whose effect a job could not have."""
    if not http_auth:
        raise UsageError(
            "the web page of a job needs a login: it could act for whoever opens it", hint="leave out --no-http-auth"
        )
    if idle is not None:
        raise UsageError("--idle is for TensorBoards", hint="--life-span limits how long a job runs")


def create_or_start(session: Session, settings: dict[str, Any]) -> tuple[TensorBoard, int]:
    """A new TensorBoard, or the stopped one of this name with these settings; the length of its history before.

    Raises Conflict if one of this name has not been stopped.
    """
    try:
        return TensorBoard.create(wait=False, origin="cli", session=session, **settings), 0
    except TensorboardLimitExceeded:
        raise
    except Conflict:
        if not settings["name"]:
            raise
        info = find_tensorboard(session, settings["name"])
    if info["status"] not in RESTING:
        raise Conflict(
            f"the TensorBoard {info['name']} is {neuro_words(info)}",
            hint=f"lightboard attach {info['name']}, or lightboard kill {info['name']} first",
        )
    changed = session.request("PATCH", route(info["id"]), body=changes_of(settings))
    return TensorBoard(info["id"], session).start(wait=False), len(changed["transitions"])


def changes_of(settings: dict[str, Any]) -> dict[str, Any]:
    """The request that gives an existing TensorBoard these settings; what was not given stays."""
    changes = {
        "sources": settings["sources"],
        "http_auth": settings["http_auth"],
        "life_span_secs": settings["life_span"],
        "idle_timeout_secs": settings["idle_timeout"],
        "display_name": settings["display_name"] or None,
        "tags": settings["tags"],
        "labels": settings["labels"],
    }
    return {key: value for key, value in changes.items() if value is not None}


def follow_tensorboard(
    board: TensorBoard,
    project: str | None,
    browse: bool,
    detach: bool,
    seen: int,
    ports: Sequence[tuple[int, int]],
) -> int:
    """Tells what was made, and unless `detach` prints its output. Returns the exit code."""
    info = board.info()
    show_created(info["id"], info["name"], info["app_uri"], project)
    if not detach:
        on_running = board.open if browse else nothing
        with forwarded(board, info["name"], ports):
            return attach_tensorboard(board, info["name"], project, on_running=on_running, seen=seen)
    if browse:
        board.wait(say=say, seen=seen)
        board.open()
    return 0


def follow_job(
    job: TrainingJob, project: str | None, browse: bool, detach: bool, ports: Sequence[tuple[int, int]]
) -> int:
    """Tells what was made, and unless `detach` prints its output. Returns the exit code."""
    info = job.info()
    name = info["name"]
    show_created(job.id, name, info["url"], project)

    def open_it() -> None:
        board = None if info["url"] else try_tensorboard(job)
        open_in_browser(job, info, board, attached=not detach)
        if board is not None:
            say(f"TensorBoard: {board.app_uri}")

    if not detach:
        with forwarded(job, name, ports):
            return attach_job(job, name, project, on_running=open_it if browse else nothing, seen=0)
    if browse:
        open_it()
    return 0


def show_created(id: str, name: str, link: str, project: str | None) -> None:
    """What Neu.ro prints of a new job: its id, name, address, and commands that take the name."""
    show(f"Job ID: {id} Status: {CREATED.split()[0]}")
    show(f"Name: {name}")
    if link:
        show(f"Http URL: {link}")
    show("Shortcuts:")
    for line in shortcut_lines(name, project):
        show(line)


def shortcut_lines(name: str, project: str | None) -> list[str]:
    """The shortcuts, with their comments in one column."""
    commands = [command_text(verb, name, project, *rest) for verb, rest, _ in SHORTCUTS]
    width = max(map(len, commands))
    return [f"  {command:<{width}}  # {text}" for command, (*_, text) in zip(commands, SHORTCUTS, strict=True)]
