"""Boards in worker processes of this machine: started, shared, killed, left alone."""

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
    BoardSpec,
    Found,
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
from lightboard.testing.launchers import ServingLauncherTests, ask, settled, wait_for

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
    seen = settled(launcher, handle)
    assert seen.found == Found.FAILED
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


def test_boards_over_the_same_logs_share_what_was_read(launcher: LocalLauncher, tmp_path: pathlib.Path) -> None:
    """However the folder is written; other patterns make other boards."""
    one = written(tmp_path / "a", "x")
    sources = [one, replace(one, url=f"{one.url}/"), replace(one, include="x*"), written(tmp_path / "b", "x")]

    handles = [launcher.start(board(f"tb-{number}", source)) for number, source in enumerate(sources)]

    engines = [each.engine for each in state_of(handles[0]).boards]
    assert (engines[0] == engines[1], len(set(engines))) == (True, 3)
    assert len({pid_of(handle) for handle in handles}) == 1


def test_boards_go_to_the_worker_that_holds_their_logs(tmp_path: pathlib.Path) -> None:
    """Or else to the one with the fewest; where it is already, a board stays."""
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


def test_a_place_that_is_not_there_is_refused(launcher: LocalLauncher, tmp_path: pathlib.Path) -> None:
    """With one word for programs and a message that names it; nothing is left behind."""
    (tmp_path / "file").write_bytes(b"")

    refusals = [
        refusal(launcher, board("tb-1", SourceSpec(url=str(tmp_path / name)), version=version))
        for version, name in enumerate(("nowhere", "file"))
    ]

    assert refusals == [
        (SOURCE_NOT_FOUND, f"{tmp_path / 'nowhere'} is not there"),
        (SOURCE_NOT_FOUND, f"{tmp_path / 'file'} is a file, not a folder"),
    ]
    handle = launcher.start(board("tb-2", written(tmp_path / "a", "x")))
    assert [each.id for each in state_of(handle).boards] == ["tb-2"]


def test_a_place_is_called_what_its_person_calls_it(launcher: LocalLauncher, tmp_path: pathlib.Path) -> None:
    """In all that is said of it, before there is a board and after."""
    empty = replace(written(tmp_path / "empty"), shown="storage:empty")
    missing = SourceSpec(url=str(tmp_path / "nowhere"), shown="storage:nowhere")
    handle = launcher.start(board("tb-1", empty))

    assert launcher.probe(missing).message == "storage:nowhere is not there"
    assert refusal(launcher, board("tb-2", missing))[1] == "storage:nowhere is not there"
    assert settled(launcher, handle).message == "no event files under storage:empty"
    wait_for(lambda: any(line.endswith(" reading storage:empty") for line in launcher.logs(handle, 500)))


def test_a_place_without_event_files_is_no_fault(launcher: LocalLauncher, tmp_path: pathlib.Path) -> None:
    """The board runs and says so; runs that come later are shown."""
    source = written(tmp_path / "empty")
    handle = launcher.start(board("tb-1", source))

    seen = settled(launcher, handle)

    assert (seen.found, seen.reason, seen.message) == (Found.RUNNING, "", f"no event files under {source.url}")
    written(tmp_path / "empty", "late")
    wait_for(lambda: launcher.observe([handle])[0].message == "")


def test_one_place_of_several_may_be_missing(launcher: LocalLauncher, tmp_path: pathlib.Path) -> None:
    """The others are shown, and what is missing is told."""
    there, missing = written(tmp_path / "a", "x"), SourceSpec(url=str(tmp_path / "later"), alias="later")
    handle = launcher.start(board("tb-1", replace(there, alias="now"), missing))

    wait_for(lambda: launcher.observe([handle])[0].reason == SOURCE_NOT_FOUND)
    seen = settled(launcher, handle)

    assert (seen.found, seen.message) == (Found.RUNNING, f"{missing.url} is not there")
    assert seen.progress is not None
    assert (seen.progress.runs, seen.progress.points) == (1, 1)


def test_a_place_that_vanishes_leaves_the_board_up(launcher: LocalLauncher, tmp_path: pathlib.Path) -> None:
    """It says so, in what is seen of it and in its log."""
    source = written(tmp_path / "a", "x")
    handle = launcher.start(replace(board("tb-1", source), reload_secs=0.2))
    settled(launcher, handle)

    os.rename(tmp_path / "a", tmp_path / "elsewhere")

    wait_for(lambda: launcher.observe([handle])[0].reason == SOURCE_NOT_FOUND)
    assert launcher.observe([handle])[0].found == Found.RUNNING
    wait_for(lambda: any(f"{source.url} is not there" in line for line in launcher.logs(handle, 500)))


def test_runs_are_counted_as_the_board_shows_them(launcher: LocalLauncher, tmp_path: pathlib.Path) -> None:
    """What only says of another run what it is, or is a part of it, is no row: before there is a board, and after."""
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
    shown = settled(launcher, launcher.start(replace(board("tb-1", source), reload_secs=0.2))).progress

    assert shown is not None
    assert (found.runs, found.files, found.more, shown.runs) == (3, 5, False, 3)


