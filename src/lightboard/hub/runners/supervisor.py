"""The supervisor of one replica: a small process that outlives the hub.

`python -m lightboard.hub.runners.supervisor FOLDER [DESCRIPTOR]` runs the command in `FOLDER/spec.json`, unless it has
been run before. It returns as soon as the supervisor has taken over, which continues in the background: it stores the
output with the time of each line, measures all processes of the replica, ends them when that is requested, and stores
how they ended.

If the supervisor is killed, the kernel kills the command, and the runner kills the processes that the command has
started. Its input has variables as a JSON object, which are added to those of the specification and never stored; it
may be empty. The descriptor is the end of a pipe: when the other end is closed, whatever the replica belongs to has
ended, and the supervisor ends it. With it, the variables are deleted from the specification as soon as they are known.
"""

import contextlib
import ctypes
import errno
import json
import os
import select
import selectors
import signal
import sys
import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from lightboard.hub.resources.replicas import (
    LOST,
    OUT_OF_MEMORY,
    START_FAILED,
    STOPPED,
    WORKER_ENDED,
    GpuUsage,
    Limits,
    ReplicaPhase,
    ReplicaState,
    ResourceUsage,
)
from lightboard.hub.runners import command_process, process_tree
from lightboard.hub.runners.command_process import CommandProcess, NotStarted
from lightboard.hub.runners.control_group import ControlGroup, GroupSpec
from lightboard.hub.runners.exec_server import ExecServer
from lightboard.hub.runners.gpu_monitor import GpuMonitor
from lightboard.hub.runners.line_log import LineLogWriter
from lightboard.hub.runners.remove_tree import remove_tree
from lightboard.hub.runners.replica_folder import SIGNAL_EXIT, ReplicaFolder, ReplicaSpec
from lightboard.hub.runners.replica_group import control_group_of
from lightboard.hub.runners.usage_log import UsageLogWriter
from lightboard.hub.runners.watched_tree import WatchedTree
from lightboard.memory_sizes import measured_memory_text, memory_text

MEASURE_SECS = 1.0
READ_BYTES = 64 << 10
"""At once. The command can make its pipe larger; each of its bytes may be a line, which is stored with its time."""
DRAIN_SECS = 5.0
"""How long to wait for the rest of the output after all processes have ended."""
SHUTDOWN_GRACE_SECS = 5.0
KILL_PAUSE_SECS = 0.02
MESSAGE_BYTES = 1000
PR_SET_CHILD_SUBREAPER = 36
"""See prctl(2)."""
libc = ctypes.CDLL(None, use_errno=True)


