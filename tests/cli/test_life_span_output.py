"""When a TensorBoard ends, as shown by the CLI."""

from typing import Any

import pytest

from lightboard.cli.remote import time_text
from lightboard.cli.tensorboards import ends, life_text, step_text

END = 1_800_000_000.0


@pytest.mark.parametrize(
    ("expires_at", "idle_at", "told"),
    [
        (END, None, time_text(END)),
        (END, END + 1, time_text(END)),
        (END, 0.0, f"{time_text(END)}, idle in 0s"),
        (None, 0.0, "idle in 0s"),
        (None, None, "-"),
    ],
)
def test_the_life_span_end_is_always_shown(expires_at: float | None, idle_at: float | None, told: str) -> None:
    """Also after an earlier idle stop."""
    assert ends({"expires_at": expires_at, "idle_at": idle_at}) == told


@pytest.mark.parametrize(
    ("span", "expires_at", "told"),
    [(86_400.0, END, f"until {time_text(END)}"), (93_600.0, None, "for 1d 2h"), (0.0, None, "without end")],
)
def test_life_span_changes_are_shown(span: float, expires_at: float | None, told: str) -> None:
    """With new end or length, and actor in the history."""
    step: dict[str, Any] = {
        "at": END - 60,
        "status": "Running",
        "reason": "Extended",
        "message": "",
        "actor": "ann",
        "life_span_secs": span,
        "expires_at": expires_at,
    }

    assert (life_text(step), step_text(step)) == (told, f"{time_text(END - 60)} Running Extended {told} by ann")


def test_other_history_entries_are_shown() -> None:
    """Also those of older hubs."""
    step = {"at": END, "status": "Running", "reason": "Ready", "message": "", "actor": ""}

    assert step_text(step) == f"{time_text(END)} Running Ready"


def test_a_time_that_no_calendar_has_is_no_error() -> None:
    """Event files may say anything."""
    assert [time_text(secs) for secs in (1e308, float("inf"), float("nan"))] == ["-", "-", "-"]