def test_the_last_event_is_that_of_the_board(launcher: LocalLauncher, tmp_path: pathlib.Path) -> None:
    """Logs that were copied later than they were written, the newest event not in the newest file, one record big."""
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
    shown = settled(launcher, launcher.start(board("tb-1", source))).progress

    assert shown is not None
    assert (found.last_event_time, shown.last_event_time) == (3_002.0, 3_002.0)


def test_what_it_takes_is_what_the_system_counts(launcher: LocalLauncher, tmp_path: pathlib.Path) -> None:
    """Of the whole process, and how many boards that shows: a few points are not all that a board takes."""
    source = written(tmp_path / "logs", "a")
    handles = [launcher.start(board(id, source)) for id in ("tb-1", "tb-2")]

    seen = [settled(launcher, handle) for handle in handles][-1]

    assert seen.process_boards == 2
    assert seen.memory_bytes is not None
    assert seen.process_memory_bytes is not None
    assert seen.memory_bytes < 1_000 < 10_000_000 < seen.process_memory_bytes


def test_damage_is_named_in_the_log(launcher: LocalLauncher, tmp_path: pathlib.Path) -> None:
    """By file and byte, also for a board that joins later."""
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


def test_the_next_worker_comes_by_itself(launcher: LocalLauncher, tmp_path: pathlib.Path) -> None:
    """After one was killed another is warm, and it knows nothing of the boards of before."""
    source = written(tmp_path / "a", "x")
    old = launcher.start(board("tb-1", source))

    os.kill(pid_of(old), signal.SIGKILL)

    wait_for(lambda: launcher.pids() not in ([], [pid_of(old)]))
    new = launcher.start(board("tb-2", source))
    assert [each.id for each in state_of(new).boards] == ["tb-2"]


def test_another_hub_with_the_key_reaches_the_board(launcher: LocalLauncher, tmp_path: pathlib.Path) -> None:
    """By the handle alone; one with another key finds nothing, and is told no secret."""
    handle = launcher.start(board("tb-1", written(tmp_path / "a", "x")))
    settled(launcher, handle)
    replica, stranger = LocalLauncher(tmp_path / "r", KEY), LocalLauncher(tmp_path / "s", b"another key")
    try:
        address = replica.address(handle)
        found = [each.observe([handle])[0].found for each in (replica, stranger)]
        status, _ = ask(address.base_url, "/tb/tb-1/api/v1/runs", dict(address.headers))
        refused, _ = ask(address.base_url, "/tb/tb-1/api/v1/runs", dict(stranger.address(handle).headers))
        changed = replica.update(handle, board("tb-1", written(tmp_path / "b", "y"), version=2))
    finally:
        replica.close()
        stranger.close()

    assert (found, status, refused) == ([Found.RUNNING, Found.GONE], 200, 404)
    assert settled(launcher, changed).found == Found.RUNNING


def test_a_worker_ends_with_whoever_started_it(tmp_path: pathlib.Path) -> None:
    """Also when that one is killed and can take leave of nobody."""
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
    """And none comes after."""
    launcher = LocalLauncher(tmp_path / "home", KEY, workers=2)
    handles = [launcher.start(board(id, written(tmp_path / id, "x"))) for id in ("a", "b")]
    pids = {pid_of(handle) for handle in handles}

    launcher.close()

    assert len(pids) == 2
    assert [pid for pid in pids if is_alive(pid)] == []
    with pytest.raises(LaunchError, match="closed"):
        launcher.warm()


