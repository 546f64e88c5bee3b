"""Restarts of a run over its files, told or seen."""

from lightboard.events.decode import new_decoder
from lightboard.series.run import Run, RunFile
from lightboard.series.sessions import Session
from lightboard.testing.event_files import scalar_record, start_record, version_record


def run_of(*files: list[bytes]) -> Run:
    """A run with these files."""
    made = Run("r")
    held = []
    for number, records in enumerate(files):
        decoder = new_decoder()
        decoder.feed(b"".join([version_record(), *records]))
        held.append(RunFile(str(number), decoder))
    made.set_files(tuple(held))
    return made


def scalars(tag: str, *steps: int, at: float = 0.0) -> list[bytes]:
    """Points of one tag, a second apart."""
    return [scalar_record(tag, step, 1.0, at + place) for place, step in enumerate(steps)]


def test_steps_that_go_back_within_a_file_are_a_restart() -> None:
    """A job that appends to its file after a crash."""
    run = run_of([*scalars("loss", 0, 1, 2), *scalars("loss", 1, 2, at=50.0)])
    assert (run.sessions(), run.restarts) == ([Session(1, 50.0, "regression")], 1)


def test_starts_and_regressions_come_in_the_order_of_the_bytes() -> None:
    """In one list."""
    first = [*scalars("loss", *range(20)), *scalars("loss", 3, at=30.0), start_record(step=2, wall_time=40.0)]
    run = run_of([*first, *scalars("loss", 2, 4, at=41.0), *scalars("loss", 0, at=50.0)])
    assert run.sessions() == [
        Session(3, 30.0, "regression"),
        Session(2, 40.0, "start"),
        Session(0, 50.0, "regression"),
    ]


def test_a_later_file_that_takes_up_lower_is_one_restart() -> None:
    """However many tags it takes up; the point written first says where."""
    first = [*scalars("loss", 0, 9), *scalars("lr", 0, 9)]
    run = run_of(first, [*scalars("lr", 6, at=51.0), *scalars("loss", 5, at=50.0)])
    assert (run.sessions(), run.restarts) == ([Session(5, 50.0, "regression")], 1)


def test_a_later_file_that_begins_with_a_start_is_counted_once() -> None:
    """A torch writer with purge_step."""
    run = run_of(scalars("loss", 0, 9), [start_record(step=5, wall_time=50.0), *scalars("loss", 5, 6, at=51.0)])
    assert (run.sessions(), run.restarts) == ([Session(5, 50.0, "start")], 1)


def test_a_later_file_that_goes_on_restarts_nothing() -> None:
    """Nor does one with other tags."""
    run = run_of(scalars("loss", 0, 9), scalars("loss", 10, 11), scalars("eval", 0, 1))
    assert (run.sessions(), run.restarts) == ([], 0)


def test_an_earlier_file_that_still_grows_changes_the_answer() -> None:
    """Two writers at work in one folder."""
    run = run_of(scalars("loss", 0, 9), scalars("loss", 10, 11, at=50.0))
    assert run.restarts == 0
    run.files[0].decoder.feed(b"".join(scalars("loss", 12)))
    assert run.sessions() == [Session(10, 50.0, "regression")]
