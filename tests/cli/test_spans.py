"""Spans of time as people write them."""

import pytest

from lightboard.cli.spans import span_secs, span_text
from lightboard.errors import UsageError


@pytest.mark.parametrize(
    ("text", "secs"),
    [("1d", 86_400), ("1d2h3m4s", 93_784), ("90m", 5_400), ("0", 0), ("2H30M", 9_000), (" 5s ", 5)],
)
def test_a_span_is_read(text: str, secs: float) -> None:
    """As Neu.ro's life span."""
    assert span_secs(text) == secs


@pytest.mark.parametrize("text", ["", "1", "d", "1h1d", "1.5h", "-1h", "1w", "٣h"])
def test_what_is_no_span_is_refused(text: str) -> None:
    """Guessing a unit would stop somebody's board."""
    with pytest.raises(UsageError, match="no span of time"):
        span_secs(text)


@pytest.mark.parametrize(
    ("secs", "text"), [(None, "-"), (0, "0s"), (59.6, "1m"), (93_784, "1d 2h"), (3_600, "1h"), (-5, "0s")]
)
def test_a_span_is_said(secs: float | None, text: str) -> None:
    """By its two largest units."""
    assert span_text(secs) == text
