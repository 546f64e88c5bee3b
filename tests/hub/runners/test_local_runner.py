"""Workloads as real processes of this machine."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from lightboard.errors import LaunchError
from lightboard.hub.resources.replicas import (
    LOST,
    OUT_OF_MEMORY,
    START_FAILED,
    STOPPED,
    Limits,
    ReplicaPhase,
    ReplicaState,
    ResourceUsage,
)
from lightboard.hub.runners import process_tree
from lightboard.hub.runners.base import Runner, WorkloadSpec
from lightboard.hub.runners.control_groups import find_control_groups
from lightboard.hub.runners.local import LocalRunner, replica_specs
from lightboard.hub.runners.replica_folder import MARK, ReplicaFolder
from lightboard.hub.runners.supervisor import out_of_memory_message
from lightboard.hub.runners.workload_folders import KEEP_SECS, WorkloadFolders
from lightboard.testing.runners import RunnerTests, submit, wait_for, wait_for_phase
from support.sandboxes import working_sandbox

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the local runner needs /proc")


@pytest.fixture(params=["process", "sandbox"])
def runner(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[LocalRunner]:
    """A runner whose workloads are ended: watched processes, and sandboxes in control groups, if there are any here."""
    sandbox = working_sandbox(tmp_path / "sandbox") if request.param == "sandbox" else None
    control_groups = find_control_groups(max_pids=1000)[0] if sandbox else None
    runner = LocalRunner(tmp_path / "work", sandbox=sandbox, control_groups=control_groups)
    yield runner
    for attempt in (tmp_path / "work").glob("*/[0-9]*"):
        if attempt.is_dir():
            handle = {"id": attempt.parent.name, "attempt": int(attempt.name), "replicas": len(list(attempt.iterdir()))}
            runner.delete(json.dumps(handle))
    runner.close()


def shell(tmp_path: Path, script: str, id: str = "job-1") -> WorkloadSpec:
    """A workload that runs a shell script."""
    folder = str(tmp_path)
    return WorkloadSpec(id=id, attempt=1, command=("sh", "-c", script), working_dir=folder, writable=(folder,))


def folder_of(tmp_path: Path, rank: int = 0) -> ReplicaFolder:
    """The folder of a replica of the first attempt of `job-1`."""
    return ReplicaFolder(tmp_path / "work" / "job-1" / "1" / str(rank))


def texts(runner: Runner, handle: str, rank: int = 0) -> list[str]:
    """The lines of a log."""
    return [line.text for line in runner.read_log(handle, rank).lines]


class TestLocalRunner(RunnerTests):
    @pytest.fixture(autouse=True)
    def in_folder(self, tmp_path: Path) -> None:
        self.folder = tmp_path

    def spec_that_prints(self, runner: Runner, lines: Sequence[str], exit_code: int = 0) -> WorkloadSpec:
        (self.folder / "lines").write_text("".join(f"{line}\n" for line in lines))
        return shell(self.folder, f"echo started >> runs; cat lines; exit {exit_code}")

    def spec_that_waits(self, runner: Runner, id: str = "job-1") -> WorkloadSpec:
        return shell(self.folder, "exec sleep 1000", id)

    def command_that_prints(self, runner: Runner, lines: Sequence[str], exit_code: int = 0) -> tuple[str, ...]:
        return ("sh", "-c", f"printf '%s\\n' {' '.join(lines)}; exit {exit_code}")

    def command_that_waits(self, runner: Runner) -> tuple[str, ...]:
        return ("sleep", "1000")

    def runs_of(self, runner: Runner, spec: WorkloadSpec) -> int:
        runs = self.folder / "runs"
        return len(runs.read_text().splitlines()) if runs.exists() else 0

    def lose(self, runner: Runner, handle: str) -> None:
        kill_supervisor(self.folder)

    def spec_that_ignores_requests(self, runner: Runner) -> WorkloadSpec:
        return shell(self.folder, "trap '' TERM; echo begun; while :; do sleep 0.05; done")

    def spec_that_listens(self, runner: Runner, port: int) -> WorkloadSpec:
        return serving(self.folder, sys.executable, "-c", LISTEN, str(port))

    def measure(self, runner: Runner, handle: str) -> None:
        """Its supervisor does."""

    def reopen(self, runner: Runner) -> Runner:
        return LocalRunner(self.folder / "work")


def kill_supervisor(tmp_path: Path) -> None:
    """Kill the supervisor of `job-1`."""
    pid = folder_of(tmp_path).supervisor()
    assert pid is not None
    os.kill(pid, signal.SIGKILL)


def remaining(tmp_path: Path) -> list[int]:
    """The processes of `job-1`."""
    return process_tree.with_variable(f"{MARK}={folder_of(tmp_path).read_spec().mark}")


# The hub


def test_a_workload_outlives_the_process_that_submitted_it(runner: LocalRunner, tmp_path: Path) -> None:
    """A hub that is killed and started again finds it by its handle."""
    spec = shell(tmp_path, "sleep 0.3; echo done")
    program = (
        "import os; from pathlib import Path; from lightboard.hub.runners.base import WorkloadSpec; "
        "from lightboard.hub.runners.local import LocalRunner; "
        f"LocalRunner(Path({str(tmp_path / 'work')!r})).submit({spec!r}); os.kill(os.getpid(), 9)"
    )
    killed = subprocess.run([sys.executable, "-c", program], check=False)

    state = wait_for_phase(runner, runner.validate(spec), ReplicaPhase.ENDED)

    assert killed.returncode == -signal.SIGKILL
    assert (state.exit_code, texts(runner, runner.validate(spec))) == (0, ["done"])


DEVICES = """
import os
print(sorted(os.sched_getaffinity(0)), *(os.environ.get(f"{name}_VISIBLE_DEVICES") for name in ("CUDA", "NVIDIA")))
"""


def test_each_replica_has_processors_and_gpus_of_its_own(runner: LocalRunner, tmp_path: Path) -> None:
    """Whatever the job says about GPUs. The variables are those of `runners.gpus`; this machine has no such GPUs."""
    cpu = min(os.sched_getaffinity(0))
    spec = WorkloadSpec(
        id="job-1", attempt=1, command=(sys.executable, "-c", DEVICES), working_dir=str(tmp_path), replicas=2,
        writable=(str(tmp_path),), cpu_ids=((cpu,), ()), gpu_ids=((1022, 1023), ()),
        environment={"CUDA_VISIBLE_DEVICES": "0"},
    )  # fmt: skip
    handle = submit(runner, spec)
    for rank in (0, 1):
        wait_for_phase(runner, handle, ReplicaPhase.ENDED, rank)

    assert [texts(runner, handle, rank) for rank in (0, 1)] == [
        [f"[{cpu}] 1022,1023 1022,1023"], [f"{sorted(os.sched_getaffinity(0))}  none"],
    ]  # fmt: skip


def test_processors_that_the_machine_has_lost_do_not_keep_a_workload_from_running(
    runner: LocalRunner, tmp_path: Path
) -> None:
    """It may use the others then."""
    spec = replace(shell(tmp_path, "echo done"), cpu_ids=((1023,),))
    handle = submit(runner, spec)
    state = wait_for_phase(runner, handle, ReplicaPhase.ENDED)

    assert (state.exit_code, texts(runner, handle)) == (0, ["done"])


def test_settings_of_the_hub_are_not_in_the_environment(
    runner: LocalRunner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They may be secret. Only a few variables are inherited."""
    monkeypatch.setenv("LIGHTBOARD_SECRET", "hush-hush")
    monkeypatch.setenv("DATABASE_URL", "hush-hush")
    handle = submit(runner, replace(shell(tmp_path, "env"), environment={"LR": "0.1"}))
    wait_for_phase(runner, handle, ReplicaPhase.ENDED)

    found = dict(line.split("=", 1) for line in texts(runner, handle))

    inherited = {"PATH", "LANG", "LC_ALL", "TZ", "HOME", "USER", "LOGNAME"} | {"PWD", "OLDPWD", "SHLVL", "_"}
    assert {name: value for name, value in found.items() if name not in inherited} == {
        "LR": "0.1", MARK: folder_of(tmp_path).read_spec().mark, "PYTHONUNBUFFERED": "1",
    }  # fmt: skip


