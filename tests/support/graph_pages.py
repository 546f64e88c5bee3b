"""The page of a graph, as tests of the browser see it: its boxes, where they are, and what colours they have."""

from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from support.board_process import LightboardProcess
from support.page_driver import PageDriver
from support.settled_pages import settle

TRANSFORMER = "&graphs=run=transformer"
COMPARED = "&graphs=run=deeper;base=base,__run_graph__,op"
"""A comparison of three layers with two: one layer is added."""
COLOURS = """(canvas) => { const { width, height } = canvas;
    const copy = Object.assign(document.createElement('canvas'), { width, height });
    const paper = copy.getContext('2d', { willReadFrequently: true });
    paper.drawImage(canvas, 0, 0);
    const { data } = paper.getImageData(0, 0, width, height);
    const found = {};
    for (let at = 0; at < data.length; at += 4) {
        if (data[at + 3] < 250) continue;
        const key = [data[at], data[at + 1], data[at + 2]].join();
        found[key] = (found[key] ?? 0) + 1;
    }
    return Object.entries(found).sort((a, b) => b[1] - a[1])[0][0]; }"""
"""The most frequent opaque colour of a canvas: what boxes are filled with."""
ALL_COLOURS = COLOURS[: COLOURS.index("return Object")] + "return Object.keys(found); }"
"""All opaque colours of a canvas."""


def opened(driver: PageDriver, board: LightboardProcess, query: str = TRANSFORMER, **more: object) -> Page:
    """The page, once the graph is drawn."""
    page = driver.open(board, f"{query}#graphs", **more)  # type: ignore[arg-type]
    expect(page.locator("[data-testid=graphs][data-state=ready]")).to_be_visible()
    settle(page)
    return page


def box(page: Page, path: str, side: str = "graph") -> Locator:
    """The item of a box in the outline: that of the graph, or that of the one that it is compared with ("base")."""
    return page.locator(f'[data-side={side}] [role=treeitem][data-path="{path}"]')


def boxes(page: Page) -> list[str]:
    """Paths of all boxes shown, in the order of the outline."""
    found: list[str] = page.get_by_role("treeitem").evaluate_all("(all) => all.map((each) => each.dataset.path)")
    return found


def place(page: Page, path: str) -> tuple[float, float]:
    """Where the name of a box is on the page."""
    (_, _, width, height), on_page = placed(page, path)
    return on_page(min(width / 2, 40) if height > 60 else width / 2 - 8, min(height / 2, 15))


def placed(page: Page, path: str) -> tuple[list[float], Callable[[float, float], tuple[float, float]]]:
    """The rectangle of a box in the picture, and where on the page is what is so far right of its corner and below."""
    settle(page)
    host = page.get_by_test_id("graph")
    x, y, scale = map(float, (host.get_attribute("data-camera") or "").split(","))
    rect = [float(part) for part in (box(page, path).get_attribute("data-rect") or "").split(",")]
    around = host.bounding_box()
    assert around is not None

    def on_page(across: float, down: float) -> tuple[float, float]:
        left, top = around["x"] + around["width"] / 2, around["y"] + around["height"] / 2
        return left + (rect[0] + across - x) * scale, top + (rect[1] + down - y) * scale

    return rect, on_page


def point_at_corner(page: Page, path: str, outside: float) -> None:
    """Move the pointer to the lower right corner of a box, and so far out of it."""
    (_, _, width, height), on_page = placed(page, path)
    page.mouse.move(*on_page(width + outside, height + outside))
    settle(page)


def is_fitted(page: Page, path: str) -> bool:
    """Whether all of a box is in view."""
    host = page.get_by_test_id("graph")
    x, y, scale = map(float, (host.get_attribute("data-camera") or "").split(","))
    left, top, width, height = map(float, (box(page, path).get_attribute("data-rect") or "").split(","))
    around = host.bounding_box()
    assert around is not None
    return (
        abs(left - x) * scale < around["width"] / 2
        and abs(left + width - x) * scale < around["width"] / 2
        and abs(top - y) * scale < around["height"] / 2
        and abs(top + height - y) * scale < around["height"] / 2
    )


def double_click(page: Page, path: str) -> None:
    """On the name of a box."""
    page.mouse.dblclick(*place(page, path))
    settle(page)
