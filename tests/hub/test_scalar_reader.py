"""The process that reads logs: what it is told, and what happens when it fails."""

import pathlib
import sys
from collections.abc import Callable, Iterator, Sequence

import pytest

from lightboard.errors import LaunchError
from lightboard.hub.resources.job_scalars import Point, SavedLog
from lightboard.hub.scalar_reader.process import COMMAND, ScalarReader
from lightboard.testing.event_files import append_events, scalar_record, write_events

NEW = SavedLog()
EVENTS = "attempt-1/rank-0/events.out.tfevents.1"
Reading = Callable[..., ScalarReader]


@pytest.fixture
def logs(tmp_path: pathlib.Path) -> pathlib.Path:
    """The folder of a job that has written one point."""
    folder = tmp_path.resolve() / "logs"
    write_events(folder / EVENTS, [scalar_record("loss", 0, 1.0)])
    return folder


@pytest.fixture
def started() -> Iterator[Reading]:
    """Makes readers, which are closed afterwards."""
    made: list[ScalarReader] = []

    def start(command: Sequence[str] = COMMAND, **options: float) -> ScalarReader:
        made.append(ScalarReader(command, **options))
        return made[-1]

    yield start
    for reader in made:
        reader.close()


def script(code: str) -> tuple[str, ...]:
    """A command in the place of the reader."""
    return sys.executable, "-c", code


def test_only_what_is_new_is_returned(started: Reading, logs: pathlib.Path) -> None:
    """The process knows the rest."""
    reader = started()
    readings = [reader.read("a", str(logs), (), lambda: NEW) for _ in range(2)]
    append_events(logs / EVENTS, [scalar_record("loss", 1, 2.0)])
    readings.append(reader.read("a", str(logs), (), lambda: NEW))

    assert [[each.points() for each in reading.changed] for reading in readings] == [
        [[Point(0, 0.0, 1.0)]], [], [[Point(0, 0.0, 1.0), Point(1, 0.0, 2.0)]],
    ]  # fmt: skip
    assert [reading.files is None for reading in readings] == [False, True, False]


def test_another_process_continues_from_the_saved_state(started: Reading, logs: pathlib.Path) -> None:
    """Nothing is counted twice."""
    first = started().read("a", str(logs), (), lambda: NEW)
    append_events(logs / EVENTS, [scalar_record("loss", 1, 2.0)])
    saved = SavedLog(files=first.files or {}, series=first.changed, total=first.total)
    second = started().read("a", str(logs), (), lambda: saved)

    assert [each.points() for each in second.changed] == [[Point(0, 0.0, 1.0), Point(1, 0.0, 2.0)]]


def test_a_forgotten_job_is_loaded_again(started: Reading, logs: pathlib.Path) -> None:
    """From the saved state."""
    reader = started()
    loads: list[str] = []
    for _ in range(2):
        reader.read("a", str(logs), (), lambda: loads.append("a") or NEW)
        reader.forget("a")

    assert loads == ["a", "a"]


def test_a_folder_that_cannot_be_read_is_an_error(started: Reading, logs: pathlib.Path) -> None:
    """Other jobs are not affected."""
    reader = started()
    link = logs.with_name("link")
    link.symlink_to(logs)

    with pytest.raises(LaunchError, match="the logs cannot be read"):
        reader.read("bad", str(link), (), lambda: NEW)
    assert len(reader.read("good", str(logs), (), lambda: NEW).changed) == 1


@pytest.mark.parametrize(
    "code",
    [
        "import time; time.sleep(1000)",
        "",
        "print('no JSON')",
        "print('[]')",
        "print('{}')",
        'print(\'{"changed": [{}], "removed": [], "more": 0, "limited": 0, "total": 0, "files": null}\')',
        "import sys\nwhile True: sys.stdout.write('x' * 100_000)",
    ],
    ids=["hangs", "ends", "text", "list", "fields", "series", "endless"],
)
def test_a_process_that_fails_is_ended(started: Reading, logs: pathlib.Path, code: str) -> None:
    """The next call starts another."""
    reader = started(script(f"import sys; sys.stdin.readline()\n{code}"), call_secs=2.0)

    with pytest.raises(LaunchError):
        reader.read("a", str(logs), (), lambda: NEW)
    assert not reader.is_running


def test_the_process_has_no_secrets(
    started: Reading, logs: pathlib.Path, monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path
) -> None:
    """Of the hub's variables."""
    monkeypatch.setenv("LIGHTBOARD_TOKEN", "secret")
    told = tmp_path / "told"
    reader = started(script(f"import os; open({str(told)!r}, 'w').write(' '.join(os.environ)); input(); print(1)"))
    with pytest.raises(LaunchError):
        reader.read("a", str(logs), (), lambda: NEW)

    assert "PATH" in told.read_text()
    assert "LIGHTBOARD" not in told.read_text()
