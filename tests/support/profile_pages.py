"""The profile page over captures of the corpus, opened and settled."""

import pathlib
import shutil

from playwright.sync_api import Page, expect

from lightboard.testing.event_files import scalar_record, version_record, write_events
from support.board_process import BoardProcess
from support.page_driver import PageDriver
from support.profiles import PROFILES
from support.settled_pages import settle

WIDTHS = [1440, 1024, 390]
JAX = "jax/2026_11_27_10_00_00"
KERAS = "keras/train/2026_11_27_10_00_00"
EVENTS = "events.out.tfevents.1"


def write_profile_runs(folder: pathlib.Path) -> None:
    """The captures of the corpus, in runs."""
    shutil.copytree(PROFILES, folder)
    for run in ("torch", "torch_ranks", "jax", "keras/train", "tensorflow"):
        write_events(folder / run / EVENTS, [version_record(), scalar_record("loss", 0, 1.0)])


def open_profile(driver: PageDriver, board: BoardProcess, fields: str, query: str = "", **more: object) -> Page:
    """The page, once it shows the capture."""
    page = driver.open(board, f"&profile={fields}{query}#profile", **more)  # type: ignore[arg-type]
    expect(page.locator("[data-testid=profile][data-state=ready]")).to_be_visible()
    settle(page)
    return page


def open_time_line(driver: PageDriver, board: BoardProcess, capture: str, **more: object) -> Page:
    """The page with the time line, once it is drawn."""
    page = open_profile(driver, board, f"capture={capture};view=timeline", **more)  # type: ignore[arg-type]
    expect(page.locator("[data-testid=time-line][data-state=ready]")).to_be_visible()
    settle(page)
    return page


def shown_range(page: Page) -> str:
    """What the time line shows."""
    settle(page)
    return page.get_by_test_id("time-range").inner_text()


def drag(page: Page, begin: tuple[float, float], end: tuple[float, float]) -> None:
    """With the main button, from one place of the time line to another."""
    box = page.get_by_test_id("time-line").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + begin[0], box["y"] + begin[1])
    page.mouse.down()
    page.mouse.move(box["x"] + end[0], box["y"] + end[1], steps=4)
    page.mouse.up()
