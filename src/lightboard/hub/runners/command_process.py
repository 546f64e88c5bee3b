"""The command of a replica while it runs: a process of the machine, or of a sandbox. Linux only."""

import ctypes
import json
import os
import signal
import subprocess
from dataclasses import dataclass
from typing import BinaryIO

from lightboard.hub.resources.replicas import Isolation
from lightboard.hub.runners.replica_folder import MARK, ReplicaSpec

PR_SET_PDEATHSIG = 1
"""See prctl(2)."""
SHELL_SIGNAL = 128
"""Bubblewrap exits with the number of the signal that ended the command plus this, as shells do."""
LAST_SIGNAL = 31
"""The last one that is not for real-time programs. Exit codes above are more likely those of programs."""
SANDBOX_PROCESSES = 2
"""Bubblewrap itself, and the first process in the sandbox."""
libc = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True)
class Result:
    """How a command ended. `started` is false if it never ran, because its sandbox could not be created."""

    exit_code: int | None
    signal: int | None
    started: bool = True


class CommandProcess:
    """A command that has been started. `group` is its process group.

    `status` is what bubblewrap says about the sandbox: an object of JSON in each line, the last with the exit code of
    the command. None without a sandbox.
    """

    def __init__(self, process: "subprocess.Popen[bytes]", status: BinaryIO | None = None) -> None:
        self._process = process  # when it is freed, it takes the exit status
        self._status = status
        self.pid = self.group = process.pid
        self.isolation = Isolation.NONE if status is None else Isolation.KERNEL
        self.own_processes = 0 if status is None else SANDBOX_PROCESSES
        if status is not None and (first := status.readline()):
            self.group = int(json.loads(first)["child-pid"])

    def terminate(self) -> bool:
        """Sends SIGTERM to the command; False if its sandbox is not complete yet."""
        try:
            os.killpg(self.group, signal.SIGTERM)
        except ProcessLookupError:
            return self._status is None
        return True

    def result(self, wait_status: int) -> Result:
        """How the command ended, from the status of wait(2). To be called when none of its processes is left."""
        code = os.waitstatus_to_exitcode(wait_status)
        if code < 0:
            return Result(None, -code)
        if self._status is None:
            return Result(code, None)
        if b'"exit-code"' not in self._status.read():
            return Result(None, None, started=False)
        number = code - SHELL_SIGNAL
        return Result(None, number) if 0 < number <= LAST_SIGNAL else Result(code, None)


def start(spec: ReplicaSpec, output: int) -> CommandProcess:
    """Starts the command of a replica in a session of its own. Raises OSError."""
    if not spec.sandbox:
        return CommandProcess(popen(spec.command, spec.environment, spec.working_dir, output))
    program, *arguments = spec.sandbox
    for name, value in spec.environment.items():
        # Not in the environment of bubblewrap itself, which runs outside of the sandbox.
        arguments += ("--setenv", name, value)
    status, status_end = os.pipe()
    passed = os.memfd_create("arguments")  # secrets must not be on the command line
    try:
        with open(passed, "wb", closefd=False) as file:
            file.write(b"".join(os.fsencode(argument) + b"\0" for argument in arguments))
        os.lseek(passed, 0, os.SEEK_SET)
        options = (program, "--args", str(passed), "--json-status-fd", str(status_end), "--")
        environment = {MARK: spec.mark}
        process = popen((*options, *spec.command), environment, "/", output, (passed, status_end))
    except BaseException:
        os.close(status)
        raise
    finally:
        os.close(passed)
        os.close(status_end)
    return CommandProcess(process, open(status, "rb"))  # until this process ends


def popen(
    command: tuple[str, ...], environment: dict[str, str], folder: str, output: int, fds: tuple[int, ...] = ()
) -> "subprocess.Popen[bytes]":
    """Starts a process that ends with this one. Raises OSError."""
    parent = os.getpid()

    def end_with_supervisor() -> None:
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)

    return subprocess.Popen(  # noqa: S603  # running the user's command is the purpose
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=output,
        start_new_session=True,
        pass_fds=fds,
        preexec_fn=end_with_supervisor,  # this process has one thread
    )
