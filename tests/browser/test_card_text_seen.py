"""What is written on a card: its name, its summary, its values."""

import pathlib

import logs
import numpy as np
from cards import card, hover
from playwright.sync_api import expect
from served import Serving
from visitor import Visitor

WALLS = logs.START + np.arange(50.0)


def test_a_count_is_told_in_full(visitor: Visitor, serving: Serving, tmp_path: pathlib.Path) -> None:
    """Tokens seen are not rounded to six digits."""
    counts = np.full(50, 1_234_567.0)
    logs.write_run(tmp_path / "run", {"tokens": logs.scalars("tokens", range(50), WALLS, counts)})
    page = visitor.open(serving(tmp_path), "&smoothing=0")
    hover(page, card(page, "tokens"), 0.5)

    expect(page.get_by_test_id("tip").locator("tbody tr")).to_contain_text("1234567")


def test_values_far_from_zero_are_told_apart(visitor: Visitor, serving: Serving, tmp_path: pathlib.Path) -> None:
    """A tip says as many digits as the axis shows."""
    values = np.where(np.arange(50) < 25, 1_000_000.25, 1_000_000.75)
    logs.write_run(tmp_path / "run", {"energy": logs.scalars("energy", range(50), WALLS, values)})
    page = visitor.open(serving(tmp_path), "&smoothing=0")
    said = page.get_by_test_id("tip").locator("tbody tr")
    hover(page, card(page, "energy"), 0.3)
    expect(said).to_contain_text("1000000.25")
    hover(page, card(page, "energy"), 0.8)

    expect(said).to_contain_text("1000000.75")
