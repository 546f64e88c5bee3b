"""Xplanes that are legal and rare, or damaged."""

import pytest

from lightboard.errors import Unshowable
from lightboard.profiles.capture import CATEGORIES
from lightboard.profiles.steps import steps_of
from lightboard.testing.event_files import bytes_field
from support.profiles import read_path, read_space, rows, x_event, x_line, x_names, x_space, xplane_of

NAMES = x_names(4, {1: "first", 2: "second", 3: "%add = f32[] add(f32[] a)"})
HOST = bytes_field(2, b"/host:CPU")


def test_names_may_precede_or_follow_the_events() -> None:
    line = x_line(x_event(1, 5000, 7000), start_ns=100)
    spaces = [x_space(HOST + NAMES + line), x_space(line + NAMES + HOST)]

    assert [rows(read_space(each)) for each in spaces] == [[("first", 105, 7)]] * 2


def test_lines_of_the_same_id_are_one_track() -> None:
    capture = read_space(x_space(HOST + x_line(x_event(1, 0, 1000)) + x_line(x_event(2, 0, 1000)) + NAMES))

    assert (len(capture.tracks), capture.slices.track.tolist()) == (1, [0, 0])


def test_events_of_no_length_are_instants() -> None:
    capture = read_space(x_space(HOST + x_line(x_event(2, 3000, 0)) + NAMES))

    assert (len(capture.slices), [capture.names[each] for each in capture.instants.name], capture.problems) == (
        *(0, ["second"]),
        [],
    )


def test_an_event_without_a_name_has_its_number() -> None:
    assert rows(read_space(x_space(HOST + x_line(x_event(9, 0, 1000))))) == [("event 9", 0, 1)]


def test_what_runs_on_devices_is_compute() -> None:
    plane = bytes_field(2, b"/device:GPU:0") + x_line(x_event(1, 0, 1000), name="Stream #1") + NAMES
    capture = read_space(x_space(plane))

    assert CATEGORIES[capture.slices.category[0]] == "compute"


def test_steps_of_devices_are_not_counted_again() -> None:
    plane = x_line(x_event(1, 0, 5000, (7, 3))) + NAMES + x_names(5, {7: "step_num"})
    capture = read_space(x_space(HOST + plane, bytes_field(2, b"/device:TPU:0") + plane))

    assert ([step.step for step in steps_of(capture)], len(capture.slices)) == ([3], 2)


def test_negative_durations_are_left_out() -> None:
    capture = read_space(x_space(HOST + x_line(x_event(1, 0, (1 << 64) - 5000), x_event(2, 0, 1000)) + NAMES))

    assert (rows(capture), capture.problems) == (
        [("second", 0, 1)],
        ["1 events have impossible times or were damaged, and are left out"],
    )


def test_a_capture_that_is_cut_off_is_a_part_of_it() -> None:
    data = xplane_of("tensorflow").read_bytes()
    whole, part = read_path(xplane_of("tensorflow")), read_space(data[: len(data) // 2])

    assert part.problems == ["the file is cut off or damaged, and is read up to there"]
    assert 10 < len(part.slices) < len(whole.slices)
    assert [row[1:] for row in rows(part)] == [row[1:] for row in rows(whole)][: len(part.slices)]


@pytest.mark.parametrize("data", [b"", b"hello", b"\x0a\x00", b"\x22\x01a"])
def test_what_is_no_xplane_is_one_error(data: bytes) -> None:
    with pytest.raises(Unshowable, match="it is no xplane: it has no planes"):
        read_space(data)