class Supervisor:
    """Runs the command of a replica once. `run` returns when none of its processes is left."""

    def __init__(self, folder: ReplicaFolder, spec: ReplicaSpec, lifeline: int | None = None) -> None:
        self._lifeline = lifeline
        self._folder = folder
        self._spec = spec
        self._state = ReplicaState(phase=ReplicaPhase.STARTING)
        self._log = LineLogWriter(folder.log)
        self._lost_bytes = 0
        self._last_output = b""
        self._tree = WatchedTree(spec.memory_bytes)
        self._group: ControlGroup = control_group_of(spec.group) if spec.group else self._tree
        self._usage_log = UsageLogWriter(folder.usage_log, MEASURE_SECS)
        self._gpus: GpuMonitor | None = None
        self._measured_at = time.monotonic()
        self._command: CommandProcess | None = None
        self._execs: ExecServer | None = None
        self._exit_status: int | None = None
        self._requested_kill_at: float | None = None
        self._kill_at: float | None = None  # of the monotonic clock: that of the machine may be set meanwhile
        self._reason = self._message = ""
        self._terminated = False

    def run(self) -> None:
        """Starts the command, and waits for its end."""
        self._read_stop_request()
        if self._kill_at is not None:
            self._end(reason=STOPPED)
            return
        output, output_end = os.pipe()
        signals, signals_end = os.pipe()
        for fd in (output, signals, signals_end):
            os.set_blocking(fd, False)
        signal.set_wakeup_fd(signals_end, warn_on_full_buffer=False)
        for number in (signal.SIGTERM, signal.SIGCHLD):
            signal.signal(number, self._on_signal)
        libc.prctl(PR_SET_CHILD_SUBREAPER, 1)
        command = self._start(output, output_end)
        if command is None:
            return
        with selectors.DefaultSelector() as selector:
            selector.register(output, selectors.EVENT_READ)
            selector.register(signals, selectors.EVENT_READ)
            if self._lifeline is not None:
                selector.register(self._lifeline, selectors.EVENT_READ)
            self._execs = ExecServer(self._spec, command, selector, start_failure)
            with contextlib.suppress(OSError):  # the job runs, although no further commands can
                self._execs.listen(self._folder)
            self._state = replace(
                self._state,
                phase=ReplicaPhase.RUNNING,
                started_at=time.time(),
                isolation=command.isolation,
                limits=self._group.kind,
            )
            self._folder.write_state(self._state)
            self._watch(selector, output, signals)
            self._execs.close()
            self._end_group()
        self._drain(output)
        if self._spec.temporary:
            with contextlib.suppress(OSError):  # the next attempt deletes what is left
                remove_tree(Path(self._spec.temporary))
        result = command.result(self._exit_status or 0)
        self._end(exit_code=result.exit_code, signal=result.signal, reason=self._reason, message=self._message)

    def _start(self, output: int, output_end: int) -> CommandProcess | None:
        """The command; None if it cannot be started, which is stored."""
        command, message = self._start_in_group(output_end)
        os.close(output_end)
        if command is None:
            self._remove_group()
            self._drain(output)
            self._end(reason=START_FAILED, message=message or f"the sandbox was not created: {self._last_line()}")
        return command

    def _start_in_group(self, output: int) -> tuple[CommandProcess | None, str]:
        """The command, or None and why it cannot be started: "" if the output says it."""
        if self._spec.group and not self._create_group(self._spec.group):
            return None, "its control group cannot be created"
        if self._spec.cpu_ids:
            with contextlib.suppress(OSError):  # the machine may have lost all of these processors meanwhile
                os.sched_setaffinity(0, self._spec.cpu_ids)  # the command inherits it
        try:
            self._command = command_process.start(self._spec, output, self._group.enter)
        except OSError as error:
            what = error.filename or self._spec.command[0]
            return None, start_failure(what, error, self._spec)
        except NotStarted as error:
            return None, str(error)
        return self._command, ""

    def _create_group(self, spec: GroupSpec) -> bool:
        """Creates the control group. If that fails, the processes are watched instead, or False if it is required."""
        try:
            self._group.create(spec.limits)
        except OSError:
            self._group = self._tree
            return not spec.required
        return True

    def _watch(self, selector: selectors.BaseSelector, output: int, signals: int) -> None:
        """Returns when the command has exited."""
        measure_at = time.monotonic()
        while self._exit_status is None:
            now = time.monotonic()
            if now >= measure_at:
                with contextlib.suppress(OSError, ValueError):  # a full disk, or odd files, must not end the command
                    self._measure()
                with contextlib.suppress(OSError, ValueError):  # nobody can notify it on another machine
                    self._read_stop_request()
                measure_at = now + MEASURE_SECS
            pause = measure_at - now
            if self._kill_at is not None:
                pause = min(pause, max(0.0, self._kill_at - now))
            for key, _ in selector.select(pause):
                if key.fd == signals:
                    read_available(signals)
                    self._read_stop_request()
                elif key.fd == self._lifeline:
                    selector.unregister(key.fd)
                    self._shut_down(WORKER_ENDED)
                elif key.data is not None:
                    key.data()
                elif not self._copy(output):  # closed, although the command runs
                    selector.unregister(output)
            self._reap()
            if self._execs is not None:
                self._execs.enforce()
            self._enforce_stop()

    def _on_signal(self, number: int, _frame: object) -> None:
        """Without a request to stop, SIGTERM means that the machine is shut down."""
        if number == signal.SIGTERM:
            self._shut_down("the machine was shut down")

    def _shut_down(self, why: str) -> None:
        if self._kill_at is not None:
            return
        with contextlib.suppress(OSError, ValueError):
            if self._folder.kill_at() is not None:
                return
        if self._kill_at is None:
            self._kill_at = time.monotonic() + SHUTDOWN_GRACE_SECS
            self._reason, self._message = LOST, why

    def _read_stop_request(self) -> None:
        requested = self._folder.kill_at()
        if requested is None or requested == self._requested_kill_at:
            return
        if self._kill_at is None:
            self._reason = STOPPED
        self._requested_kill_at = requested
        kill_at = time.monotonic() + requested - time.time()
        self._kill_at = kill_at if self._kill_at is None else min(self._kill_at, kill_at)

    def _enforce_stop(self) -> None:
        if self._kill_at is None or self._command is None or self._exit_status is not None:
            return
        if not self._terminated:
            self._terminated = True
            self._command.terminate()
        if time.monotonic() >= self._kill_at:
            self._kill_at_once()

    def _kill_at_once(self) -> None:
        """Kills all processes. Further commands end because of it, and are told so."""
        if self._execs is not None:
            self._execs.close()
        self._tree.kill()
        self._group.kill()

    def _reap(self) -> bool:
        """Collects ended processes; whether there are others."""
        return process_tree.reap(self._on_end)

    def _on_end(self, pid: int, wait_status: int) -> None:
        """Keeps the status of a process, if it was a command."""
        if self._command is not None and pid == self._command.pid:
            self._exit_status = wait_status
        elif self._execs is not None:
            self._execs.reaped(pid, wait_status)

    def _measure(self) -> None:
        usage = self._group.usage()
        self._enforce_memory_limit(usage)
        usage = replace(usage, processes=max(0, usage.processes - self._own_processes()), gpus=self._gpu_usage())
        self._folder.write_usage(usage)
        last, self._measured_at = self._measured_at, time.monotonic()
        self._usage_log.add(time.time(), self._measured_at - last, usage)

    def _gpu_usage(self) -> tuple[GpuUsage, ...]:
        if self._gpus is None:
            self._gpus = GpuMonitor(self._spec.gpu_ids)
        return self._gpus.usage(self._group.pids()) if self._gpus.measures else ()

    def _own_processes(self) -> int:
        """The number of processes that only make up the sandbox, and run nothing in it."""
        return sum(each.own_processes for each in (self._command, self._execs) if each is not None)

    def _enforce_memory_limit(self, usage: ResourceUsage) -> None:
        """Ends all processes if they have needed too much, also where the kernel has already killed one of them."""
        if self._reason or not self._group.is_out_of_memory(usage):
            return
        self._reason = OUT_OF_MEMORY
        self._message = out_of_memory_message(self._spec.memory_bytes, usage, self._group.kind)
        self._kill_at_once()

    def _end_group(self) -> None:
        """Kills the processes that the command has left behind, waits for their end, and removes their group."""
        with contextlib.suppress(OSError, ValueError):
            self._enforce_memory_limit(self._group.usage())
        while self._reap() or self._group.pids():
            self._tree.kill()
            self._group.kill()
            if self._reap() or self._group.pids():
                time.sleep(KILL_PAUSE_SECS)
        self._remove_group()

    def _remove_group(self) -> None:
        """Removes the group, in which processes may take a moment to end."""
        deadline = time.monotonic() + DRAIN_SECS
        while time.monotonic() < deadline:
            with contextlib.suppress(OSError):
                self._group.remove()
                return
            self._group.kill()
            self._reap()
            time.sleep(KILL_PAUSE_SECS)

    def _copy(self, output: int) -> bool:
        """Stores available output; False at its end."""
        chunk = read_available(output)
        if chunk:
            self._last_output = (self._last_output + chunk)[-MESSAGE_BYTES:]
            try:
                self._log.write(chunk)
            except OSError:
                self._lost_bytes += len(chunk)
        return chunk != b""

    def _drain(self, output: int) -> None:
        deadline = time.monotonic() + DRAIN_SECS
        os.set_blocking(output, False)
        while self._copy(output) and (left := deadline - time.monotonic()) > 0:
            select.select([output], [], [], left)  # somebody else may have it open

    def _last_line(self) -> str:
        return self._last_output.decode(errors="replace").strip().rpartition("\n")[2].removeprefix("bwrap: ")

    def _end(self, **fields: object) -> None:
        with contextlib.suppress(OSError):
            self._usage_log.close()
        try:
            self._log.close()
        except OSError:
            self._lost_bytes += 1
        if self._lost_bytes:
            lost = "the end of the output was lost: the disk was full"
            fields["message"] = f"{fields['message']}; {lost}" if fields.get("message") else lost
        ended = replace(self._state, phase=ReplicaPhase.ENDED, ended_at=time.time(), **fields)  # type: ignore[arg-type]
        while True:
            try:
                self._folder.write_state(ended)
                return
            except FileNotFoundError:  # the folder was deleted: nobody will ask
                return
            except OSError:  # a full disk: how it ended must not be lost
                time.sleep(MEASURE_SECS)


