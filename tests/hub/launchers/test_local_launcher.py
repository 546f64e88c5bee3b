"""Boards in local worker processes."""

import os
import pathlib
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest

from lightboard.errors import LaunchError
from lightboard.hub.launchers import local
from lightboard.hub.launchers.base import (
    ACCESS_DENIED,
    NODE_LOST,
    SOURCE_NOT_FOUND,
    START_TIMEOUT,
    BoardPhase,
    BoardSpec,
    Launcher,
    SourceSpec,
)
from lightboard.hub.launchers.handle import parse, secret_of
from lightboard.hub.launchers.local import LocalLauncher, delay_secs
from lightboard.hub.launchers.placement import Placement
from lightboard.hub.launchers.worker_client import WorkerClient
from lightboard.hub.launchers.worker_process import WorkerProcess
from lightboard.schema.worker import WorkerBody, WorkerState
from lightboard.testing.event_files import hparams_start_record, scalar_record, write_events
from lightboard.testing.launchers import ServingLauncherTests, send_request, wait_for, wait_until_loaded

KEY = b"a key of a test, known to no other"


def board(id: str, *sources: SourceSpec, version: int = 1) -> BoardSpec:
    return BoardSpec(id=id, version=version, sources=sources, prefix=f"/tb/{id}")


def written(folder: pathlib.Path, *runs: str) -> SourceSpec:
    folder.mkdir(parents=True, exist_ok=True)
    for run in runs:
        write_events(folder / run / "events.out.tfevents.1", [scalar_record("loss", 0, 1.0)])
    return SourceSpec(url=str(folder))


def state_of(handle: str) -> WorkerState:
    """The worker of a board, as it tells a hub."""
    known = parse(handle)
    assert known is not None
    return WorkerClient(known.url, secret_of(KEY, known.worker)).state()


def pid_of(handle: str) -> int:
    known = parse(handle)
    assert known is not None
    return known.pid


def refusal(launcher: LocalLauncher, spec: BoardSpec) -> tuple[str, str]:
    """Why the board cannot run: said at once, or seen later where looking takes time."""
    try:
        handle = launcher.start(spec)
    except LaunchError as error:
        return error.reason, error.message
    seen = wait_until_loaded(launcher, handle)
    assert seen.phase == BoardPhase.FAILED
    launcher.stop(handle)
    return seen.reason, seen.message


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture
def launcher(tmp_path: pathlib.Path) -> Iterator[LocalLauncher]:
    launcher = LocalLauncher(tmp_path / "home", KEY)
    yield launcher
    launcher.close()


class TestLocalLauncher(ServingLauncherTests):
    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path: pathlib.Path) -> None:
        self.folder = tmp_path / "logs"

    def logs(self, launcher: Launcher, name: str, *, runs: int = 1) -> SourceSpec:
        if runs < 0:
            return SourceSpec(url=str(self.folder / name))
        return written(self.folder / name, *(f"run{number}" for number in range(runs)))

    def kill(self, launcher: Launcher, handle: str) -> None:
        os.kill(pid_of(handle), signal.SIGKILL)


def test_boards_over_the_same_logs_share_an_engine(launcher: LocalLauncher, tmp_path: pathlib.Path) -> None:
    """However the folder is written; other patterns need another engine."""
    one = written(tmp_path / "a", "x")
    sources = [one, replace(one, url=f"{one.url}/"), replace(one, include="x*"), written(tmp_path / "b", "x")]

    handles = [launcher.start(board(f"tb-{number}", source)) for number, source in enumerate(sources)]

    engines = [each.engine for each in state_of(handles[0]).boards]
    assert (engines[0] == engines[1], len(set(engines))) == (True, 3)
    assert len({pid_of(handle) for handle in handles}) == 1


def test_boards_are_placed_with_their_logs(tmp_path: pathlib.Path) -> None:
    """Otherwise on the worker with the fewest boards; placed boards stay."""
    placement = Placement(2)
    sources = [SourceSpec(url=f"/logs/{name}") for name in "abc"]
    chosen = []
    for number, source in enumerate([sources[0], sources[1], sources[0], sources[0], sources[2]]):
        spec = board(f"tb-{number}", source)
        chosen.append(placement.choose(spec))
        placement.placed(spec, chosen[-1])

    assert chosen == [0, 1, 0, 0, 1]
    assert placement.choose(board("tb-0", sources[1], version=2)) == 0
    placement.lost(0)
    assert placement.choose(board("tb-0", sources[0])) == 0


