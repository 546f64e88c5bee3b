"""`lightboard.profiling` without a framework: what is recorded of plain Python, by this version of it."""

import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from lightboard import profiling
from lightboard.errors import UsageError
from lightboard.profiles.capture import HostCapture
from lightboard.profiles.steps import steps_of
from lightboard.profiling.capture import imported_framework
from support.profiles import read_path


def add(numbers: list[int]) -> int:
    return sum(numbers)


def factorial(number: int) -> int:
    return 1 if number < 2 else number * factorial(number - 1)


def count_to(end: int) -> Iterator[int]:
    yield from map(int, range(end))


def fail() -> None:
    raise KeyError


def add_in_steps(capture: profiling.Capture, steps: int) -> None:
    for number in range(steps):
        with capture.step():
            add([number])


def catch() -> None:
    try:
        fail()
    except KeyError:
        add([1])


@contextmanager
def no_frameworks(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patch:
        for name in ("torch", "jax", "tensorflow"):
            patch.delitem(sys.modules, name, raising=False)
        yield


def read(capture: profiling.Capture) -> HostCapture:
    """What was written."""
    assert capture.folder
    (file,) = capture.folder.iterdir()
    return read_path(file)


def calls(host: HostCapture) -> dict[str, int]:
    """How often each function of this file was called."""
    names = Counter(host.names[name] for name in host.slices.name.tolist())
    return {name.partition(" (")[0]: count for name, count in names.items() if f"({Path(__file__).name}:" in name}


def slices_named(host: HostCapture, name: str) -> list[tuple[int, int]]:
    """The begins and ends of the calls of a function."""
    rows = zip(host.slices.name.tolist(), host.slices.start_ns.tolist(), host.slices.duration_ns.tolist(), strict=True)
    return [(begin, begin + duration) for at, begin, duration in rows if host.names[at].split(" ")[0] == name]


def test_calls_steps_and_times_of_a_program_are_captured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where boards find them, with the time of day."""
    before = time.time_ns()
    with no_frameworks(monkeypatch), profiling.capture(tmp_path) as capture:
        for number in (7, 8):
            with capture.step(number):
                add([1, 2])
                factorial(4)
    host = read(capture)

    assert capture.folder
    assert capture.folder.parent == tmp_path / "plugins" / "profile"
    assert (capture.framework, host.problems, [step.step for step in steps_of(host)]) == ("python", [], [7, 8])
    assert calls(host) == {"add": 2, "factorial": 8}
    assert before <= host.slices.start_ns.min() <= time.time_ns()


def test_calls_are_within_their_callers_and_their_step(tmp_path: Path) -> None:
    """Calls of functions in C as well."""
    with profiling.capture(tmp_path, framework="python") as capture, capture.step():
        add([1, 2])
    host = read(capture)
    (step,), (caller,), (called,) = (slices_named(host, name) for name in ("step", "add", "sum"))

    assert step[0] <= caller[0] <= called[0] <= called[1] <= caller[1] <= step[1]


def test_generators_and_exceptions_end_as_functions_do(tmp_path: Path) -> None:
    with profiling.capture(tmp_path, framework="python") as capture:
        taken = list(count_to(2))
        catch()
    host = read(capture)
    (outer,), (inner,), (handler,) = (slices_named(host, name) for name in ("catch", "fail", "add"))

    assert (taken, calls(host)) == ([0, 1], {"count_to": 3, "catch": 1, "fail": 1, "add": 1})
    assert outer[0] <= inner[0] <= inner[1] <= handler[0] <= handler[1] <= outer[1]


def test_threads_are_tracks_with_their_names(tmp_path: Path) -> None:
    with profiling.capture(tmp_path, framework="python") as capture:
        thread = threading.Thread(target=add, args=([1],), name="loader")
        thread.start()
        thread.join()
    host = read(capture)
    at = next(at for at, name in enumerate(host.names) if name.startswith("add "))
    (row,) = [row for row, name in enumerate(host.slices.name.tolist()) if name == at]

    assert host.tracks[host.slices.track[row]].name == "loader"


def test_what_is_beyond_the_limit_is_said_and_its_callers_are_there(tmp_path: Path) -> None:
    """So is every step."""
    with profiling.capture(tmp_path, framework="python", max_events=4) as capture:
        add_in_steps(capture, 6)
    host = read(capture)

    assert host.problems == ["Not recorded: calls after the first 4; pass a larger max_events"]
    assert (len(steps_of(host)), calls(host)) == (6, {"add": 2, "add_in_steps": 1})


def test_captures_of_the_same_second_are_two_sessions(tmp_path: Path) -> None:
    folders = []
    for _ in range(2):
        with profiling.capture(tmp_path, framework="python") as capture:
            add([])
        folders.append(capture.folder)

    assert sorted((tmp_path / "plugins" / "profile").iterdir()) == sorted(filter(None, folders))
    assert folders[0] != folders[1]


def test_a_program_that_fails_leaves_its_capture(tmp_path: Path) -> None:
    with pytest.raises(KeyError), profiling.capture(tmp_path, framework="python") as capture, capture.step():
        fail()

    assert (len(steps_of(read(capture))), sys.getprofile()) == (1, None)


def test_steps_without_numbers_go_on_from_the_last_one(tmp_path: Path) -> None:
    with profiling.capture(tmp_path, framework="python") as capture:
        for number in (None, None, 9, None):
            with capture.step(number):
                pass

    assert [step.step for step in steps_of(read(capture))] == [0, 1, 9, 10]


def test_another_profiler_is_not_disturbed(tmp_path: Path) -> None:
    with (
        profiling.capture(tmp_path, framework="python"),
        pytest.raises(UsageError) as error,
        profiling.capture(tmp_path, framework="python"),
    ):
        pass

    assert (error.value.message, error.value.hint) == (
        "another profiler of Python is active",
        "end it first; cProfile is one",
    )


@pytest.mark.parametrize(
    ("log_dir", "options", "message", "hint"),
    [
        (
            "s3://bucket/runs",
            {"framework": "python"},
            "s3://bucket/runs is not a local folder",
            "capture into a local folder, then copy it to the bucket",
        ),
        ("runs", {"framework": "mxnet"}, "no framework 'mxnet'", "it is one of torch, jax, tensorflow, python"),
        ("runs", {"framework": "python", "max_events": 0}, "max_events is 0", "give 1 or more"),
    ],
)
def test_what_cannot_be_captured_is_one_error(
    log_dir: str, options: dict[str, object], message: str, hint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is written."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError) as error, profiling.capture(log_dir, **options):  # type: ignore[arg-type]
        pass

    assert (error.value.message, error.value.hint, list(tmp_path.iterdir())) == (message, hint, [])


def test_of_several_frameworks_one_must_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with no_frameworks(monkeypatch):
        monkeypatch.setitem(sys.modules, "torch", threading)
        alone = imported_framework()
        monkeypatch.setitem(sys.modules, "tensorflow", threading)
        with pytest.raises(UsageError) as error:
            imported_framework()

    assert (alone, error.value.message, error.value.hint) == (
        "torch",
        "torch and tensorflow are imported",
        'say which one to capture: framework="torch"',
    )


def test_a_step_has_no_negative_number(tmp_path: Path) -> None:
    with profiling.capture(tmp_path, framework="python") as capture, pytest.raises(UsageError, match="-1 is no number"):
        capture.step(-1)
