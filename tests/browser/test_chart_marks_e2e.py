"""Non-finite values and restarts in charts (check 14)."""

import pathlib
from collections.abc import Iterator

import pytest

from support import scalar_logs
from support.board_process import BoardProcess, BoardStarter, serve_logs
from support.chart_cards import find_card, hover_step
from support.page_driver import PageDriver


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardProcess]:
    """A run with NaN at step 30 and infinity at step 60."""
    yield from serve_logs(tmp_path_factory.mktemp("odd") / "runs", scalar_logs.odd_values)


def test_nonfinite_values_are_named(driver: PageDriver, odd: BoardProcess) -> None:
    """In the tooltip."""
    page = driver.open(odd, "&smoothing=0")
    loss = find_card(page, "loss")

    said = {step: hover_step(page, loss, step)["value"] for step in (30, 60)}

    assert said == {30: "NaN", 60: "Infinity"}


def test_no_line_is_drawn_through_a_nan(driver: PageDriver, odd: BoardProcess) -> None:
    """The line has a gap."""
    page = driver.open(odd, "&smoothing=0&zoom=29.2,30.8")
    loss = find_card(page, "loss")
    seen = loss.locator("canvas").first.evaluate(COLOURED_COLUMNS)

    middle = seen[len(seen) // 3 : 2 * len(seen) // 3]
    # The mark at the edge is coloured too; it is a few pixels wide, a line would colour every column.
    assert sum(middle) < len(middle) / 3


def test_a_restart_breaks_the_line(driver: PageDriver, start_board: BoardStarter, tmp_path: pathlib.Path) -> None:
    """Both values of a repeated step are drawn, unconnected."""
    scalar_logs.restarted(tmp_path)
    board = start_board(tmp_path)
    page = driver.open(board, "&smoothing=0")
    loss = find_card(page, "loss")

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