def test_a_missing_source_is_refused(launcher: LocalLauncher, tmp_path: pathlib.Path) -> None:
    """With a code and a message that names it; nothing is left behind."""
    (tmp_path / "file").write_bytes(b"")

    refusals = [
        refusal(launcher, board("tb-1", SourceSpec(url=str(tmp_path / name)), version=version))
        for version, name in enumerate(("nowhere", "file"))
    ]

    assert refusals == [
        (SOURCE_NOT_FOUND, f"{tmp_path / 'nowhere'} does not exist"),
        (SOURCE_NOT_FOUND, f"{tmp_path / 'file'} is a file, not a folder"),
    ]
    handle = launcher.start(board("tb-2", written(tmp_path / "a", "x")))
    assert [each.id for each in state_of(handle).boards] == ["tb-2"]


def test_sources_are_named_as_the_user_wrote_them(launcher: LocalLauncher, tmp_path: pathlib.Path) -> None:
    """In all messages, before and after the start."""
    empty = replace(written(tmp_path / "empty"), shown="storage:empty")
    missing = SourceSpec(url=str(tmp_path / "nowhere"), shown="storage:nowhere")
    handle = launcher.start(board("tb-1", empty))

    assert launcher.probe(missing).message == "storage:nowhere does not exist"
    assert refusal(launcher, board("tb-2", missing))[1] == "storage:nowhere does not exist"
    assert wait_until_loaded(launcher, handle).message == "no event files under storage:empty"
    wait_for(lambda: any(line.endswith(" reading storage:empty") for line in launcher.logs(handle, 500)))


def test_a_source_without_event_files_is_allowed(launcher: LocalLauncher, tmp_path: pathlib.Path) -> None:
    """The board runs and says so; later runs appear."""
    source = written(tmp_path / "empty")
    handle = launcher.start(board("tb-1", source))

    seen = wait_until_loaded(launcher, handle)

    assert (seen.phase, seen.reason, seen.message) == (BoardPhase.RUNNING, "", f"no event files under {source.url}")
    written(tmp_path / "empty", "late")
    wait_for(lambda: launcher.observe([handle])[0].message == "")


def test_one_of_several_sources_may_be_missing(launcher: LocalLauncher, tmp_path: pathlib.Path) -> None:
    """The others are shown, and the missing one is reported."""
    there, missing = written(tmp_path / "a", "x"), SourceSpec(url=str(tmp_path / "later"), alias="later")
    handle = launcher.start(board("tb-1", replace(there, alias="now"), missing))

    wait_for(lambda: launcher.observe([handle])[0].reason == SOURCE_NOT_FOUND)
    seen = wait_until_loaded(launcher, handle)

    assert (seen.phase, seen.message) == (BoardPhase.RUNNING, f"{missing.url} does not exist")
    assert seen.progress is not None
    assert (seen.progress.runs, seen.progress.points) == (1, 1)


def test_a_board_survives_a_vanished_source(launcher: LocalLauncher, tmp_path: pathlib.Path) -> None:
    """Its progress and log report it."""
    source = written(tmp_path / "a", "x")
    handle = launcher.start(replace(board("tb-1", source), reload_secs=0.2))
    wait_until_loaded(launcher, handle)

    os.rename(tmp_path / "a", tmp_path / "elsewhere")

    wait_for(lambda: launcher.observe([handle])[0].reason == SOURCE_NOT_FOUND)
    assert launcher.observe([handle])[0].phase == BoardPhase.RUNNING
    wait_for(lambda: any(f"{source.url} does not exist" in line for line in launcher.logs(handle, 500)))


def test_runs_are_counted_as_shown(launcher: LocalLauncher, tmp_path: pathlib.Path) -> None:
    """Runs that only describe or belong to others do not count, in probes and progress."""
    curve = [scalar_record("loss", step, 1.0) for step in range(3)]
    told = {
        "a": curve,
        "a/hp": [hparams_start_record({"lr": 0.1}), scalar_record("hparam/accuracy", 0, 0.9)],
        "a/losses_train": [scalar_record("losses", step, 1.0) for step in range(3)],
        "a/validation": curve,
        "alone": [hparams_start_record({"lr": 0.2})],
    }
    for name, records in told.items():
        write_events(tmp_path / "logs" / name / "events.out.tfevents.1", records)
    source = SourceSpec(url=str(tmp_path / "logs"), alias="named")

    found = launcher.probe(source)
    shown = wait_until_loaded(launcher, launcher.start(replace(board("tb-1", source), reload_secs=0.2))).progress

    assert shown is not None
    assert (found.runs, found.files, found.more, shown.runs) == (3, 5, False, 3)


