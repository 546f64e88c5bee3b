"""Further commands in workloads that run as real processes of this machine."""

import json
import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lightboard.errors import LaunchError
from lightboard.hub.resources.replicas import Isolation, ReplicaPhase
from lightboard.hub.runners import exec_server, process_tree
from lightboard.hub.runners.base import WorkloadSpec
from lightboard.hub.runners.exec_session import (
    SOCKET,
    Ended,
    ExecSession,
    NotStarted,
    Started,
    TerminalSize,
    folder_descriptor,
)
from lightboard.hub.runners.local import LocalRunner
from lightboard.hub.runners.replica_folder import MARK, ReplicaFolder
from lightboard.testing.runners import read_to_end, run_beside, submit, wait_for, wait_for_phase
from support.sandboxes import working_sandbox

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the local runner needs /proc")


class Replica:
    """A workload that runs, for all tests of a module."""

    def __init__(self, folder: Path, *, isolated: bool) -> None:
        self.folder = folder
        self.isolation = Isolation.KERNEL if isolated else Isolation.NONE
        sandbox = working_sandbox(folder / "sandbox") if isolated else None
        self.runner = LocalRunner(folder / "work", sandbox=sandbox)
        (folder / "own").mkdir()
        self.own = str(folder / "own")
        spec = WorkloadSpec(
            id="job-1", attempt=1, command=("sleep", "1000"), working_dir=self.own, writable=(self.own,),
            environment={"LR": "0.1", "LD_PRELOAD": ""},
        )  # fmt: skip
        self.handle = submit(self.runner, spec)
        wait_for_phase(self.runner, self.handle, ReplicaPhase.RUNNING)
        self.files = ReplicaFolder(folder / "work" / "job-1" / "1" / "0")

    def start(self, *command: str, size: TerminalSize | None = None) -> ExecSession:
        """A further command that has been started."""
        session = self.runner.exec(self.handle, 0, command, size)
        assert wait_for(session.read_event) == Started()
        return session

    def output(self, script: str, size: TerminalSize | None = None) -> str:
        """What a script prints."""
        return run_beside(self.runner, self.handle, ("sh", "-c", script), size)[1].decode()

    def processes(self) -> int:
        """The number of processes of the replica and its supervisor."""
        return len(process_tree.with_variable(f"{MARK}={self.files.read_spec().mark}"))


@pytest.fixture(scope="module", params=["process", "sandbox"])
def replica(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Replica]:
    """With and without a sandbox."""
    replica = Replica(tmp_path_factory.mktemp("exec"), isolated=request.param == "sandbox")
    yield replica
    replica.runner.delete(replica.handle)
    replica.runner.close()


def test_it_has_the_folder_and_the_variables_of_the_command(replica: Replica) -> None:
    """Those of the job, and nothing of the hub's."""
    assert replica.output('pwd; echo "$LR $LIGHTBOARD_HOME"').splitlines() == [replica.own, "0.1 "]


def test_input_reaches_it_as_it_is(replica: Replica) -> None:
    """All bytes, and the end."""
    every = bytes(range(256)) * 100

    assert run_beside(replica.runner, replica.handle, ("cat",), input=every) == ([Started(), Ended(0)], every)


def test_standard_error_is_apart(replica: Replica) -> None:
    """Without a terminal."""
    session = replica.start("sh", "-c", "echo one; echo two >&2")
    ended = wait_for(session.read_event)
    assert session.stderr is not None
    seen = (ended, read_to_end(session.stdout), read_to_end(session.stderr))
    session.close()

    assert seen == (Ended(0), b"one\n", b"two\n")


def test_a_signal_that_ended_it_is_told(replica: Replica) -> None:
    """Instead of an exit code."""
    events, _ = run_beside(replica.runner, replica.handle, ("sh", "-c", "kill -TERM $$"))

    assert events == [Started(), Ended(signal=15)]


def test_a_program_that_does_not_exist_is_told(replica: Replica) -> None:
    """With its name, and nothing runs."""
    events, _ = run_beside(replica.runner, replica.handle, ("no-such-program",))

    assert events == [NotStarted("cannot start no-such-program: No such file or directory")]


def test_its_terminal_is_its_own(replica: Replica) -> None:
    """It has the size that was asked for, and a name for programs that need one."""
    shown = replica.output('stty size; echo "$TERM"; : < /dev/tty && echo controls', TerminalSize(31, 97))

    assert shown.splitlines() == ["31 97", "xterm-256color", "controls"]


def test_its_terminal_is_resized(replica: Replica) -> None:
    """Programs are told by SIGWINCH."""
    script = "trap 'stty size; exit' WINCH; echo ready; while :; do sleep 0.05; done"
    session = replica.start("sh", "-c", script, size=TerminalSize(24, 80))
    wait_for(lambda: read_to_end(session.stdout))
    session.resize(TerminalSize(50, 120))
    wait_for(session.read_event)
    shown = read_to_end(session.stdout)
    session.close()

    assert shown == b"50 120\r\n"


