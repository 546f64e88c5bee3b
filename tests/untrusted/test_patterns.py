"""Patterns of tags match like Python's `re`, in limited time."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lightboard.untrusted.patterns import BadPattern, MatchBudget, Nfa, match_tags

TAGS = ["loss", "loss/train", "loss/val", "Loss", "acc/top-5", "acc/top-1\n", "", "a.b", "слой_1", "{}", "a{2}", "aaa"]
PATTERNS = [
    r"loss",
    r"loss/.*",
    r".*",
    r"",
    r"loss/(train|val)$",
    r"(?i)loss$",
    r"acc/top-[0-9]+",
    r"[^/]+$",
    r"[]a]",
    r"\w+_\d",
    r"a\.b",
    r"a{2}$|a{3}$",
    r"a{0}$",
    r"a{1,2}$",
    r"a{,2}$",
    r"a{2,}$",
    r"{}",
    r"a?a?a?$",
    r"(?P<name>loss)\b",
    r"^loss\Z",
    r"(?!loss).",
    r"(?=.*val)loss",
    r"(?:a|b|)+$",
    r"(a*)*$",
    r".*?l.*\bt",
    r"\x61\u0061",
    r"(|x)loss",
]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_patterns_match_like_re(pattern: str) -> None:
    """Anchored at the start."""
    assert match_tags(pattern, TAGS, MatchBudget()) == [tag for tag in TAGS if re.match(pattern, tag)]


pieces = st.recursive(
    st.sampled_from(["a", "b", ".", "[ab]", "[^a]", "\\b", "^", "$", "\\w", ""]),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map("|".join),
        inner.map("({})".format),
        st.tuples(inner, st.sampled_from(["*", "+", "?", "{2}", "{1,2}", "{,1}", "*?"])).map("(?:{0[0]}){0[1]}".format),
    ),
    max_leaves=8,
)


@given(pieces, st.text("ab/", max_size=6))
def test_random_patterns_match_like_re(pattern: str, tag: str) -> None:
    """Short ones, so that `re` finishes."""
    assert Nfa(pattern).fits(tag, MatchBudget()) == bool(re.match(pattern, tag))


@pytest.mark.parametrize(
    "pattern",
    [
        "(",
        "*",
        "[z-a]",
        r"(a)\1",
        "(?<=a)b",
        "(?>a)b",
        "a++",
        "a" * 1001,
        "(a{100}){100}",
        "(" * 60 + ")" * 60,
        "(?=(?=a))",
        "a{99999999999}",
        "(?#why)",
    ],
)
def test_unsupported_patterns_are_refused(pattern: str) -> None:
    """Before any tag is matched."""
    with pytest.raises(BadPattern):
        Nfa(pattern)


@pytest.mark.parametrize(
    "pattern", [r"(a+)+$", r"(a|a)*$", r"(a|aa)+$", r"a*a*a*a*a*a*$", r"(.*a){20}$", r"(a?){30}a{30}$"]
)
def test_no_pattern_takes_exponential_time(pattern: str) -> None:
    """Python's `re` would take years; here the work grows with the length of the tag."""
    budget = MatchBudget(200_000)

    assert match_tags(pattern, ["a" * 29 + "!"], budget) == []
    assert budget.left > 0


def test_the_work_of_patterns_is_limited() -> None:
    """The patterns of a layout share one limit."""
    with pytest.raises(BadPattern):
        match_tags("(a|b)*$", ["ab" * 50] * 100, MatchBudget(1_000))