def start_failure(what: str, error: OSError, spec: ReplicaSpec) -> str:
    """Why a command of a replica was not started, for people."""
    message = f"cannot start {what}: {error.strerror}"
    if spec.sandbox is not None and error.errno == errno.ENOENT and os.path.isabs(what):
        message += "; jobs see programs, their own folders and those of their project"
    if spec.user is not None and error.errno == errno.EACCES:
        message += f"; jobs of this account run as the user {spec.user.user}, who must be allowed to use it"
    return message


def out_of_memory_message(limit: int | None, usage: ResourceUsage, limits: Limits) -> str:
    """Why processes were ended that have a limit, None for none, for people."""
    if limits is Limits.WATCHING:
        used = measured_memory_text(usage.memory_bytes)
        return f"its processes used {used} of memory, more than their limit of {memory_text(limit)}"
    if limit is None:
        return "the machine, or what limits the hub, had no memory left"
    return f"its processes needed more memory than their limit of {memory_text(limit)}"


def read_available(fd: int) -> bytes | None:
    """What can be read now: b"" at the end, None if there is nothing yet."""
    try:
        return os.read(fd, READ_BYTES)
    except BlockingIOError:
        return None


def read_variables(fd: int) -> dict[str, str]:
    """The variables in a file in memory, or none. It can be read again by another supervisor, should this one fail."""
    content, size = b"", os.fstat(fd).st_size
    while len(content) < size:
        content += os.pread(fd, size - len(content), len(content))
    return dict(json.loads(content)) if content else {}


