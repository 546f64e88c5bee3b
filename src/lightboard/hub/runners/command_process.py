"""The command of a replica while it runs: a process of the machine, or of a sandbox. Linux only."""

import contextlib
import ctypes
import fcntl
import json
import marshal
import os
import select
import signal
import subprocess
import termios
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import IO

from lightboard.hub.resources.replicas import Isolation
from lightboard.hub.runners import process_tree, sandbox_entry
from lightboard.hub.runners.namespaces import open_namespaces
from lightboard.hub.runners.replica_folder import MARK, IdentitySpec, ReplicaSpec, SandboxSpec
from lightboard.hub.runners.sandbox_entry import READY, parse_error_report

PR_SET_PDEATHSIG = 1
"""See prctl(2)."""
SHELL_SIGNAL = 128
"""Bubblewrap exits with the number of the signal that ended the command plus this, as shells do."""
LAST_SIGNAL = 31
"""The last one that is not for real-time programs. Exit codes above are more likely those of programs."""
SANDBOX_PROCESSES = 2
"""Bubblewrap itself, and the first process in the sandbox."""
BESIDE_PROCESSES = 1
"""What enters the sandbox with a further command, and waits for its end."""
TERMINAL_TYPE = {"TERM": "xterm-256color"}
"""Of further commands with a terminal, unless the variables of the job name another."""
START_SECS = 60.0
"""A sandbox takes a hundredth of a second; a loaded machine, or a slow disk, may need much longer."""
UMASK = 0o022
"""While folders for mounts are created, which commands of another user must be able to enter."""
MAX_REPORT_BYTES = 65_536
libc = ctypes.CDLL(None, use_errno=True)


class NotStarted(Exception):
    """The command was not started: why, "" if bubblewrap has written it to the output."""


@dataclass(frozen=True)
class Result:
    """How a command ended."""

    exit_code: int | None
    signal: int | None


class CommandProcess:
    """A command that runs. `group` is its process group; `own_processes` are those that only make up its sandbox.

    `namespaces` are descriptors of those of its sandbox, in the order in which they can be entered. `enter_group` puts
    the process that calls it into its control group.
    """

    def __init__(
        self,
        process: "subprocess.Popen[bytes]",
        group: int,
        isolation: Isolation,
        status: IO[bytes] | None = None,
        *,
        own_processes: int = 0,
        namespaces: tuple[int, ...] = (),
        enter_group: Callable[[], None],
    ) -> None:
        self._process = process  # when it is freed, it takes the exit status
        self._status = status  # when it is closed, bubblewrap cannot write to it, and ends
        self.pid = process.pid
        self.group = group
        self.isolation = isolation
        self.own_processes = own_processes
        self.namespaces = namespaces
        self.enter_group = enter_group

    def wait(self) -> None:
        """Waits until it has ended."""
        self._process.wait()
        if self._status is not None:
            self._status.close()
        for fd in self.namespaces:
            os.close(fd)

    def release(self, wait_status: int) -> None:
        """Frees what is known of the process, whose status has been taken."""
        self._process.returncode = os.waitstatus_to_exitcode(wait_status)

    def terminate(self, number: int = signal.SIGTERM) -> None:
        """Sends a signal to the command, and lets it continue if it was stopped, so that it can act on it.

        Not to bubblewrap, which would end at once and take the command with it.
        """
        with contextlib.suppress(ProcessLookupError, PermissionError):  # it has become another user's
            os.killpg(self.group, number)
            os.killpg(self.group, signal.SIGCONT)

    def kill(self) -> None:
        """Kills the command and its children. What has entered a sandbox with it ends by itself."""
        children = [stat.pid for stat in process_tree.descendants(self.pid)]
        process_tree.kill(children if self.isolation is Isolation.KERNEL else [self.pid, *children])

    def result(self, wait_status: int) -> Result:
        """How the command ended, from the status of wait(2)."""
        code = os.waitstatus_to_exitcode(wait_status)
        number = code - SHELL_SIGNAL if self.isolation is Isolation.KERNEL and code >= 0 else -code
        return Result(None, number) if 0 < number <= LAST_SIGNAL or code < 0 else Result(code, None)


def stay() -> None:
    """Enters no control group."""


