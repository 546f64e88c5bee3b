"""Colour slots of runs."""

from lightboard.series.color_slots import ColorSlots


def test_slots_are_assigned_in_order() -> None:
    """Once per name."""
    slots = ColorSlots({})
    assert [slots.of(name) for name in ("b", "a", "b")] == [0, 1, 0]


def test_used_slots_are_skipped() -> None:
    """Even if their run no longer exists."""
    slots = ColorSlots({"x": 1, "y": 2, "z": 5})
    assert [slots.of(name) for name in ("a", "b", "c", "d", "y")] == [0, 3, 4, 6, 2]


def test_invalid_slots_are_dropped() -> None:
    """Of two names with one slot the first keeps it; negative slots do not exist."""
    slots = ColorSlots({"a": 0, "b": 0, "c": -1})
    assert slots.assigned() == {"a": 0}
    assert [slots.of(name) for name in ("b", "c")] == [1, 2]


def test_assigned_returns_a_copy() -> None:
    """Later assignments do not change it."""
    slots = ColorSlots({"a": 0})
    assigned = slots.assigned()
    slots.of("b")
    assert assigned == {"a": 0}