def test_only_the_user_of_the_hub_can_read_specs_and_logs(runner: LocalRunner, tmp_path: Path) -> None:
    """They may contain secrets."""
    handle = submit(runner, replace(shell(tmp_path, "echo $TOKEN"), environment={"TOKEN": "hush-hush"}))
    wait_for_phase(runner, handle, ReplicaPhase.ENDED)

    others = [path for path in (tmp_path / "work").rglob("*") if path.stat().st_mode & 0o077]

    assert others == []


def stored(tmp_path: Path) -> bytes:
    """All that the runner has stored, except logs."""
    files = [path for path in (tmp_path / "work").rglob("*") if path.is_file() and path.parent.name != "log"]
    return b"".join(path.read_bytes() for path in files)


def test_variables_are_not_stored(runner: LocalRunner, tmp_path: Path) -> None:
    """Neither while the command runs nor afterwards. Their value is what counts, so it is printed."""
    spec = replace(
        shell(tmp_path, "echo $TOKEN $OWN; while [ ! -e go ]; do sleep 0.05; done"),
        environment={"TOKEN": "hush-hush"},
        replica_environments=({"OWN": "hush-too"},),
    )
    handle = submit(runner, spec)
    wait_for(lambda: bool(texts(runner, handle)))
    during = stored(tmp_path)
    (tmp_path / "go").touch()
    wait_for_phase(runner, handle, ReplicaPhase.ENDED)

    assert texts(runner, handle) == ["hush-hush hush-too"]
    assert b"hush" not in during + stored(tmp_path)


