"""The text of numbers of things."""

from lightboard.counts import counted


def test_only_one_is_singular() -> None:
    """Whole numbers have no decimals, whatever their type."""
    numbers = (0, 0.5, 1, 1.0, 2, 1_500, 86_400.0, 12_345_678)
    assert [counted(number, "second") for number in numbers] == [
        "0 seconds", "0.5 seconds", "1 second", "1 second", "2 seconds", "1,500 seconds", "86,400 seconds",
        "12,345,678 seconds",
    ]  # fmt: skip
