"""Interaction with chart cards: find, hover, drag, read the tooltip."""

import json
import urllib.parse
import urllib.request
from typing import Any

from playwright.sync_api import Frame, Locator, Page, expect

from support.board_process import BoardProcess
from support.settled_pages import settle


def find_card(page: Page | Frame, tag: str) -> Locator:
    """The card of a tag, once it is drawn."""
    found = page.locator(f'[data-testid=card][data-tag="{tag}"]')
    expect(found).to_have_attribute("data-state", "ready")
    return found


def data_number(card: Locator, name: str) -> float:
    """A data attribute of a card as a number."""
    text = card.get_attribute(f"data-{name}")
    assert text is not None
    return float(text)


def plot_box(card: Locator) -> dict[str, float]:
    """The position of the chart's canvas."""
    box = card.locator("canvas").first.bounding_box()
    assert box is not None
    return {**box}


def hover(page: Page, card: Locator, across: float, down: float = 0.5) -> None:
    """Move the pointer to a fraction of the chart's width and height."""
    box = plot_box(card)
    page.mouse.move(box["x"] + box["width"] * across, box["y"] + box["height"] * down)
    settle(page)


def tooltip_rows(page: Page) -> list[dict[str, str]]:
    """The data attributes of each tooltip row."""
    tip = page.get_by_test_id("tip")
    expect(tip.locator("tbody tr").first).to_be_visible()
    rows: list[dict[str, str]] = tip.locator("tbody tr").evaluate_all("rows => rows.map((row) => ({...row.dataset}))")
    return rows


def hover_step(page: Page, card: Locator, step: int, down: float = 0.5) -> dict[str, str]:
    """Move along the chart until the tooltip shows a step; return the row nearest to the pointer."""
    low, high = 0.0, 1.0
    for _ in range(24):
        middle = (low + high) / 2
        hover(page, card, middle, down)
        row = tooltip_rows(page)[0]
        at = int(row["step"])
        if at == step:
            return row
        low, high = (middle, high) if at < step else (low, middle)
    raise AssertionError(f"no place on the chart shows step {step}")


def drag(page: Page, card: Locator, begin: float, end: float, down: float = 0.5) -> None:
    """Drag horizontally to select a range of x."""
    box = plot_box(card)
    y = box["y"] + box["height"] * down
    page.mouse.move(box["x"] + box["width"] * begin, y)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * (begin + end) / 2, y, steps=3)
    page.mouse.move(box["x"] + box["width"] * end, y, steps=3)
    page.mouse.up()
    settle(page)


def fetch_series(board: BoardProcess, run: str, tag: str) -> list[list[float]]:
    """[wall time, step, value] of every point, from the API."""
    query = urllib.parse.urlencode({"run": run, "tag": tag})
    with urllib.request.urlopen(f"{board.url}api/v1/scalars/series?{query}") as answer:
        points: list[list[Any]] = json.load(answer)["points"]
    return [[float(wall), step, float(value)] for wall, step, value in points]