def test_a_hub_that_was_killed_before_it_started_a_replica_gives_it_its_variables(
    runner: LocalRunner, tmp_path: Path
) -> None:
    """Since they were not stored when it was prepared."""
    spec = replace(shell(tmp_path, "echo $TOKEN $TZ"), environment={"TOKEN": "hush-hush", "TZ": "UTC-3"})
    WorkloadFolders(tmp_path / "work").prepare(spec.id, spec.attempt, lambda: replica_specs(spec, runner._sandbox))
    handle = submit(runner, spec)
    wait_for_phase(runner, handle, ReplicaPhase.ENDED)

    assert texts(runner, handle) == ["hush-hush UTC-3"]


def test_a_replica_that_an_earlier_hub_has_prepared_keeps_its_variables(runner: LocalRunner, tmp_path: Path) -> None:
    """Those were stored with its specification."""
    spec = replace(shell(tmp_path, "echo $TOKEN"), environment={"TOKEN": "hush-hush"})
    WorkloadFolders(tmp_path / "work").prepare(spec.id, spec.attempt, lambda: replica_specs(spec, runner._sandbox))
    folder = folder_of(tmp_path)
    before = folder.read_spec()
    folder.replace_spec(replace(before, environment={**before.environment, **spec.environment}))
    handle = submit(runner, spec)
    wait_for_phase(runner, handle, ReplicaPhase.ENDED)

    assert texts(runner, handle) == ["hush-hush"]


# Ends


def test_a_program_that_does_not_exist_is_told(runner: LocalRunner, tmp_path: Path) -> None:
    """The workload has ended, with the name of the program."""
    spec = replace(shell(tmp_path, ""), command=("no-such-program",))

    state = wait_for_phase(runner, submit(runner, spec), ReplicaPhase.ENDED)

    assert (state.reason, state.started_at) == (START_FAILED, None)
    assert state.message == "cannot start no-such-program: No such file or directory"


def test_a_missing_working_folder_is_refused(runner: LocalRunner, tmp_path: Path) -> None:
    """Before anything is started."""
    with pytest.raises(LaunchError, match="does not exist"):
        runner.submit(replace(shell(tmp_path, "true"), working_dir=str(tmp_path / "nowhere")))