def test_the_last_event_time_comes_from_events(launcher: LocalLauncher, tmp_path: pathlib.Path) -> None:
    """Even with copied files, events out of file order, or one large record."""
    big = [scalar_record("x" * 40_000, step, 1.0, wall_time=3_000.0 + step) for step in range(3)]
    for name, records, copied_at in (
        ("old", [scalar_record("loss", step, 1.0, wall_time=1_000.0 + step) for step in range(2_000)], 90_000),
        ("big", big, 80_000),
        ("empty", [], 99_000),
    ):
        write_events(tmp_path / "logs" / name / "events.out.tfevents.1", records)
        os.utime(tmp_path / "logs" / name / "events.out.tfevents.1", (copied_at, copied_at))
    source = SourceSpec(url=str(tmp_path / "logs"))

    found = launcher.probe(source)
    shown = wait_until_loaded(launcher, launcher.start(board("tb-1", source))).progress

    assert shown is not None
    assert (found.last_event_time, shown.last_event_time) == (3_002.0, 3_002.0)


def test_memory_use_is_that_of_the_process(launcher: LocalLauncher, tmp_path: pathlib.Path) -> None:
    """With the number of boards that share it."""
    source = written(tmp_path / "logs", "a")
    handles = [launcher.start(board(id, source)) for id in ("tb-1", "tb-2")]

    seen = [wait_until_loaded(launcher, handle) for handle in handles][-1]

    assert seen.process_boards == 2
    assert seen.memory_bytes is not None
    assert seen.process_memory_bytes is not None
    assert seen.memory_bytes < 1_000 < 10_000_000 < seen.process_memory_bytes


def test_the_log_reports_damage(launcher: LocalLauncher, tmp_path: pathlib.Path) -> None:
    """With file and offset, also for boards that join later."""
    file = tmp_path / "a" / "x" / "events.out.tfevents.1"
    write_events(file, [scalar_record("loss", 0, 1.0)])
    size = file.stat().st_size
    with open(file, "ab") as broken:
        broken.write(b"\xff" * 40 + scalar_record("loss", 1, 2.0))
    source = SourceSpec(url=str(tmp_path / "a"))
    line = f"{file}: no good record at byte {size}; 40 bytes skipped so far"

    first = launcher.start(board("tb-1", source))
    wait_for(lambda: any(line in said for said in launcher.logs(first, 500)))
    second = launcher.start(board("tb-2", source))

    assert any(line in said for said in launcher.logs(second, 500))


def test_a_killed_worker_is_replaced(launcher: LocalLauncher, tmp_path: pathlib.Path) -> None:
    """By a warm one without boards."""
    source = written(tmp_path / "a", "x")
    old = launcher.start(board("tb-1", source))

    os.kill(pid_of(old), signal.SIGKILL)

    wait_for(lambda: launcher.pids() not in ([], [pid_of(old)]))
    new = launcher.start(board("tb-2", source))
    assert [each.id for each in state_of(new).boards] == ["tb-2"]


def test_another_hub_with_the_key_adopts_boards(launcher: LocalLauncher, tmp_path: pathlib.Path) -> None:
    """By handle; with another key it finds nothing and receives no secret."""
    handle = launcher.start(board("tb-1", written(tmp_path / "a", "x")))
    wait_until_loaded(launcher, handle)
    replica, stranger = LocalLauncher(tmp_path / "r", KEY), LocalLauncher(tmp_path / "s", b"another key")
    try:
        address = replica.address(handle)
        found = [each.observe([handle])[0].phase for each in (replica, stranger)]
        status, _ = send_request(address.base_url, "/tb/tb-1/api/v1/runs", dict(address.headers))
        refused, _ = send_request(address.base_url, "/tb/tb-1/api/v1/runs", dict(stranger.address(handle).headers))
        changed = replica.update(handle, board("tb-1", written(tmp_path / "b", "y"), version=2))
    finally:
        replica.close()
        stranger.close()

    assert (found, status, refused) == ([BoardPhase.RUNNING, BoardPhase.GONE], 200, 404)
    assert wait_until_loaded(launcher, changed).phase == BoardPhase.RUNNING


