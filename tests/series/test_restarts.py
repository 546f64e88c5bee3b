"""The restarts of a run, declared by SessionLog records or detected from its steps."""

from lightboard.events.decode import new_decoder
from lightboard.series.restarts import Restart
from lightboard.series.run import Run, RunFile
from lightboard.testing.event_files import scalar_record, start_record, version_record


def run_of(*files: list[bytes]) -> Run:
    """A run with these files."""
    run = Run("r")
    held = []
    for number, records in enumerate(files):
        decoder = new_decoder()
        decoder.feed(b"".join([version_record(), *records]))
        held.append(RunFile(str(number), decoder))
    run.set_files(tuple(held))
    return run


def scalars(tag: str, *steps: int, at: float = 0.0) -> list[bytes]:
    """Points of one tag, one second apart."""
    return [scalar_record(tag, step, 1.0, at + place) for place, step in enumerate(steps)]


def test_a_step_back_within_a_file_is_a_restart() -> None:
    """A job appended to its file after a crash."""
    run = run_of([*scalars("loss", 0, 1, 2), *scalars("loss", 1, 2, at=50.0)])
    assert (run.list_restarts(), run.restart_count) == ([Restart(1, 50.0, "regression")], 1)


def test_starts_and_regressions_are_in_file_order() -> None:
    """In one list."""
    first = [*scalars("loss", *range(20)), *scalars("loss", 3, at=30.0), start_record(step=2, wall_time=40.0)]
    run = run_of([*first, *scalars("loss", 2, 4, at=41.0), *scalars("loss", 0, at=50.0)])
    assert run.list_restarts() == [
        Restart(3, 30.0, "regression"),
        Restart(2, 40.0, "start"),
        Restart(0, 50.0, "regression"),
    ]


def test_a_step_back_between_files_is_one_restart() -> None:
    """However many tags go back; the point written first gives its step."""
    first = [*scalars("loss", 0, 9), *scalars("lr", 0, 9)]
    run = run_of(first, [*scalars("lr", 6, at=51.0), *scalars("loss", 5, at=50.0)])
    assert (run.list_restarts(), run.restart_count) == ([Restart(5, 50.0, "regression")], 1)


def test_a_start_and_its_step_back_count_once() -> None:
    """As written by torch with purge_step."""
    run = run_of(scalars("loss", 0, 9), [start_record(step=5, wall_time=50.0), *scalars("loss", 5, 6, at=51.0)])
    assert (run.list_restarts(), run.restart_count) == ([Restart(5, 50.0, "start")], 1)


def test_files_that_continue_are_no_restart() -> None:
    """Nor are files with other tags."""
    run = run_of(scalars("loss", 0, 9), scalars("loss", 10, 11), scalars("eval", 0, 1))
    assert (run.list_restarts(), run.restart_count) == ([], 0)


def test_earlier_files_may_still_grow() -> None:
    """With two writers in one folder a restart may appear later."""
    run = run_of(scalars("loss", 0, 9), scalars("loss", 10, 11, at=50.0))
    assert run.restart_count == 0
    run.files[0].decoder.feed(b"".join(scalars("loss", 12)))
    assert run.list_restarts() == [Restart(10, 50.0, "regression")]