@pytest.mark.parametrize("id", ["../job", "", ".", "a/b", "-x"])
def test_an_id_never_leads_out_of_the_folder(runner: LocalRunner, tmp_path: Path, id: str) -> None:
    """Neither in a spec nor in a handle."""
    with pytest.raises(LaunchError):
        runner.validate(shell(tmp_path, "true", id))
    handle = json.dumps({"runner": "local", "id": id, "attempt": 1, "replicas": 1})
    runner.delete(handle)

    assert runner.observe([handle])[0].replicas == ()


def test_a_signal_that_ended_the_command_is_reported(runner: LocalRunner, tmp_path: Path) -> None:
    """Instead of an exit code."""
    state = wait_for_phase(runner, submit(runner, shell(tmp_path, "kill -SEGV $$")), ReplicaPhase.ENDED)

    assert (state.exit_code, state.signal, state.reason) == (None, signal.SIGSEGV, "")


def test_a_stopped_command_can_clean_up(runner: LocalRunner, tmp_path: Path) -> None:
    """It gets SIGTERM, and its output after that is kept."""
    program = (
        "import signal, sys\n"
        "signal.signal(signal.SIGTERM, lambda *_: (print('saving'), sys.exit(0)))\n"
        "print('ready')\n"
        "while True: signal.pause()"
    )
    handle = submit(runner, replace(shell(tmp_path, ""), command=(sys.executable, "-c", program)))
    wait_for(lambda: texts(runner, handle))

    runner.stop(handle)

    state = wait_for_phase(runner, handle, ReplicaPhase.ENDED)
    assert (state.reason, state.exit_code, texts(runner, handle)) == (STOPPED, 0, ["ready", "saving"])


def test_a_command_that_ignores_sigterm_is_killed(runner: LocalRunner, tmp_path: Path) -> None:
    """A second request may shorten the time."""
    handle = submit(runner, shell(tmp_path, "trap '' TERM; echo ready; while :; do sleep 0.05; done"))
    wait_for(lambda: texts(runner, handle))
    runner.stop(handle, 1000.0)

    runner.stop(handle, 0.0)

    state = wait_for_phase(runner, handle, ReplicaPhase.ENDED)
    assert (state.reason, state.signal) == (STOPPED, signal.SIGKILL)


SHIFTED_CLOCK = """
import sys, time
from pathlib import Path
from lightboard.hub.runners import fork_server

shift, real = Path(sys.argv[1]), time.time
time.time = lambda: real() + float(shift.read_text() or 0)
fork_server.serve()
"""
"""Forks supervisors whose clock differs from that of the machine by so many seconds as a file says."""


def test_a_grace_period_ends_although_the_clock_was_set_back(tmp_path: Path) -> None:
    """By an hour, while the command does not end."""
    shift = tmp_path / "shift"
    shift.write_text("0")
    with closing(LocalRunner(tmp_path / "work", (sys.executable, "-c", SHIFTED_CLOCK, str(shift)))) as runner:
        handle = submit(runner, shell(tmp_path, "trap 'echo asked' TERM; echo ready; while :; do sleep 0.05; done"))
        wait_for(lambda: texts(runner, handle))
        runner.stop(handle, 1.0)
        wait_for(lambda: "asked" in texts(runner, handle))
        shift.write_text("-3600")

        state = wait_for_phase(runner, handle, ReplicaPhase.ENDED)

    assert (state.reason, state.signal) == (STOPPED, signal.SIGKILL)


def test_nothing_is_left_of_an_ended_workload(runner: LocalRunner, tmp_path: Path) -> None:
    """Processes that the command left behind are killed, also those in sessions of their own."""
    handle = submit(runner, shell(tmp_path, "setsid sleep 1000 & sleep 1000 & echo started"))

    wait_for_phase(runner, handle, ReplicaPhase.ENDED)

    assert (texts(runner, handle), remaining(tmp_path)) == (["started"], [])


