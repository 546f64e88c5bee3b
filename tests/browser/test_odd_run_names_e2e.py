"""Odd run names on the page of every kind (check 30)."""

import pathlib
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from support.board_process import BoardProcess, BoardStarter
from support.page_driver import PageDriver
from support.settled_pages import follow_fragment, settle

RUN = pathlib.Path(__file__).parents[1] / "data" / "logs" / "torch_kinds" / "a"
NAMES = ("обучение/第一次", "ניסוי 7", "🚀 launch & 100% <b>", "x" * 200)
COMPLETE = ("--reload_task", "blocking")
"""A board answers once it has read everything."""


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardProcess]:
    """One run of everything that torch's writer writes, under four names."""
    folder = tmp_path_factory.mktemp("odd") / "runs"
    for name in NAMES:
        shutil.copytree(RUN, folder / name)
    with BoardProcess(folder, *COMPLETE) as board:
        yield board


def test_names_are_whole(driver: PageDriver, odd: BoardProcess) -> None:
    """On the page of each kind each name stands as it is, kept apart from the direction of what is around it."""
    page = driver.open(odd)

    for kind in ("images", "audio", "text", "histograms", "pr_curves", "mesh"):
        follow_fragment(page, kind)
        for name in NAMES:
            expect(page.locator("main bdi").get_by_text(name, exact=True).first, kind).to_be_attached()


def test_a_name_without_room_has_one_ellipsis(
    driver: PageDriver, tmp_path: pathlib.Path, start_board: BoardStarter
) -> None:
    """Its end is whole as long as anything of its beginning is there, in the list of runs."""
    for name in ("momentum/lr-0.85-diverges", "restarts/killed-at-260", "a-very-long-name-of-a-sweep/seed-with-a-name"):
        shutil.copytree(RUN, tmp_path / "runs" / name)
    page = driver.open(start_board(tmp_path / "runs", *COMPLETE), width=1024)
    expect(page.locator("[role=row] bdi:has(> span + span > bdi)").first).to_be_visible()
    settle(page)

    cut_twice = page.locator("bdi:has(> span + span > bdi)").evaluate_all(
        """names => names.filter((name) => {
            const [begin, end] = name.children, width = (part) => part.getBoundingClientRect().width;
            return width(begin) > 0 && width(end.firstElementChild) - width(end) > 0.01;
        }).map((name) => name.textContent)"""
    )

    assert cut_twice == []


def test_names_that_begin_alike_are_told_apart_under_small_images(
    driver: PageDriver, tmp_path: pathlib.Path, start_board: BoardStarter
) -> None:
    """Where a few letters have room these are the last ones."""
    for name in ("sweep-of-rates/lr-0.01", "sweep-of-rates/lr-0.05", "decay/wd-1"):
        shutil.copytree(RUN, tmp_path / "runs" / name)
    page = driver.open(start_board(tmp_path / "runs", *COMPLETE), width=1024)
    names = page.locator("main span[title^='sweep-of-rates/'] > bdi")
    expect(names.first).to_be_visible()
    settle(page)

    over: list[float] = names.evaluate_all(
        """names => names.map((name) =>
            name.lastElementChild.getBoundingClientRect().right - name.getBoundingClientRect().right)"""
    )
    assert len(over) >= 2
    assert max(over) <= 1
