"""`lightboard exec`: runs a further command in a running job, with this terminal or in a pipe."""

import contextlib
import os
import select
import signal
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from lightboard.cli.instances import check_board_rank, find_instance
from lightboard.cli.jobs import line_or_words
from lightboard.cli.output import discard_output, say
from lightboard.cli.remote import ProjectName, Url, Which, session_of
from lightboard.cli.viewer_job import viewer_job
from lightboard.client.neuro_status import neuro_words
from lightboard.client.tensorboards import READY
from lightboard.client.training_jobs import TrainingJob, command_words
from lightboard.errors import Conflict, LightboardError, UsageError

if TYPE_CHECKING:
    from lightboard.client.job_exec import JobExec

READ_BYTES = 64 << 10
NO_SIZE = (24, 80)
Command = Annotated[
    list[str],
    typer.Argument(
        metavar="COMMAND...", help="a program and its arguments, or one quoted line for sh", show_default=False
    ),
]
Tty = Annotated[
    bool | None,
    typer.Option("--tty/--no-tty", "-t/-T", help="run it in a terminal; default: if input and output are terminals"),
]
Rank = Annotated[int, typer.Option(min=0, max=63, help="number of the replica")]


def run_in(job: TrainingJob, command: list[str], tty: bool | None, rank: int) -> int:
    """Runs a command in a job until it ends. Returns its exit code, or 128 and the number of its signal.

    Raises LightboardError.
    """
    from lightboard.client.job_exec import JobExec  # not needed by other commands

    check_platform()
    in_terminal = (is_terminal(0) and is_terminal(1)) if tty is None else tty
    size = terminal_size() if in_terminal else None
    with JobExec(job.session, job.id, command_words(line_or_words(command)), rank=rank, terminal=size) as running:
        with raw_terminal() if in_terminal else contextlib.nullcontext(), forwarded_input(running, in_terminal):
            for channel, data in running.outputs():
                write_all(channel, data)
        assert running.result is not None
        if running.result.message:
            say(running.result.message)
        return running.result.shell_code


def check_platform() -> None:
    """Raises UsageError where there are no terminals as this command needs them."""
    if os.name != "posix":
        raise UsageError("exec needs a terminal of Linux or macOS", hint="on Windows use WSL")


def is_terminal(fd: int) -> bool:
    """Whether a descriptor is a terminal."""
    try:
        return os.isatty(fd)
    except OSError:
        return False


def terminal_size() -> tuple[int, int]:
    """Rows and columns of this terminal, whatever the variables LINES and COLUMNS say: these do not change with it."""
    for fd in (0, 1, 2):
        with contextlib.suppress(OSError):
            size = os.get_terminal_size(fd)
            if size.lines and size.columns:
                return size.lines, size.columns
    return NO_SIZE


@contextlib.contextmanager
def raw_terminal() -> Iterator[None]:
    """Passes all keys on, also Ctrl-C, as long as this lasts. Does nothing if the input is not a terminal."""
    import termios
    import tty

    if not is_terminal(0):
        yield
        return
    before = termios.tcgetattr(0)
    with exit_on_signals():
        try:
            tty.setraw(0, termios.TCSADRAIN)
            yield
        finally:
            termios.tcsetattr(0, termios.TCSADRAIN, before)


@contextlib.contextmanager
def exit_on_signals() -> Iterator[None]:
    """Raises SystemExit on a signal that ends this command, as long as this lasts, so that it can tidy up."""
    before = {number: signal.signal(number, exit_on_signal) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def exit_on_signal(number: int, _frame: object) -> None:
    """Ends this command as the signal would, but runs what is to run at its end."""
    raise SystemExit(128 + number)


@contextlib.contextmanager
def forwarded_input(running: "JobExec", in_terminal: bool) -> Iterator[None]:
    """Sends what is read from standard input, and the size of the terminal when it changes, in a thread."""
    wakeup, wakeup_end = os.pipe()
    os.set_blocking(wakeup_end, False)
    before = signal.set_wakeup_fd(wakeup_end, warn_on_full_buffer=False)
    handler = signal.signal(signal.SIGWINCH, lambda *_: None)  # without one, no byte is written to the pipe
    sender = threading.Thread(target=forward_input, args=(running, wakeup, in_terminal), name="exec input", daemon=True)
    sender.start()
    try:
        yield
    finally:
        signal.signal(signal.SIGWINCH, handler)
        signal.set_wakeup_fd(before)
        os.close(wakeup_end)


def forward_input(running: "JobExec", wakeup: int, in_terminal: bool) -> None:
    """Sends input until the other end of `wakeup` is closed."""
    sources = [wakeup, 0] if is_open(0) else [wakeup]
    if 0 not in sources:
        running.end_input()
    while True:
        readable, _, _ = select.select(sources, [], [])
        if wakeup in readable:
            if not os.read(wakeup, READ_BYTES):
                os.close(wakeup)
                return
            if in_terminal:
                running.resize(*terminal_size())
        if 0 in readable:
            data = read_input()
            running.send(data)
            if not data:
                running.end_input()
                sources.remove(0)


def is_open(fd: int) -> bool:
    """Whether a descriptor is open."""
    try:
        os.fstat(fd)
    except OSError:
        return False
    return True


def read_input() -> bytes:
    """What standard input has; b"" at its end."""
    try:
        return os.read(0, READ_BYTES)
    except OSError:  # the terminal was closed
        return b""


def write_all(channel: int, data: bytes) -> None:
    """Writes to standard output (1) or error (2).

    Raises SystemExit if the reader has closed a pipe, LightboardError if writing failed.
    """
    try:
        while data:
            data = data[os.write(channel, data) :]
    except BlockingIOError:  # somebody has made it so
        select.select([], [channel], [])
        write_all(channel, data)
    except BrokenPipeError:
        discard_output()
        raise SystemExit(0) from None
    except OSError as error:
        raise LightboardError(f"cannot write to {'stdout' if channel == 1 else 'stderr'}: {error.strerror}") from None


def exec_in_job(
    which: Which, command: Command, tty: Tty = None, rank: Rank = 0, url: Url = None, project: ProjectName = None
) -> None:
    """Run a further command in a running job. Flags must precede NAME_OR_ID."""
    with session_of(url, project) as session:
        raise typer.Exit(run_in(TrainingJob.get(which, session), command, tty, rank))


def exec_in_instance(
    which: Which, command: Command, tty: Tty = None, rank: Rank = 0, url: Url = None, project: ProjectName = None
) -> None:
    """Run a further command in a running job, or beside a TensorBoard, with its logs.

    As with Neu.ro, these are at the path of their volume, else at /logs. Flags must precede NAME_OR_ID.
    """
    with session_of(url, project) as session:
        instance, info = find_instance(session, which)
        if isinstance(instance, TrainingJob):
            raise typer.Exit(run_in(instance, command, tty, rank))
        check_platform()
        check_board_rank(info, rank)
        if info["status"] != READY:
            raise Conflict(f"{info['name']} is {neuro_words(info)}", hint=f"lightboard tb start {info['name']}")
        with exit_on_signals(), viewer_job(session, info) as job:
            raise typer.Exit(run_in(job, command, tty, rank=0))
