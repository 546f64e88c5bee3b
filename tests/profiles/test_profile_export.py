"""Captures as files for other viewers."""

import json
from typing import Any

import pytest

from lightboard.profiles import export
from lightboard.profiles.capture import HostCapture
from lightboard.profiles.steps import steps_of
from support.profiles import PROFILES, TORCH, read_path, read_trace, rows, slice_event, trace, xplane_of


def exported(format_: export.ExportFormat, *captures: HostCapture) -> Any:
    """The file."""
    return json.loads("".join(export.export(list(captures), "run/1", format_)))


def stacks(profile: dict[str, Any], frames: list[dict[str, str]]) -> list[tuple[str, int, int]]:
    """The frames of a profile with begin and end. Fails if events are not nested, or go back in time."""
    open_, found, last = [], [], profile["startValue"]
    for event in profile["events"]:
        assert last <= event["at"] <= profile["endValue"]
        last = event["at"]
        if event["type"] == "O":
            open_.append((event["frame"], event["at"]))
        else:
            frame, begin = open_.pop()
            assert frame == event["frame"]
            found.append((frames[frame]["name"], begin, event["at"]))
    assert open_ == []
    return found


@pytest.mark.parametrize("framework", ["torch", "jax", "keras"])
def test_a_trace_for_perfetto_has_the_same_slices_and_steps(framework: str) -> None:
    """Read again, at the same times of day."""
    capture = read_path(TORCH if framework == "torch" else xplane_of(framework))
    again = read_trace("".join(export.perfetto_pieces([capture])).encode())

    assert rows(again) == rows(capture)
    assert [step[3:] for step in steps_of(again)] == [step[3:] for step in steps_of(capture)]
    assert [track.name for track in again.tracks] == [track.name or track.id for track in capture.tracks]


def test_hosts_with_the_same_processes_are_apart_for_perfetto() -> None:
    files = sorted((PROFILES / "torch_ranks").iterdir())
    events = exported("perfetto", *map(read_path, files))["traceEvents"]
    names = [event["args"]["name"] for event in events if event["name"] == "process_name"]

    assert len({event["pid"] for event in events}) == len(names)
    assert {name[:14] for name in names} == {"trainer rank 0", "trainer rank 1"}


@pytest.mark.parametrize("framework", ["torch", "jax", "keras"])
def test_a_file_for_speedscope_has_the_slices_of_each_track(framework: str) -> None:
    capture = read_path(TORCH if framework == "torch" else xplane_of(framework))
    file = exported("speedscope", capture)
    found = [each for profile in file["profiles"] for each in stacks(profile, file["shared"]["frames"])]

    assert (file["$schema"], file["name"]) == ("https://www.speedscope.app/file-format-schema.json", "run/1")
    assert sorted(name for name, _, _ in found) == sorted(name for name, _, _ in rows(capture))
    assert {(profile["type"], profile["unit"]) for profile in file["profiles"]} == {("evented", "nanoseconds")}


def test_slices_that_overlap_are_cut_for_speedscope() -> None:
    """It can show only frames within each other."""
    capture = read_trace(trace(slice_event("a", 0, 10), slice_event("b", 5, 10), slice_event("c", 10, 2)))
    file = exported("speedscope", capture)

    assert stacks(file["profiles"][0], file["shared"]["frames"]) == [
        ("b", 5000, 10_000),
        ("a", 0, 10_000),
        ("c", 10_000, 12_000),
    ]


def test_large_captures_are_several_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "PIECE_ROWS", 100)
    capture = read_path(TORCH)
    for format_ in export.EXPORT_FORMATS:
        pieces = list(export.export([capture], "a", format_))
        assert max(map(len, pieces)) < 40_000 < len("".join(pieces))
        json.loads("".join(pieces))


@pytest.mark.parametrize("format_", export.EXPORT_FORMATS)
def test_captures_without_slices_are_files_as_well(format_: export.ExportFormat) -> None:
    nothing = read_trace(trace())

    assert [exported(format_, *captures) is not None for captures in ([], [nothing], [nothing, nothing])] == [True] * 3
