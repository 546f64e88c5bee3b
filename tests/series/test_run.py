"""A run over its event files."""

import math

import pytest

from lightboard.errors import TagNotFound
from lightboard.events.decode import new_decoder
from lightboard.series.run import Run, RunFile
from lightboard.series.sessions import Session
from lightboard.testing import event_files as ef
from lightboard.types import Damage


def file(path, *records):
    decoder = new_decoder()
    decoder.feed(b"".join(records))
    return RunFile(path, decoder)


def run(*files):
    made = Run("r")
    made.set_files(files)
    return made


def test_empty_run_has_no_times():
    """Without events start and end are unknown, and nothing is held."""
    empty = run()
    assert (math.isnan(empty.start_wall_time), math.isnan(empty.last_wall_time), empty.last_step, empty.points) == (
        True,
        True,
        -1,
        0,
    )


def test_start_and_end_span_all_files():
    """The earliest event of any file starts the run, the latest ends it; its step is the highest."""
    late = file("1", ef.version_record(wall_time=50.0), ef.scalar_record("a", 7, 1.0, 60.0))
    early = file("2", ef.version_record(wall_time=10.0), ef.scalar_record("a", 99, 1.0, 20.0))
    made = run(late, early)
    assert (made.start_wall_time, made.last_wall_time, made.last_step, made.points) == (10.0, 60.0, 99, 2)


def test_table_is_built_once_until_the_structure_changes():
    """Asked twice it is the same object; after `restructure` a new series is there."""
    first = file("1", ef.scalar_record("a", 1, 1.0))
    made = run(first)
    before = made.tags()
    assert made.tags() is before
    first.decoder.feed(ef.scalar_record("b", 1, 1.0))
    made.restructure()
    assert list(made.tags()) == ["a", "b"]


def test_missing_tag_is_named():
    """The error says which run lacks which tag."""
    with pytest.raises(TagNotFound, match="run 'r' has no tag 'x'"):
        run().parts("x")


def test_second_form_of_a_tag_is_reachable_by_its_kind():
    """A tag that came as text and as number gives either when asked by kind."""
    made = run(
        file(
            "1",
            ef.tensor_record("a", 1, ef.tensor(ef.STRING, [b"x"]), metadata=ef.summary_metadata("text")),
            ef.scalar_record("a", 1, 2.0),
        )
    )
    assert {plugin: made.tag("a", plugin).form for plugin in (None, "text", "scalars")} == {
        None: "reference",
        "text": "reference",
        "scalars": "scalar",
    }
    with pytest.raises(TagNotFound, match="of kind images"):
        made.tag("a", "images")


def test_restarts_are_the_starts_but_the_one_that_opens_the_run():
    """A START right after the version record of the first file restarts nothing."""
    opening = [ef.version_record(), ef.start_record(step=0, wall_time=1.0)]
    points = [ef.scalar_record("a", step, 1.0, 2.0) for step in range(20)]
    first = file("1", *opening, *points, ef.start_record(step=5, wall_time=3.0))
    second = file("2", *opening)
    assert run(first, second).sessions() == [Session(5, 3.0, "start"), Session(0, 1.0, "start")]


def test_damage_names_file_and_bytes():
    """Each skipped range comes with the file it is in."""
    head, bad, good = ef.version_record(), b"\0" * 30, ef.scalar_record("a", 1, 1.0)
    made = run(file("x", head, good), file("y", head, bad, good))
    assert (made.damage(), made.damage_bytes) == ([Damage("y", len(head), 30)], 30)