def test_a_worker_ends_with_its_parent(tmp_path: pathlib.Path) -> None:
    """Even if that is killed."""
    program = (
        "import pathlib, sys, time\n"
        "from lightboard.hub.launchers.local import LocalLauncher\n"
        f"launcher = LocalLauncher(pathlib.Path({str(tmp_path)!r}), b'key')\n"
        "launcher.warm()\n"
        "print(launcher.pids()[0], flush=True)\n"
        "sys.stdin.read()\n"
    )
    hub = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stdin=subprocess.PIPE)
    try:
        assert hub.stdout is not None
        worker = int(hub.stdout.readline())
        alive_before = is_alive(worker)
    finally:
        hub.kill()
        hub.communicate()

    assert alive_before
    wait_for(lambda: not is_alive(worker))


def test_closing_ends_all_workers(tmp_path: pathlib.Path) -> None:
    """And starts no new ones."""
    launcher = LocalLauncher(tmp_path / "home", KEY, workers=2)
    handles = [launcher.start(board(id, written(tmp_path / id, "x"))) for id in ("a", "b")]
    pids = {pid_of(handle) for handle in handles}

    launcher.close()

    assert len(pids) == 2
    assert [pid for pid in pids if is_alive(pid)] == []
    with pytest.raises(LaunchError, match="closed"):
        launcher.warm()


