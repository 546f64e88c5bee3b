"""Step, relative and wall time (check 13)."""

import pytest
from cards import card, hover, number, series, tip_rows
from served import Board
from visitor import Visitor


def test_the_step_axis_spans_the_steps(visitor: Visitor, sweep: Board) -> None:
    """By default x is the step, from the first to the last."""
    page = visitor.open(sweep)
    loss = card(page, "train/loss")

    assert (number(loss, "xmin"), number(loss, "xmax")) == (0, 9_990)


def test_the_relative_axis_starts_at_zero(visitor: Visitor, sweep: Board) -> None:
    """Relative is seconds since the first point of each run."""
    page = visitor.open(sweep)
    page.get_by_role("radio", name="Relative").click()
    page.wait_for_function("+document.querySelector('[data-testid=card]').dataset.xmax < 1000")
    loss = card(page, "train/loss")

    assert (number(loss, "xmin"), number(loss, "xmax")) == (0, pytest.approx(499.5))


def test_the_wall_axis_is_the_time_of_day(visitor: Visitor, sweep: Board) -> None:
    """Wall spans from the first event of the first run to the last of the last."""
    page = visitor.open(sweep)
    page.get_by_role("radio", name="Wall").click()
    page.wait_for_function("+document.querySelector('[data-testid=card]').dataset.xmax > 1e9")
    loss = card(page, "train/loss")
    first = series(sweep, "baseline", "train/loss")[0][0]
    last = series(sweep, "big/seed2", "train/loss")[-1][0]

    assert number(loss, "xmin") == pytest.approx(first, abs=1e-3)
    assert number(loss, "xmax") == pytest.approx(last, abs=1e-3)


def test_a_point_is_the_same_event_on_every_axis(visitor: Visitor, sweep: Board) -> None:
    """What the tip says of a point (run, step, value) is what is stored, whatever the axis."""
    page = visitor.open(sweep, "&smoothing=0&axis=wall")
    hover(page, card(page, "train/loss"), 0.5, 0.3)
    row = tip_rows(page)[0]

    stored = {int(step): value for _, step, value in series(sweep, row["run"], "train/loss")}

    assert float(row["value"]) == pytest.approx(stored[int(row["step"])], rel=1e-6)
