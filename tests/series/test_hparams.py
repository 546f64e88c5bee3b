"""Hyperparameters in the metadata of a run."""

import math

import pytest

from lightboard.events.decode import new_decoder
from lightboard.series.hparams import Hparams, parse_outcome, parse_session_start
from lightboard.series.run import Run, RunFile
from lightboard.testing.event_files import (
    bare_value,
    bytes_field,
    double_field,
    hparams_end_record,
    hparams_start_record,
    scalar_record,
    summary_metadata,
    summary_record,
    varint_field,
)


def run_of(*files: list[bytes]) -> Run:
    """A run with these files."""
    run, held = Run("r"), []
    for number, records in enumerate(files):
        decoder = new_decoder()
        decoder.feed(b"".join(records))
        held.append(RunFile(str(number), decoder))
    run.set_files(tuple(held))
    return run


def start_metadata(*entries: bytes) -> bytes:
    """Metadata of a session start with these entries of its map."""
    info = b"".join(bytes_field(1, entry) for entry in entries)
    return summary_metadata("hparams", bytes_field(3, info))


def entry(key: bytes, value: bytes) -> bytes:
    return bytes_field(1, key) + bytes_field(2, value)


def test_hyperparameters_keep_their_type() -> None:
    """Numbers, strings and booleans, in the order written."""
    config = {"lr": 0.1, "layers": 3.0, "opt": "sgd", "amp": True, "debug": False, "": "", "名": "值"}
    found = run_of([hparams_start_record(config, "seeds"), hparams_end_record()]).hparams()

    assert found == Hparams(config, "seeds", "success")
    assert [type(value) for value in found.config.values()] == [float, float, str, bool, bool, str, str]


def test_runs_without_a_session_have_no_hyperparameters() -> None:
    """A scalar with the tag of a session is none."""
    assert run_of([scalar_record("loss", 0, 1.0)]).hparams() is None
    assert run_of([scalar_record("_hparams_/session_start_info", 0, 1.0)]).hparams() is None


def test_sessions_without_an_end_have_no_outcome() -> None:
    """The end may come later."""
    run = run_of([hparams_start_record({})])
    assert run.hparams() == Hparams({}, "", "unknown")
    run.files[0].decoder.feed(hparams_end_record(3))
    run.invalidate_tags()
    assert run.hparams() == Hparams({}, "", "running")


def test_the_first_start_and_the_last_end_count() -> None:
    """A job failed and was resumed in another file."""
    first = [hparams_start_record({"lr": 0.1}), hparams_end_record(2)]
    assert run_of(first, [hparams_start_record({"lr": 0.2}), hparams_end_record(1)]).hparams() == Hparams(
        {"lr": 0.1}, "", "success"
    )


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        (b"", {}),  # no value
        (varint_field(1, 0), {}),  # null
        (bytes_field(5, b""), {}),  # struct
        (bytes_field(6, b""), {}),  # list
        (double_field(2, 1.0) + bytes_field(3, b"x"), {"key": "x"}),  # a oneof: the last one wins
        (double_field(2, -math.inf), {"key": -math.inf}),
        (bytes_field(3, b"\xff"), {"key": "\ufffd"}),
    ],
)
def test_only_scalar_hyperparameters_are_kept(value: bytes, kept: dict[str, object]) -> None:
    """Values of the map may be any JSON."""
    assert parse_session_start(start_metadata(entry(b"key", value))) == (kept, "")


def test_entries_before_malformed_bytes_are_kept() -> None:
    """A length beyond the end of the message."""
    good = entry(b"a", double_field(2, 1.0))
    assert parse_session_start(start_metadata(good, b"\x0a\x7f", good)) == ({"a": 1.0}, "")


@pytest.mark.parametrize("metadata", [b"", b"\xff", summary_metadata("hparams", b"\x1a\x7f")])
def test_malformed_metadata_has_no_hyperparameters(metadata: bytes) -> None:
    """And raises no error."""
    assert (parse_session_start(metadata), parse_outcome(metadata)) == (({}, ""), "unknown")


def test_unknown_statuses_have_an_unknown_outcome() -> None:
    """They may come from later versions."""
    assert parse_outcome(summary_metadata("hparams", bytes_field(4, varint_field(1, 77)))) == "unknown"


def test_other_plugins_may_use_the_session_tag() -> None:
    """It is no session then."""
    record = summary_record([bare_value("_hparams_/session_start_info", summary_metadata("text"))])
    assert run_of([record]).hparams() is None
