"""A run over its event files."""

import math

import pytest

from lightboard.errors import TagNotFound
from lightboard.events.decode import new_decoder
from lightboard.series.restarts import Restart
from lightboard.series.run import Run, RunFile
from lightboard.testing import event_files as ef
from lightboard.types import Damage


def file(path, *records):
    decoder = new_decoder()
    decoder.feed(b"".join(records))
    return RunFile(path, decoder)


def run_of(*files):
    run = Run("r")
    run.set_files(files)
    return run


def test_empty_runs_have_no_times():
    """Start and end are NaN, and the last step is -1."""
    empty = run_of()
    assert (math.isnan(empty.start_wall_time), math.isnan(empty.last_wall_time), empty.last_step, empty.points) == (
        True,
        True,
        -1,
        0,
    )


def test_wall_times_span_all_files():
    """The earliest and the latest event. The last step is the highest."""
    late = file("1", ef.version_record(wall_time=50.0), ef.scalar_record("a", 7, 1.0, 60.0))
    early = file("2", ef.version_record(wall_time=10.0), ef.scalar_record("a", 99, 1.0, 20.0))
    run = run_of(late, early)
    assert (run.start_wall_time, run.last_wall_time, run.last_step, run.points) == (10.0, 60.0, 99, 2)


def test_tags_are_cached():
    """Until `invalidate_tags` is called."""
    first = file("1", ef.scalar_record("a", 1, 1.0))
    run = run_of(first)
    before = run.tags()
    assert run.tags() is before
    first.decoder.feed(ef.scalar_record("b", 1, 1.0))
    run.invalidate_tags()
    assert list(run.tags()) == ["a", "b"]


def test_missing_tags_are_named():
    """Together with the run."""
    with pytest.raises(TagNotFound, match="run 'r' has no tag 'x'"):
        run_of().parts("x")


def test_tags_are_found_by_kind():
    """A tag may be both text and scalar."""
    run = run_of(
        file(
            "1",
            ef.tensor_record("a", 1, ef.tensor(ef.STRING, [b"x"]), metadata=ef.summary_metadata("text")),
            ef.scalar_record("a", 1, 2.0),
        )
    )
    assert {plugin: run.tag("a", plugin).form for plugin in (None, "text", "scalars")} == {
        None: "reference",
        "text": "reference",
        "scalars": "scalar",
    }
    with pytest.raises(TagNotFound, match="of kind images"):
        run.tag("a", "images")


def test_the_start_that_opens_a_run_is_no_restart():
    """A START right after the version record of the first file."""
    opening = [ef.version_record(), ef.start_record(step=0, wall_time=1.0)]
    points = [ef.scalar_record("a", step, 1.0, 2.0) for step in range(20)]
    first = file("1", *opening, *points, ef.start_record(step=5, wall_time=3.0))
    second = file("2", *opening)
    assert run_of(first, second).list_restarts() == [Restart(5, 3.0, "start"), Restart(0, 1.0, "start")]


def test_damage_has_file_offset_and_length():
    """For each skipped range."""
    head, bad, good = ef.version_record(), b"\0" * 30, ef.scalar_record("a", 1, 1.0)
    run = run_of(file("x", head, good), file("y", head, bad, good))
    assert (run.damage(), run.damage_bytes) == ([Damage("y", len(head), 30)], 30)