def test_a_hanging_worker_does_not_delay_observations(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its last state is kept until it responds or times out."""
    monkeypatch.setattr(local, "QUERY_SECS", 600.0)
    launcher = LocalLauncher(tmp_path / "home", KEY, workers=2)
    try:
        handles = [launcher.start(board(id, written(tmp_path / id, "x"))) for id in ("a", "b")]
        os.kill(pid_of(handles[0]), signal.SIGSTOP)
        during = [seen.phase for seen in launcher.observe(handles)]
        again = [seen.phase for seen in launcher.observe(handles)]
        os.kill(pid_of(handles[0]), signal.SIGCONT)
        after = [wait_until_loaded(launcher, handle).phase for handle in handles]
    finally:
        launcher.close()

    assert (during[0], again[0], after) == (
        BoardPhase.UNKNOWN,
        BoardPhase.UNKNOWN,
        [BoardPhase.RUNNING, BoardPhase.RUNNING],
    )
    assert BoardPhase.UNKNOWN not in (during[1], again[1])


def test_a_silent_worker_reports_no_boards(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A starting board there is not reported as running."""
    monkeypatch.setattr(local, "QUERY_SECS", 0.05)
    launcher = LocalLauncher(tmp_path / "home", KEY)
    try:
        handle = launcher.start(board("a", written(tmp_path / "a", "x")))
        os.kill(pid_of(handle), signal.SIGSTOP)
        (seen,) = launcher.observe([handle])
        os.kill(pid_of(handle), signal.SIGCONT)
    finally:
        launcher.close()

    assert (seen.phase, seen.reason) == (BoardPhase.UNRESPONSIVE, "Error")


def test_a_worker_that_ignores_signals_is_killed(tmp_path: pathlib.Path) -> None:
    """It does not delay the hub."""
    ended = threading.Event()
    body = WorkerBody(id="w-1", secret="s" * 32)
    worker = WorkerProcess(body, tmp_path, lambda _worker: ended.set())
    os.kill(worker.pid, signal.SIGSTOP)

    worker.close(grace_secs=0.05)

    assert ended.wait(60)
    assert worker.process.returncode == -signal.SIGKILL


def test_a_worker_that_fails_to_start_is_reported(tmp_path: pathlib.Path) -> None:
    """Its last output is the hint."""
    launcher = LocalLauncher(tmp_path, KEY, host="no such host")
    try:
        with pytest.raises(LaunchError) as refused:
            launcher.start(board("tb-1", written(tmp_path / "a", "x")))
    finally:
        launcher.close()

    assert (refused.value.reason, "no such host" in refused.value.hint) == (START_TIMEOUT, True)


def said_by(pid: int) -> pathlib.Path:
    """The file that a process writes its errors to."""
    return pathlib.Path(os.readlink(f"/proc/{pid}/fd/2"))


def test_replicas_write_separate_worker_logs(tmp_path: pathlib.Path) -> None:
    """No worker truncates another's log, and each hub reads its own."""
    first, second = LocalLauncher(tmp_path, KEY), LocalLauncher(tmp_path, KEY, host="no such host")
    try:
        first.warm()
        own = said_by(first.pids()[0])
        own.write_text("said by the first\n")
        with pytest.raises(LaunchError) as refused:
            second.warm()
        other = LocalLauncher(tmp_path, KEY)
        other.warm()
        others = said_by(other.pids()[0])
        other.close()
    finally:
        first.close()
        second.close()

    assert (own.name, others.name, own.read_text()) == ("worker.log", "worker.2.log", "said by the first\n")
    assert "no such host" in refused.value.hint


def test_board_logs_are_the_same_at_every_replica(tmp_path: pathlib.Path) -> None:
    """They come from the board's worker."""
    first, second = LocalLauncher(tmp_path, KEY), LocalLauncher(tmp_path, KEY)
    try:
        handle = first.start(board("tb-1", written(tmp_path / "a", "x")))
        wait_until_loaded(first, handle)
        wait_until_loaded(second, second.start(board("tb-2", written(tmp_path / "b", "y"))))

        said = first.logs(handle, 500)
        assert (second.logs(handle, 500), any(str(tmp_path / "a") in line for line in said)) == (said, True)
    finally:
        first.close()
        second.close()


def test_log_files_of_ended_workers_are_reused(tmp_path: pathlib.Path) -> None:
    """Files do not accumulate, even after a hub was killed."""
    for _ in range(2):
        launcher = LocalLauncher(tmp_path, KEY)
        launcher.warm()
        os.kill(launcher.pids()[0], signal.SIGKILL)
        launcher.close()

    assert [path.name for path in (tmp_path / "workers" / "0").iterdir()] == ["worker.log"]


def test_crashing_workers_are_restarted_with_backoff() -> None:
    """At once at first, then up to 30 seconds apart."""
    assert [delay_secs(failures) for failures in (1, 2, 3, 4, 10, 1000)] == [0.0, 0.5, 1.0, 2.0, 30.0, 30.0]


@pytest.mark.parametrize("id", ["", "../x", "a/b", "a b", "x" * 129, "-x", "a\n", "ж"])
def test_invalid_ids_are_refused(launcher: LocalLauncher, tmp_path: pathlib.Path, id: str) -> None:
    """Before a worker receives them."""
    spec = replace(board("tb-1", written(tmp_path / "a", "x")), id=id)

    with pytest.raises(LaunchError, match="the board spec is not valid: id"):
        launcher.start(spec)


@pytest.mark.parametrize("prefix", ["", "/", "tb/x", "/tb/../x", "/tb//x", "/tb/x/", "/tb/x?y", "/tb/%2e", "/a b"])
def test_invalid_prefixes_are_refused(launcher: LocalLauncher, tmp_path: pathlib.Path, prefix: str) -> None:
    """A prefix consists of plain segments."""
    spec = replace(board("tb-1", written(tmp_path / "a", "x")), prefix=prefix)

    with pytest.raises(LaunchError, match="the board spec is not valid: prefix"):
        launcher.start(spec)


def test_errors_contain_no_secrets(launcher: LocalLauncher, tmp_path: pathlib.Path) -> None:
    """Invalid options are named, their values are not."""
    source = replace(written(tmp_path / "a", "x"), options={"secret_access_key": 42})

    with pytest.raises(LaunchError) as refused:
        launcher.start(board("tb-1", source))

    assert ("secret_access_key" in refused.value.message, "42" in str(refused.value)) == (True, False)


def test_denied_and_missing_sources_differ() -> None:
    """Only the text is checked, since tests may run as root."""
    from lightboard.board.worker.sources import describe_problem
    from lightboard.ingest.logdir import Source
    from lightboard.storage.local import LocalStorage

    source = Source("", LocalStorage("/logs"))
    errors = [PermissionError(13, "Permission denied"), FileNotFoundError(2, "x"), TimeoutError(110, "timed out")]

    assert [describe_problem(source, error) for error in errors] == [
        (ACCESS_DENIED, "/logs may not be read"),
        (SOURCE_NOT_FOUND, "/logs does not exist"),
        ("Unreachable", "/logs cannot be reached: timed out"),
    ]


def test_a_start_on_a_dead_worker_is_retried(launcher: LocalLauncher, tmp_path: pathlib.Path) -> None:
    """On the next worker."""
    source = written(tmp_path / "a", "x")
    launcher.warm()
    (pid,) = launcher.pids()
    os.kill(pid, signal.SIGKILL)

    handle = launcher.start(board("tb-1", source))

    assert pid_of(handle) != pid
    assert wait_until_loaded(launcher, handle).reason != NODE_LOST