def test_nothing_is_left_when_a_supervisor_was_killed(runner: LocalRunner, tmp_path: Path) -> None:
    """The workload is reported as lost only then. The start of its log is kept."""
    handle = submit(runner, shell(tmp_path, "setsid sleep 1000 & printf 'half a line'; wait"))
    wait_for(lambda: b"half a line" in b"".join(path.read_bytes() for path in folder_of(tmp_path).log.iterdir()))
    kill_supervisor(tmp_path)

    state = wait_for_phase(runner, handle, ReplicaPhase.ENDED)

    assert (state.reason, remaining(tmp_path), texts(runner, handle)) == (LOST, [], ["half a line"])
    assert state.started_at is not None
    assert state.ended_at is not None


def test_a_supervisor_ends_although_its_folder_is_gone(runner: LocalRunner, tmp_path: Path) -> None:
    """It has nothing to write its state to, and would wait for ever."""
    handle = submit(runner, shell(tmp_path, "exec sleep 1000"))
    wait_for_phase(runner, handle, ReplicaPhase.RUNNING)
    pid = folder_of(tmp_path).supervisor()
    assert pid is not None
    shutil.rmtree((tmp_path / "work").rename(tmp_path / "gone"))  # it may be writing there

    os.kill(pid, signal.SIGTERM)

    wait_for(lambda: process_tree.read_stat(pid) is None)


def test_a_replica_that_is_being_deleted_is_absent(runner: LocalRunner, tmp_path: Path) -> None:
    """Whichever of its files is gone first: others observe it meanwhile."""
    handle = submit(runner, shell(tmp_path, "exec sleep 1000"))
    wait_for_phase(runner, handle, ReplicaPhase.RUNNING)
    kill_supervisor(tmp_path)
    wait_for_phase(runner, handle, ReplicaPhase.ENDED)
    (folder_of(tmp_path).path / "spec.json").unlink()

    assert runner.observe([handle])[0].replicas == (ReplicaState(phase=ReplicaPhase.ABSENT),)


def test_nothing_is_left_of_a_deleted_workload_a_day_later(runner: LocalRunner, tmp_path: Path) -> None:
    """Until then its request to stop is. What has a log, and what was deleted just before, is kept."""
    handles = [submit(runner, shell(tmp_path, "true", id)) for id in ("job-1", "job-2", "job-3")]
    for handle in handles:
        wait_for_phase(runner, handle, ReplicaPhase.ENDED)
    for handle in handles[:2]:
        runner.delete(handle)
    (tmp_path / "work" / "job-2" / ".new-1").mkdir()  # of a hub that was killed
    for id in ("job-2", "job-3"):
        os.utime(tmp_path / "work" / id, (0, 0))
    kept = []
    for now in (KEEP_SECS - 10.0, KEEP_SECS + 10.0):
        runner.delete_expired(now)
        kept.append(sorted(each.name for each in (tmp_path / "work").iterdir()))

    assert kept == [["job-1", "job-2", "job-3"], ["job-1", "job-3"]]


def test_a_supervisor_killed_before_its_start_can_be_replaced(runner: LocalRunner, tmp_path: Path) -> None:
    """The command has not run, so submitting it again runs it."""
    spec = shell(tmp_path, "echo hello")
    WorkloadFolders(tmp_path / "work").prepare(spec.id, spec.attempt, lambda: replica_specs(spec, runner._sandbox))
    handle = runner.validate(spec)
    before = runner.observe([handle])[0].replicas[0].phase

    runner.submit(spec)

    assert before is ReplicaPhase.ABSENT
    assert wait_for_phase(runner, handle, ReplicaPhase.ENDED).exit_code == 0


KILLED_SUPERVISOR = """
import os, sys
from pathlib import Path
from lightboard.hub.runners import fork_server, supervisor
from lightboard.hub.runners.replica_folder import ReplicaFolder

left, name = Path(sys.argv[1]), sys.argv[3]
owner = {"ReplicaFolder": ReplicaFolder, "supervisor": supervisor}[sys.argv[2]]
real = getattr(owner, name)

def be_killed(*arguments):
    if count := int(left.read_text()):
        left.write_text(str(count - 1))
        os.kill(os.getpid(), 9)
    return real(*arguments)

setattr(owner, name, be_killed)
fork_server.serve()
"""
"""Forks supervisors that are killed when they call a function, as often as a file says."""

