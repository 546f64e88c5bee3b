"""Durations as users write them."""

import pytest

from lightboard.cli.spans import exact_span_text, span_secs, span_text
from lightboard.errors import UsageError


@pytest.mark.parametrize(
    ("text", "secs"),
    [("1d", 86_400), ("1d2h3m4s", 93_784), ("90m", 5_400), ("0", 0), ("2H30M", 9_000), (" 5s ", 5)],
)
def test_durations_are_parsed(text: str, secs: float) -> None:
    """Like Neu.ro's life spans."""
    assert span_secs(text) == secs


@pytest.mark.parametrize("text", ["", "1", "d", "1h1d", "1.5h", "-1h", "1w", "٣h"])
def test_invalid_durations_are_refused(text: str) -> None:
    """Guessing a unit could stop a board."""
    with pytest.raises(UsageError, match="not a duration"):
        span_secs(text)


@pytest.mark.parametrize(
    ("secs", "text"), [(None, "-"), (0, "0s"), (59.6, "1m"), (93_784, "1d 2h"), (3_600, "1h"), (-5, "0s")]
)
def test_durations_are_formatted(secs: float | None, text: str) -> None:
    """With their two largest units."""
    assert span_text(secs) == text


@pytest.mark.parametrize(
    ("secs", "text"), [(0, "0"), (59, "59s"), (93_784, "1d2h3m4s"), (86_400, "1d"), (864_060, "10d1m")]
)
def test_durations_are_formatted_exactly(secs: float, text: str) -> None:
    """As they are parsed."""
    assert (exact_span_text(secs), span_secs(text)) == (text, secs)