def take_over(path: Path, started: int, lifeline: int | None = None) -> None:
    """Runs the replica of a folder if nobody has, as long as `lifeline` is open.

    A byte is written to `started` when nothing can go wrong any more.
    """
    folder = ReplicaFolder(path)
    if not folder.take_lock() or folder.read_state() is not None:
        os.write(started, b"1")
        return
    spec = folder.read_spec()
    if lifeline is not None:  # it is on storage that several machines share
        folder.forget_variables()
    spec = replace(spec, environment={**spec.environment, **read_variables(0)})
    supervisor = Supervisor(folder, spec, lifeline)
    folder.write_state(ReplicaState(phase=ReplicaPhase.STARTING))
    os.write(started, b"1")
    os.close(started)
    log = os.open(path / "supervisor.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    nothing = os.open(os.devnull, os.O_RDWR)
    for fd, stream in ((nothing, 0), (nothing, 1), (log, 2)):
        os.dup2(fd, stream)
    supervisor.run()


def start(path: Path, lifeline: int | None = None, unused: Iterable[int] = ()) -> int:
    """Starts the supervisor of a folder in the background; returns 0 when the replica has one.

    Otherwise it returns 1, with a message on stderr, or SIGNAL_EXIT and the number of the signal that killed it. The
    supervisor closes the descriptors in `unused`.
    """
    os.umask(0o077)
    started, started_end = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            for fd in (started, *unused):
                os.close(fd)
            os.setsid()
            os.chdir("/")
            take_over(path, started_end, lifeline)
            code = 0
        except BaseException:
            sys.excepthook(*sys.exc_info())
        finally:
            os._exit(code)
    os.close(started_end)
    if os.read(started, 1):
        return 0
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return SIGNAL_EXIT - code if code < 0 else 1


def main(arguments: list[str]) -> int:
    """See `start`."""
    return start(Path(arguments[0]), int(arguments[1]) if arguments[1:] else None)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
