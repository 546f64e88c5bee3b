"""Places in the order of colours."""

from lightboard.series.slots import Slots


def test_slots_are_given_in_the_order_of_asking() -> None:
    """Once for each name."""
    slots = Slots({})
    assert [slots.of(name) for name in ("b", "a", "b")] == [0, 1, 0]


def test_numbers_that_somebody_had_are_passed_over() -> None:
    """Whether or not that run is there."""
    slots = Slots({"x": 1, "y": 2, "z": 5})
    assert [slots.of(name) for name in ("a", "b", "c", "d", "y")] == [0, 3, 4, 6, 2]


def test_nonsense_is_not_kept() -> None:
    """A slot that two names claim belongs to the first; none is below zero."""
    slots = Slots({"a": 0, "b": 0, "c": -1})
    assert slots.given() == {"a": 0}
    assert [slots.of(name) for name in ("b", "c")] == [1, 2]


def test_what_is_told_is_a_copy() -> None:
    """It stays as it was."""
    slots = Slots({"a": 0})
    told = slots.given()
    slots.of("b")
    assert told == {"a": 0}
