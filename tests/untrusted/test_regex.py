"""User-supplied regular expressions run in a subprocess."""

import pytest

from lightboard.errors import BadRequest
from lightboard.untrusted.regex import MAX_CHARS, RegexProcess


def test_spans_count_characters() -> None:
    """Not bytes. One process serves several texts."""
    with RegexProcess("к.ш", ignore_case=True) as process:
        assert [process.spans("каша, КАША".encode()), process.spans(b"nothing")] == [[(0, 3), (6, 9)], []]


def test_many_names_are_matched_at_once() -> None:
    """Returns the indices of matching names, with or without case."""
    with RegexProcess("^a.*[^b]$", ignore_case=False) as process:
        assert process.matching_indices(["ac", "ab", "Ac", "", "a\ud800"]) == [0, 4]
        assert process.matching_indices([]) == []


@pytest.mark.parametrize("pattern", ["(", "a{99999999999}", "(?P<x", "*", "\\", "(?:" * 400, "a" * (MAX_CHARS + 1)])
def test_invalid_regexes_are_refused(pattern: str) -> None:
    """Before anything is searched."""
    with pytest.raises(BadRequest, match="regular expression"), RegexProcess(pattern, ignore_case=True):
        pass


@pytest.mark.parametrize("pattern", [r"^(a+)+$", r"(a|aa)+$", r"(.*a){30}$", r"((a*)*)*b"])
def test_slow_regexes_time_out(pattern: str) -> None:
    """In one text, and in many names."""
    text = "a" * 5_000 + "!"
    with RegexProcess(pattern, ignore_case=False, secs=0.3) as process, pytest.raises(TimeoutError):
        process.spans(text.encode())
    with RegexProcess(pattern, ignore_case=False, secs=0.3) as process, pytest.raises(TimeoutError):
        process.matching_indices([text])


def test_the_subprocess_ends() -> None:
    """When its context does."""
    with RegexProcess("a", ignore_case=False) as process:
        child = process._process
    assert child.returncode is not None
