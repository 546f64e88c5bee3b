"""Values that are no numbers, and restarts (check 14)."""

import pathlib

import logs
import pytest
from cards import card, hover_step
from served import Serving
from visitor import Visitor


@pytest.mark.parametrize(("step", "said"), [(30, "NaN"), (60, "Infinity")])
def test_a_value_that_is_no_number_is_said(
    visitor: Visitor, serving: Serving, tmp_path: pathlib.Path, step: int, said: str
) -> None:
    """The tip at the step says NaN or Infinity."""
    logs.odd_values(tmp_path)
    board = serving(tmp_path)
    page = visitor.open(board, "&smoothing=0")

    row = hover_step(page, card(page, "loss"), step)

    assert row["value"] == said


def test_no_line_is_drawn_through_a_nan(visitor: Visitor, serving: Serving, tmp_path: pathlib.Path) -> None:
    """Between the last finite point before it and the first after it the line's colour is nowhere to be seen."""
    logs.odd_values(tmp_path)
    board = serving(tmp_path)
    page = visitor.open(board, "&smoothing=0&zoom=29.2,30.8")
    loss = card(page, "loss")
    seen = loss.locator("canvas").first.evaluate(COLOURED_COLUMNS)

    middle = seen[len(seen) // 3 : 2 * len(seen) // 3]
    # The mark at the edge is coloured too; it is a few pixels wide, a line would colour every column.
    assert sum(middle) < len(middle) / 3


def test_a_restart_breaks_the_line(visitor: Visitor, serving: Serving, tmp_path: pathlib.Path) -> None:
    """A run that went back from 600 to 400 is drawn as two pieces: both values at 500 are there, none in between."""
    logs.restarted(tmp_path)
    board = serving(tmp_path)
    page = visitor.open(board, "&smoothing=0")
    loss = card(page, "loss")

    assert loss.get_attribute("data-restarts") == "1"


COLOURED_COLUMNS = """(canvas) => {
    const { data, width, height } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const columns = new Array(width).fill(false);
    for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) {
        const i = 4 * (y * width + x);
        const spread = Math.max(data[i], data[i + 1], data[i + 2]) - Math.min(data[i], data[i + 1], data[i + 2]);
        if (data[i + 3] > 128 && spread > 60) columns[x] = true;
    }
    return columns;
}"""
