"""Edits of what people added to runs, as pure functions."""

from typing import Any

import pytest

from lightboard.annotations.annotations import Annotations, add_slots, apply_edit
from lightboard.errors import BadRequest

NOW = 1000.0


def after(*edits: dict[str, Any]) -> Annotations:
    content = Annotations()
    for edit in edits:
        content = apply_edit(content, edit, NOW)
    return content


def test_fields_are_put_over_what_is_there() -> None:
    """The last word counts for each field by itself."""
    content = after(
        {"runs": {"a": {"display_name": "A", "hidden": True, "color": 0}}},
        {"runs": {"a": {"display_name": "B", "note": "*n*", "tags": ["x"]}, "b": {"archived": True}}},
    )

    assert content == Annotations(
        revision=2,
        runs={
            "a": {"display_name": "B", "hidden": True, "color": 0, "note": "*n*", "tags": ["x"]},
            "b": {"archived": True},
        },
    )


@pytest.mark.parametrize(
    ("field", "value", "nothing"),
    [("note", "n", None), ("note", "n", ""), ("hidden", True, False), ("tags", ["x"], []), ("color", 0, None)],
)
def test_a_field_that_says_nothing_is_removed(field: str, value: object, nothing: object) -> None:
    """And an entry without fields with it."""
    assert after({"runs": {"a": {field: value}}}, {"runs": {"a": {field: nothing}}}) == Annotations(revision=2)


def test_null_removes_an_entry() -> None:
    """Of a run or of a view."""
    content = after(
        {"runs": {"a": {"note": "n"}}, "views": {"v": {"address": "timeseries?x"}}},
        {"runs": {"a": None}, "views": {"v": None}},
    )

    assert content == Annotations(revision=2)


def test_an_edit_that_changes_nothing_is_no_revision() -> None:
    """So nothing is written and nobody told."""
    content = after({"runs": {"a": {"note": "n"}}})

    assert apply_edit(content, {"runs": {"a": {"note": "n"}, "b": None}}, NOW) is content


def test_a_view_is_saved_now_unless_it_says_when() -> None:
    """An undone removal brings back its own time."""
    content = after({"views": {"new": {"address": "x"}, "back": {"address": "y", "saved": 5.0, "note": "n"}}})

    assert content.views == {
        "new": {"saved": NOW, "address": "x"},
        "back": {"saved": 5.0, "address": "y", "note": "n"},
    }


def test_a_view_can_be_renamed_in_one_edit() -> None:
    """Away under one name, there under the other."""
    content = after(
        {"views": {"old": {"address": "x", "saved": 1.0}}},
        {"views": {"old": None, "new": {"address": "x", "saved": 1.0}}},
    )

    assert content.views == {"new": {"saved": 1.0, "address": "x"}}


@pytest.mark.parametrize(
    ("edit", "named"),
    [
        ({"runs": {"a": {"display_name": "x" * 501}}}, "runs.'a'.display_name"),
        ({"runs": {"a": {"note": "я" * 50_001}}}, "runs.'a'.note"),
        ({"runs": {"a": {"note": "\ud800"}}}, "runs.'a'.note"),
        ({"runs": {"a": {"color": 10}}}, "runs.'a'.color"),
        ({"runs": {"a": {"color": "red"}}}, "runs.'a'.color"),
        ({"runs": {"a": {"tags": [""]}}}, "runs.'a'.tags"),
        ({"runs": {"": {"note": "x"}}}, "a name in runs"),
        ({"views": {"v" * 501: {"address": "x"}}}, "a name in views"),
        ({"views": {"v": {"address": "x" * 16_001}}}, "views.'v'.address"),
        ({"views": {"v": {"note": "x"}}}, "the view 'v' has no address"),
        ({"views": {str(number): {"address": "x"} for number in range(1001)}}, "more than 1,000 saved views"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(edit: dict[str, Any], named: str) -> None:
    """And nothing of the edit is kept."""
    with pytest.raises(BadRequest) as refused:
        after(edit)

    assert refused.value.message.startswith(named)


def test_known_slots_stay() -> None:
    """Only new runs get one."""
    content = Annotations(slots={"a": 0, "b": 4})

    assert add_slots(content, {"a": 9, "b": 4, "c": 5}).slots == {"a": 0, "b": 4, "c": 5}
    assert add_slots(content, {"b": 1}) is content


def test_a_slot_that_another_board_gave_is_not_given_twice() -> None:
    """Two boards over one logdir saw different runs first."""
    content = Annotations(slots={"a": 0, "b": 1})

    assert add_slots(content, {"a": 0, "c": 1, "d": 2}).slots == {"a": 0, "b": 1, "c": 3, "d": 2}