def start(spec: ReplicaSpec, output: int, enter_group: Callable[[], None] = stay) -> CommandProcess:
    """Starts the command of a replica in a session of its own. Raises OSError or NotStarted.

    `enter_group` puts the process that calls it into the control group of the replica.
    """
    if spec.user is not None and spec.sandbox is None:
        process = start_as_user(spec, spec.user, output, enter_group)
        return CommandProcess(process, process.pid, Isolation.PROCESS, enter_group=enter_group)
    if spec.sandbox is None:
        process = popen(spec.command, spec.environment, spec.working_dir, log_streams(output), enter_group=enter_group)
        return CommandProcess(process, process.pid, Isolation.NONE, enter_group=enter_group)
    status, status_end = map(os.fdopen, os.pipe(), ("rb", "wb"))
    try:
        with status_end:
            process = start_in_sandbox(spec, spec.sandbox, output, status_end.fileno(), enter_group)
        first = int(json.loads(status.readline())["child-pid"])
        return CommandProcess(
            process,
            first,
            Isolation.KERNEL,
            status,
            own_processes=SANDBOX_PROCESSES,
            namespaces=namespaces_of(first, process.pid),
            enter_group=enter_group,
        )
    except BaseException:
        status.close()
        raise


def namespaces_of(first: int, bubblewrap: int) -> tuple[int, ...]:
    """The namespaces of a sandbox; none if it has ended, or its kernel does not let them be opened."""
    try:
        return open_namespaces(first, bubblewrap)
    except OSError:
        return ()


def start_beside(
    main: CommandProcess, spec: ReplicaSpec, command: tuple[str, ...], fds: Sequence[int]
) -> tuple[CommandProcess, int | None]:
    """Starts a further command where `main` runs, in a session of its own; does not wait until it is executed.

    `fds` are its standard input, output and error, or the one of a terminal for all. Returns with it a descriptor of
    what the first program reports, None if that is the command itself. Raises OSError.
    """
    terminal = len(fds) == 1
    stdin, stdout, stderr = (*fds, *fds, *fds) if terminal else fds
    streams = Streams(stdin, stdout, stderr)
    environment = {**TERMINAL_TYPE, **spec.environment} if terminal else spec.environment
    if spec.isolation is Isolation.NONE:
        process = popen(
            command, environment, spec.working_dir, streams, terminal=terminal, enter_group=main.enter_group
        )
        return CommandProcess(process, process.pid, Isolation.NONE, enter_group=main.enter_group), None
    if spec.sandbox is not None and not main.namespaces:
        raise OSError(0, "the sandbox cannot be entered", command[0])
    if spec.user_id is not None:
        for fd in fds:  # its programs may open /dev/stdout
            os.fchown(fd, spec.user_id, spec.user_id)
    with contextlib.ExitStack() as opened:
        report, report_end = os.pipe()
        opened.callback(os.close, report_end)
        wanted = entry_settings(replace(spec, command=command, environment=environment))
        settings = file_of(opened, marshal.dumps({**wanted, "terminal": terminal}))
        arguments = (*sandbox_entry.THIS, *map(str, (settings, report_end, *main.namespaces)))
        kept = (settings, report_end, *main.namespaces)
        try:
            process = popen(arguments, {MARK: spec.mark}, "/", streams, kept, UMASK, enter_group=main.enter_group)
        except BaseException:
            os.close(report)
            raise
    os.set_blocking(report, False)
    own = BESIDE_PROCESSES if spec.sandbox is not None else 0
    further = CommandProcess(process, process.pid, spec.isolation, own_processes=own, enter_group=main.enter_group)
    return further, report


def start_in_sandbox(
    spec: ReplicaSpec, sandbox: SandboxSpec, output: int, status: int, enter_group: Callable[[], None]
) -> "subprocess.Popen[bytes]":
    """Starts the command of a replica in a sandbox, and waits until it is executed. Raises OSError or NotStarted."""
    with contextlib.ExitStack() as opened:
        report, report_end = map(opened.enter_context, map(os.fdopen, os.pipe(), ("rb", "wb")))
        bubblewrap, *options = sandbox.command
        arguments = file_of(opened, b"".join(os.fsencode(option) + b"\0" for option in options))
        # Variables are secret, so they are not on a command line, and they must not affect bubblewrap itself, which
        # runs outside of the sandbox.
        settings = file_of(opened, marshal.dumps(entry_settings(spec)))
        fds = (arguments, settings, status, report_end.fileno())
        command = (
            bubblewrap,
            "--args",
            arguments,
            "--json-status-fd",
            status,
            "--",
            *sandbox_entry.THIS,
            settings,
            fds[-1],
        )
        streams = log_streams(output)
        process = popen(tuple(map(str, command)), {MARK: spec.mark}, "/", streams, fds, UMASK, enter_group=enter_group)
        report_end.close()
        wait_until_executed(process, report)
        return process