def test_a_worker_that_hangs_holds_up_no_look_at_the_others(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is not known stays as it was, until it answers or has been silent for too long."""
    monkeypatch.setattr(local, "LOOK_SECS", 600.0)
    launcher = LocalLauncher(tmp_path / "home", KEY, workers=2)
    try:
        handles = [launcher.start(board(id, written(tmp_path / id, "x"))) for id in ("a", "b")]
        os.kill(pid_of(handles[0]), signal.SIGSTOP)
        during = [seen.found for seen in launcher.observe(handles)]
        again = [seen.found for seen in launcher.observe(handles)]
        os.kill(pid_of(handles[0]), signal.SIGCONT)
        after = [settled(launcher, handle).found for handle in handles]
    finally:
        launcher.close()

    assert (during[0], again[0], after) == (Found.UNSEEN, Found.UNSEEN, [Found.RUNNING, Found.RUNNING])
    assert Found.UNSEEN not in (during[1], again[1])


def test_of_a_worker_that_answers_nothing_no_board_is_known(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that comes up there is not said to run."""
    monkeypatch.setattr(local, "LOOK_SECS", 0.05)
    launcher = LocalLauncher(tmp_path / "home", KEY)
    try:
        handle = launcher.start(board("a", written(tmp_path / "a", "x")))
        os.kill(pid_of(handle), signal.SIGSTOP)
        (seen,) = launcher.observe([handle])
        os.kill(pid_of(handle), signal.SIGCONT)
    finally:
        launcher.close()

    assert (seen.found, seen.reason) == (Found.SILENT, "Error")


def test_a_worker_that_is_stopped_is_killed_in_the_end(tmp_path: pathlib.Path) -> None:
    """One that takes no notice of anything does not hold up the hub."""
    ended = threading.Event()
    body = WorkerBody(id="w-1", secret="s" * 32)
    worker = WorkerProcess(body, tmp_path, lambda _worker: ended.set())
    os.kill(worker.pid, signal.SIGSTOP)

    worker.close(grace_secs=0.05)

    assert ended.wait(60)
    assert worker.process.returncode == -signal.SIGKILL


def test_a_worker_that_cannot_start_says_why(tmp_path: pathlib.Path) -> None:
    """Its last words are the hint."""
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


def test_replicas_on_one_home_have_logs_of_their_own(tmp_path: pathlib.Path) -> None:
    """No worker empties what another says, and each hub finds the last words of its own."""
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


def test_the_log_of_a_board_is_the_same_at_every_replica(tmp_path: pathlib.Path) -> None:
    """It is asked of the board's own worker, whichever hub has started it and whatever other workers say."""
    first, second = LocalLauncher(tmp_path, KEY), LocalLauncher(tmp_path, KEY)
    try:
        handle = first.start(board("tb-1", written(tmp_path / "a", "x")))
        settled(first, handle)
        settled(second, second.start(board("tb-2", written(tmp_path / "b", "y"))))

        said = first.logs(handle, 500)
        assert (second.logs(handle, 500), any(str(tmp_path / "a") in line for line in said)) == (said, True)
    finally:
        first.close()
        second.close()


def test_the_log_of_a_worker_that_ended_is_taken_up_again(tmp_path: pathlib.Path) -> None:
    """Files do not pile up, also when a hub was killed."""
    for _ in range(2):
        launcher = LocalLauncher(tmp_path, KEY)
        launcher.warm()
        os.kill(launcher.pids()[0], signal.SIGKILL)
        launcher.close()

    assert [path.name for path in (tmp_path / "workers" / "0").iterdir()] == ["worker.log"]


def test_workers_that_end_at_once_are_started_ever_more_rarely() -> None:
    """The first time at once, never more than half a minute apart."""
    assert [delay_secs(failures) for failures in (1, 2, 3, 4, 10, 1000)] == [0.0, 0.5, 1.0, 2.0, 30.0, 30.0]


@pytest.mark.parametrize("id", ["", "../x", "a/b", "a b", "x" * 129, "-x", "a\n", "ж"])
def test_odd_ids_are_refused(launcher: LocalLauncher, tmp_path: pathlib.Path, id: str) -> None:
    """Before any worker hears of them."""
    spec = replace(board("tb-1", written(tmp_path / "a", "x")), id=id)

    with pytest.raises(LaunchError, match="no worker can show this: id"):
        launcher.start(spec)


@pytest.mark.parametrize("prefix", ["", "/", "tb/x", "/tb/../x", "/tb//x", "/tb/x/", "/tb/x?y", "/tb/%2e", "/a b"])
def test_odd_prefixes_are_refused(launcher: LocalLauncher, tmp_path: pathlib.Path, prefix: str) -> None:
    """A prefix is some plain words between slashes."""
    spec = replace(board("tb-1", written(tmp_path / "a", "x")), prefix=prefix)

    with pytest.raises(LaunchError, match="no worker can show this: prefix"):
        launcher.start(spec)


def test_no_secret_is_in_an_error(launcher: LocalLauncher, tmp_path: pathlib.Path) -> None:
    """Options that make no sense are named, not shown."""
    source = replace(written(tmp_path / "a", "x"), options={"secret_access_key": 42})

    with pytest.raises(LaunchError) as refused:
        launcher.start(board("tb-1", source))

    assert ("secret_access_key" in refused.value.message, "42" in str(refused.value)) == (True, False)


def test_a_denied_place_is_told_from_a_missing_one() -> None:
    """Tests may run as somebody to whom nothing is denied, so the words are asked for."""
    from lightboard.board.worker.sources import trouble_of
    from lightboard.ingest.logdir import Source
    from lightboard.storage.local import LocalStorage

    source = Source("", LocalStorage("/logs"))
    errors = [PermissionError(13, "Permission denied"), FileNotFoundError(2, "x"), TimeoutError(110, "timed out")]

    assert [trouble_of(source, error) for error in errors] == [
        (ACCESS_DENIED, "/logs may not be read"),
        (SOURCE_NOT_FOUND, "/logs is not there"),
        ("Unreachable", "/logs cannot be reached: timed out"),
    ]


def test_a_dead_worker_is_no_reason_to_fail(launcher: LocalLauncher, tmp_path: pathlib.Path) -> None:
    """A start that meets it is made in the next one."""
    source = written(tmp_path / "a", "x")
    launcher.warm()
    (pid,) = launcher.pids()
    os.kill(pid, signal.SIGKILL)

    handle = launcher.start(board("tb-1", source))

    assert pid_of(handle) != pid
    assert settled(launcher, handle).reason != NODE_LOST
