"""Names in URLs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lightboard.errors import Invalid
from lightboard.hub.resources.ids import new_id
from lightboard.hub.resources.names import LONGEST, RULE, check_name, name_from, numbered


@pytest.mark.parametrize("name", ["abc", "a-1", "run-42-b", "x" * 40])
def test_valid_names(name: str) -> None:
    """Are returned unchanged."""
    assert check_name(name) == name


@pytest.mark.parametrize(
    "name", ["", "ab", "x" * 41, "1ab", "-ab", "ab-", "a--b", "Abc", "a_b", "a b", "абв", "abc\n", "a.b", "ab/"]
)
def test_invalid_names(name: str) -> None:
    """Are refused with the rule."""
    with pytest.raises(Invalid) as raised:
        check_name(name)
    assert raised.value.hint == RULE


def test_ids_are_not_valid_names() -> None:
    """Otherwise a reference would be ambiguous."""
    with pytest.raises(Invalid):
        check_name(new_id("tb", 1.0))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("MNIST run #3", "mnist-run-3"),
        ("任务分析", "board"),
        ("42", "board-42"),
        ("  --x--  ", "board"),
        ("a" * 60, "a" * 40),
        ("a" * 39 + " b", "a" * 39),
        ("", "board"),
    ],
)
def test_names_are_derived_from_any_text(text: str, name: str) -> None:
    """The nearest there is."""
    assert name_from(text, "board") == name


@given(st.text(), st.integers(0, 12))
def test_derived_names_are_always_valid(text: str, others: int) -> None:
    """Also when numbered."""
    taken: set[str] = set()
    for _ in range(others):
        taken.add(numbered(name_from(text, "board"), taken))
    name = numbered(name_from(text, "board"), taken)

    assert check_name(name) not in taken
    assert len(name) <= LONGEST