def start_as_user(
    spec: ReplicaSpec, user: IdentitySpec, output: int, enter_group: Callable[[], None]
) -> "subprocess.Popen[bytes]":
    """Starts the command of a replica as its user, and waits until it is executed. Raises OSError or NotStarted."""
    os.fchown(output, user.user, user.groups[0])  # its programs may open /dev/stdout
    with contextlib.ExitStack() as opened:
        report, report_end = map(opened.enter_context, map(os.fdopen, os.pipe(), ("rb", "wb")))
        settings = file_of(opened, marshal.dumps(entry_settings(spec)))
        fds = (settings, report_end.fileno())
        command = (*sandbox_entry.THIS, *map(str, fds))
        process = popen(command, {MARK: spec.mark}, "/", log_streams(output), fds, enter_group=enter_group)
        report_end.close()
        wait_until_executed(process, report)
        return process


def entry_settings(spec: ReplicaSpec) -> dict[str, object]:
    """What the first program of a replica reads that is isolated."""
    common: dict[str, object] = {
        "command": spec.command,
        "environment": spec.environment,
        "working_dir": spec.working_dir,
        "user": spec.user_id,
    }
    if sandbox := spec.sandbox:
        return common | {"folders": sandbox.folders, "root": sandbox.root, "max_pids": sandbox.max_pids}
    assert spec.user is not None
    return common | {"folders": (), "groups": list(spec.user.groups), "max_pids": spec.user.max_pids}


def file_of(opened: contextlib.ExitStack, content: bytes) -> int:
    """A descriptor of a file in memory, closed with `opened`."""
    file = opened.enter_context(os.fdopen(os.memfd_create("sandbox"), "wb"))
    file.write(content)
    file.seek(0)
    return file.fileno()


def wait_until_executed(process: "subprocess.Popen[bytes]", report: IO[bytes]) -> None:
    """Waits until the sandbox executes the command, which closes the report. Raises OSError or NotStarted."""
    text = b""
    while len(text) < MAX_REPORT_BYTES:
        if not select.select([report], [], [], START_SECS)[0]:
            process.kill()
            process.wait()
            raise NotStarted(f"the sandbox was not ready within {START_SECS:.0f} seconds")
        if not (more := os.read(report.fileno(), MAX_REPORT_BYTES)):
            break
        text += more
    if text == READY:
        return
    process.wait()
    if not text:
        raise NotStarted
    raise OSError(*parse_error_report(text.removeprefix(READY)))


@dataclass(frozen=True)
class Streams:
    """The descriptors of a process."""

    stdin: int
    stdout: int
    stderr: int


def log_streams(output: int) -> Streams:
    """Without input, and with one output for all."""
    return Streams(subprocess.DEVNULL, output, output)


def popen(
    command: tuple[str, ...],
    environment: dict[str, str],
    folder: str,
    streams: Streams,
    fds: tuple[int, ...] = (),
    umask: int = -1,
    *,
    terminal: bool = False,
    enter_group: Callable[[], None] = stay,
) -> "subprocess.Popen[bytes]":
    """Starts a process that ends with this one, in a `terminal` if its input is one. Raises OSError.

    It is in its control group before anything is executed.
    """
    parent = os.getpid()

    def end_with_supervisor() -> None:
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)
        if terminal:
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        enter_group()

    try:
        return subprocess.Popen(  # noqa: S603  # running the user's command is the purpose
            command,
            cwd=folder,
            env=environment,
            stdin=streams.stdin,
            stdout=streams.stdout,
            stderr=streams.stderr,
            start_new_session=True,
            pass_fds=fds,
            umask=umask,
            preexec_fn=end_with_supervisor,  # this process has one thread
        )
    except subprocess.SubprocessError as error:  # of preexec_fn
        raise OSError(0, "its control group cannot be entered", command[0]) from error