FIRST_CALL = ("supervisor", "take_over")
LAST_CALL = ("ReplicaFolder", "write_state")
"""The first and the last moment at which the supervisor of a new replica has run nothing."""


def runner_of_killed_supervisors(tmp_path: Path, times: int, call: tuple[str, str]) -> LocalRunner:
    """A runner whose next supervisors are killed before they run anything."""
    left = tmp_path / "left"
    left.write_text(str(times))
    return LocalRunner(tmp_path / "work", (sys.executable, "-c", KILLED_SUPERVISOR, str(left), *call))


@pytest.mark.parametrize("call", [FIRST_CALL, LAST_CALL])
def test_a_supervisor_killed_while_it_starts_is_replaced(
    runner: LocalRunner, tmp_path: Path, call: tuple[str, str]
) -> None:
    """The workload has not run, so it is not lost."""
    spec = replace(shell(tmp_path, "echo hello $WHO"), environment={"WHO": "there"})
    with closing(runner_of_killed_supervisors(tmp_path, 2, call)) as killing:
        handle = submit(killing, spec)

    state = wait_for_phase(runner, handle, ReplicaPhase.ENDED)

    assert (state.exit_code, texts(runner, handle)) == (0, ["hello there"])


def test_supervisors_that_are_killed_again_and_again_are_reported(tmp_path: Path) -> None:
    """Starts are not repeated forever."""
    killing = pytest.raises(LaunchError, match="a supervisor was killed each time it started")

    with closing(runner_of_killed_supervisors(tmp_path, 1000, FIRST_CALL)) as runner, killing:
        submit(runner, shell(tmp_path, "echo hello"))


# Limits and usage


def test_too_much_memory_ends_the_workload(runner: LocalRunner, tmp_path: Path) -> None:
    """All processes count together. The message has the limit."""
    script = f"{sys.executable} -c 'import time; held = bytearray(300 << 20); time.sleep(1000)' & wait"

    state = wait_for_phase(
        runner, submit(runner, replace(shell(tmp_path, script), memory_bytes=100 << 20)), ReplicaPhase.ENDED
    )

    assert (state.reason, state.succeeded) == (OUT_OF_MEMORY, False)
    assert state.message.endswith(" their limit of 100M")


@pytest.mark.parametrize(
    ("limit", "limits", "message"),
    [
        (100 << 20, Limits.WATCHING, "its processes used 312M of memory, more than their limit of 100M"),
        (3 << 29, Limits.CGROUP, "its processes needed more memory than their limit of 1.5G"),
        (None, Limits.CGROUP, "the machine, or what limits the hub, had no memory left"),
    ],
)
def test_too_much_memory_is_told_in_the_units_of_presets(limit: int | None, limits: Limits, message: str) -> None:
    """As pages and the command line write sizes of memory."""
    usage = ResourceUsage(cpu_secs=0.0, memory_bytes=327_241_728, processes=2)

    assert out_of_memory_message(limit, usage, limits) == message


def test_usage_is_measured(runner: LocalRunner, tmp_path: Path) -> None:
    """Of all processes of the replica."""
    handle = submit(runner, shell(tmp_path, "sleep 1000 & sleep 1000 & wait"))

    def usage_of_three() -> ResourceUsage | None:
        usage = runner.observe([handle])[0].replicas[0].usage
        return usage if usage and usage.processes == 3 else None

    usage = wait_for(usage_of_three)

    assert usage.memory_bytes > 0
    assert usage.cpu_secs >= 0.0


# Replicas