@pytest.mark.parametrize("size", [None, TerminalSize(24, 80)])
def test_it_gets_a_hangup_when_its_session_is_closed(replica: Replica, size: TerminalSize | None) -> None:
    """As when a connection of ssh is lost, or the hub is killed: the kernel closes what it held."""
    before = replica.processes()
    session = replica.start("sh", "-c", "sleep 1000; true", size=size)
    wait_for(lambda: replica.processes() > before)

    session.close()

    wait_for(lambda: replica.processes() == before)


def test_only_its_streams_are_open(replica: Replica) -> None:
    """Descriptors of the supervisor lead out of the sandbox."""
    code = "import os; print([fd for fd in range(3, 1000) if os.path.exists(f'/proc/self/fd/{fd}')])"
    _, output = run_beside(replica.runner, replica.handle, (sys.executable, "-I", "-S", "-c", code))

    assert output == b"[]\n"


def test_too_many_are_refused(replica: Replica) -> None:
    """Those that run are not affected."""
    sessions = [replica.start("sleep", "1000") for _ in range(exec_server.MAX_COMMANDS)]
    events, _ = run_beside(replica.runner, replica.handle, ("true",))
    for each in sessions:
        each.close()

    assert events == [NotStarted("16 commands run in this job already", "end one of them")]
    wait_for(lambda: run_beside(replica.runner, replica.handle, ("true",))[0] == [Started(), Ended(0)])


@pytest.mark.parametrize("packet", [b"", b"nonsense", b"[]", b"{}", b'{"command": [], "terminal": true}'])
def test_bad_requests_are_dropped(replica: Replica, packet: bytes) -> None:
    """The supervisor goes on."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as client, folder_descriptor(replica.files.path) as fd:
        client.connect(f"/proc/self/fd/{fd}/{SOCKET}")
        if packet:
            client.send(packet)
            client.settimeout(60.0)
            assert client.recv(100) == b""

    assert replica.output("echo fine") == "fine\n"


def test_a_supervisor_of_an_earlier_version_is_told(replica: Replica) -> None:
    """It has no socket."""
    path = replica.files.path / SOCKET
    away = path.with_name("away")
    os.rename(path, away)
    try:
        with pytest.raises(LaunchError, match="an earlier version") as raised:
            replica.runner.exec(replica.handle, 0, ("true",), None)
    finally:
        os.rename(away, path)

    assert raised.value.hint == "restart the job"


def test_it_is_what_the_command_is(replica: Replica) -> None:
    """The same user, namespaces, filter of system calls and limits; it may inherit fewer capabilities."""
    code = """
import json, os, sys
pid = sys.argv[1]
kinds = sorted(os.listdir("/proc/self/ns"))
status = [line for line in open(f"/proc/{pid}/status") if line.split(":")[0] in (
    "Uid", "Gid", "Groups", "CapPrm", "CapEff", "CapAmb", "NoNewPrivs", "Seccomp", "Umask")]
print(json.dumps([[os.readlink(f"/proc/{pid}/ns/{kind}") for kind in kinds], status, os.readlink(f"/proc/{pid}/root"),
                  open(f"/proc/{pid}/limits").read(), open(f"/proc/{pid}/mountinfo").read()]))
"""
    main = replica.output(
        "for each in /proc/[0-9]*; do read -r name < $each/comm; [ $name = sleep ] && echo $each; done"
    )
    own = main_pid(replica) if main.count("\n") != 1 else main.strip().rpartition("/")[2]
    seen = [
        run_beside(replica.runner, replica.handle, (sys.executable, "-I", "-S", "-c", code, pid))[1]
        for pid in ("self", own)
    ]

    assert json.loads(seen[0]) == json.loads(seen[1])


def main_pid(replica: Replica) -> str:
    """The process of the command, as the machine knows it."""
    mark = f"{MARK}={replica.files.read_spec().mark}"
    supervisor = replica.files.supervisor()
    return str(next(stat.pid for stat in process_tree.descendants(supervisor or 0)
                    if stat.pid in process_tree.with_variable(mark)))  # fmt: skip


OWN_PROGRAM = "import os; print(os.readlink('/proc/self/exe'), os.statvfs('/proc/self/exe').f_flag & os.ST_RDONLY)"


def test_no_program_of_the_machine_can_be_opened_by_it(replica: Replica) -> None:
    """`/proc/self/exe` is a file of the sandbox. By one of the machine, a job could overwrite the hub's program."""
    if replica.isolation is Isolation.NONE:
        pytest.skip("it can open all that the hub can")
    _, output = run_beside(replica.runner, replica.handle, ("/proc/self/exe", "-c", OWN_PROGRAM))

    assert output.decode().split() == [os.path.realpath(sys.executable), "1"]
