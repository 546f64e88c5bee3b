"""Regular expressions of strangers, in a process of their own."""

import pytest

from lightboard.errors import BadRequest
from lightboard.untrusted.regex import MOST_CHARS, RegexProcess


def test_matches_are_found_in_characters() -> None:
    """Of one text after the other."""
    with RegexProcess("к.ш", ignore_case=True) as process:
        assert [process.spans("каша, КАША".encode()), process.spans(b"nothing")] == [[(0, 3), (6, 9)], []]


def test_many_names_are_one_question() -> None:
    """The numbers of those in which the pattern is found; case counts if asked."""
    with RegexProcess("^a.*[^b]$", ignore_case=False) as process:
        assert process.found_in(["ac", "ab", "Ac", "", "a\ud800"]) == [0, 4]
        assert process.found_in([]) == []


@pytest.mark.parametrize("pattern", ["(", "a{99999999999}", "(?P<x", "*", "\\", "(?:" * 400, "a" * (MOST_CHARS + 1)])
def test_what_is_no_pattern_is_refused(pattern: str) -> None:
    """Before anything is searched."""
    with pytest.raises(BadRequest, match="regular expression"), RegexProcess(pattern, ignore_case=True):
        pass


@pytest.mark.parametrize("pattern", [r"^(a+)+$", r"(a|aa)+$", r"(.*a){30}$", r"((a*)*)*b"])
def test_a_pattern_that_never_ends_is_given_up(pattern: str) -> None:
    """In one text, and among many."""
    text = "a" * 5_000 + "!"
    with RegexProcess(pattern, ignore_case=False, secs=0.3) as process, pytest.raises(TimeoutError):
        process.spans(text.encode())
    with RegexProcess(pattern, ignore_case=False, secs=0.3) as process, pytest.raises(TimeoutError):
        process.found_in([text])


def test_nothing_is_left_running() -> None:
    """The process ends with its question."""
    with RegexProcess("a", ignore_case=False) as process:
        child = process._process
    assert child.returncode is not None