def test_replicas_find_each_other(runner: LocalRunner, tmp_path: Path) -> None:
    """By torchrun's variables and by TF_CONFIG, which agree."""
    script = 'echo "$RANK $LOCAL_RANK $WORLD_SIZE $MASTER_ADDR $MASTER_PORT"; echo "$TF_CONFIG"'
    handle = submit(runner, replace(shell(tmp_path, script), replicas=2))
    for rank in range(2):
        wait_for_phase(runner, handle, ReplicaPhase.ENDED, rank)
    logs = [texts(runner, handle, rank) for rank in range(2)]
    workers = json.loads(logs[0][1])["cluster"]["worker"]
    port = workers[0].rpartition(":")[2]

    assert [log[0] for log in logs] == [f"0 0 2 127.0.0.1 {port}", f"1 0 2 127.0.0.1 {port}"]
    assert [json.loads(log[1]) for log in logs] == [
        {"cluster": {"worker": workers}, "task": {"type": "worker", "index": rank}} for rank in range(2)
    ]
    assert len(set(workers)) == 2


# Logs


def test_standard_error_is_in_the_log(runner: LocalRunner, tmp_path: Path) -> None:
    """In the order in which lines were written."""
    handle = submit(runner, shell(tmp_path, "echo one; echo two >&2; echo three"))
    wait_for_phase(runner, handle, ReplicaPhase.ENDED)

    assert texts(runner, handle) == ["one", "two", "three"]


def test_a_log_can_be_followed(runner: LocalRunner, tmp_path: Path) -> None:
    """Lines appear while the command runs, also those that Python prints."""
    waiting = "import os, time\nprint('ready')\nwhile not os.path.exists('go'): time.sleep(0.01)\nprint('done')"
    handle = submit(runner, replace(shell(tmp_path, ""), command=(sys.executable, "-c", waiting)))
    wait_for(lambda: texts(runner, handle))
    first = runner.read_log(handle, 0)
    (tmp_path / "go").touch()
    wait_for_phase(runner, handle, ReplicaPhase.ENDED)

    rest = runner.read_log(handle, 0, first.cursor)

    assert [[line.text for line in part.lines] for part in (first, rest)] == [["ready"], ["done"]]


SERVE = """
import os, socket
os.chdir(os.environ.get("TMPDIR", "/tmp"))
listening = socket.socket(socket.AF_UNIX)
listening.bind("server.sock")
listening.listen()
while True:
    opened, _ = listening.accept()
    try:
        opened.send(b"hello")
    except BrokenPipeError:  # it was only looked at
        pass
"""


LISTEN = (
    """
import socket, sys, threading
held, port = [], socket.create_server(("127.0.0.1", int(sys.argv[1])))
threading.Thread(target=lambda: held.append(port.accept())).start()
"""
    + SERVE
)


def serving(tmp_path: Path, *command: str) -> WorkloadSpec:
    """A workload with a temporary folder of its own, whose path is longer than that of a socket may be."""
    temporary = tmp_path / ("long" * 30)
    (temporary / "0").mkdir(parents=True)
    folder = str(tmp_path)
    return WorkloadSpec(
        id="job-1", attempt=1, command=command, working_dir=folder, writable=(folder,), temporary=str(temporary)
    )


def test_a_server_is_reached_at_its_socket(runner: LocalRunner, tmp_path: Path) -> None:
    """Which has a relative path for the server."""
    handle = submit(runner, serving(tmp_path, sys.executable, "-c", SERVE))
    fd = wait_for(lambda: server_socket_of(runner, handle))
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(f"/proc/self/fd/{fd}")
        assert client.recv(5) == b"hello"
    os.close(fd)


def test_a_link_in_place_of_the_socket_is_not_followed(runner: LocalRunner, tmp_path: Path) -> None:
    """The hub would connect a user to anything on its machine."""
    with socket.socket(socket.AF_UNIX) as elsewhere:
        elsewhere.bind(str(tmp_path / "other.sock"))
        elsewhere.listen()
        link = f"ln -s {tmp_path}/other.sock ${{TMPDIR:-/tmp}}/server.sock; echo made; exec sleep 1000"
        handle = submit(runner, serving(tmp_path, "sh", "-c", link))
        wait_for(lambda: texts(runner, handle))

        assert server_socket_of(runner, handle) is None


def server_socket_of(runner: LocalRunner, handle: str) -> int | None:
    """A descriptor of the socket, None if there is no server."""
    try:
        return runner.server_socket(handle, 0)
    except LaunchError:
        return None
