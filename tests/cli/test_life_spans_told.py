"""When a TensorBoard ends, as the command line tells it."""

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
def test_the_end_of_a_life_span_is_never_hidden(expires_at: float | None, idle_at: float | None, told: str) -> None:
    """Not by an idle stop that comes before it."""
    assert ends({"expires_at": expires_at, "idle_at": idle_at}) == told


@pytest.mark.parametrize(
    ("span", "expires_at", "told"),
    [(86_400.0, END, f"until {time_text(END)}"), (93_600.0, None, "for 1d 2h"), (0.0, None, "without end")],
)
def test_another_life_span_is_told_with_its_end(span: float, expires_at: float | None, told: str) -> None:
    """Or its length, where nobody knows the end; in the history with who gave it."""
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


def test_other_steps_are_told_as_before() -> None:
    """Also those of an older hub."""
    step = {"at": END, "status": "Running", "reason": "Ready", "message": "", "actor": ""}

    assert step_text(step) == f"{time_text(END)} Running Ready"
