"""Error states of the board (check 38)."""

import pathlib
import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pytest
from playwright.sync_api import expect

from support import scalar_logs
from support.board_process import BoardProcess, BoardStarter
from support.chart_cards import find_card
from support.file_descriptors import descriptors_used_up
from support.page_driver import PageDriver


def one_run(folder: pathlib.Path) -> None:
    records = scalar_logs.scalars(
        "loss", range(100), scalar_logs.START + np.arange(100.0), scalar_logs.decay(0, 0, 100)
    )
    scalar_logs.write_run(folder, {"loss": records})


def test_empty_folders_suggest_others(driver: PageDriver, start_board: BoardStarter, tmp_path: pathlib.Path) -> None:
    """F8: where it looked, how many files it saw, which folder nearby has events."""
    empty = tmp_path / "empty"
    empty.mkdir()
    (empty / "notes.txt").write_text("nothing here")
    one_run(tmp_path / "filled" / "run_a")
    board = start_board(empty)
    page = driver.open(board)
    main = page.get_by_role("main")

    expect(main).to_contain_text(str(empty))
    expect(main).to_contain_text("1 file")
    expect(main).to_contain_text("filled")


def test_charts_appear_once_files_exist(driver: PageDriver, start_board: BoardStarter, tmp_path: pathlib.Path) -> None:
    """When the first event file appears, so does its chart."""
    folder = tmp_path / "later"
    folder.mkdir()
    board = start_board(folder)
    page = driver.open(board)
    expect(page.get_by_role("main")).to_contain_text(str(folder))

    one_run(folder / "run_a")

    find_card(page, "loss")


@dataclass(frozen=True)
class Torn:
    """A board over a damaged file, and where the damage is."""

    board: BoardProcess
    name: str
    offset: int


@pytest.fixture(scope="module")
def torn(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Torn]:
    """F9."""
    folder = tmp_path_factory.mktemp("f9")
    name, offset = scalar_logs.damaged(folder)
    with BoardProcess(folder) as board:
        yield Torn(board, name, offset)


def test_damage_is_shown_with_file_and_offset(driver: PageDriver, torn: Torn) -> None:
    """F9: and the number of skipped bytes."""
    page = driver.open(torn.board)
    row = page.locator('[data-testid=run-row][data-run="torn"]')
    row.get_by_role("button", name="damage").click()

    detail = page.get_by_role("dialog")
    expect(detail).to_contain_text(torn.name)
    expect(detail).to_contain_text(re.compile(rf"byte {torn.offset // 1000}\s{torn.offset % 1000:03d}\b"))


def test_valid_records_around_damage_are_shown(driver: PageDriver, torn: Torn) -> None:
    """F9: 99 of 100 points."""
    page = driver.open(torn.board)

    expect(find_card(page, "loss")).to_have_attribute("data-held", "199")


def test_the_page_survives_a_killed_server(
    driver: PageDriver, start_board: BoardStarter, tmp_path: pathlib.Path
) -> None:
    """Charts stay, a banner appears, and it reconnects."""
    one_run(tmp_path / "run_a")
    board = start_board(tmp_path)
    page = driver.open(board)
    port = board.port
    driver.expect_error("net::ERR_")  # of every refused connection, until the page is closed
    board.kill()

    expect(page.get_by_test_id("lost")).to_be_visible()
    assert find_card(page, "loss").get_attribute("data-held") == "100"

    start_board(tmp_path, port=port)
    expect(page.get_by_test_id("lost")).to_be_hidden(timeout=60_000)


def test_polling_is_reported(driver: PageDriver, start_board: BoardStarter, tmp_path: pathlib.Path) -> None:
    """With interval and reason."""
    one_run(tmp_path / "run_a")
    (tmp_path / "run_b").symlink_to(tmp_path / "run_a")
    board = start_board(tmp_path)
    page = driver.open(board)
    expect(page.get_by_test_id("live")).not_to_have_attribute("title", re.compile("checked every"))

    (tmp_path / "run_a" / "tfevents.link").symlink_to(next((tmp_path / "run_a").glob("*tfevents*")))
    expect(page.get_by_test_id("live")).to_have_attribute("title", re.compile("checked every 5 s: "))
    page.get_by_test_id("menu").click()
    expect(page.get_by_role("menu")).to_contain_text("Log files are checked every 5 s: an event file is a link")


def test_skipped_links_are_counted(driver: PageDriver, start_board: BoardStarter, tmp_path: pathlib.Path) -> None:
    """Below the runs, or on the page of a folder without any."""
    one_run(tmp_path / "logs" / "run_a")
    (tmp_path / "empty").mkdir()
    for name in ("logs/x", "logs/y", "empty/x"):
        (tmp_path / name).symlink_to(tmp_path)
    page = driver.open(start_board(tmp_path / "logs", "--follow_links=false"))
    expect(page.get_by_test_id("skipped-links")).to_have_text("Skipped 2 links that point outside the logs")

    page = driver.open(start_board(tmp_path / "empty", "--follow_links=false"))
    expect(page.get_by_role("main")).to_contain_text("Skipped 1 link that points outside the logs")


def test_unreadable_files_are_listed_with_reasons(
    driver: PageDriver, start_board: BoardStarter, tmp_path: pathlib.Path
) -> None:
    """The open list updates."""
    one_run(tmp_path / "run_a")
    places = [tmp_path / name / "events.out.tfevents.1" for name in ("run_b", "run_c")]
    for place in places:
        place.parent.mkdir()
        place.symlink_to(place.name)  # leads to itself
    page = driver.open(start_board(tmp_path))
    mark = page.get_by_test_id("unreadable")
    expect(mark).to_have_text("2 paths could not be read")
    mark.click()
    items = page.get_by_role("dialog").get_by_role("listitem")
    expect(items).to_have_text([f"{place}Too many levels of symbolic links" for place in places])

    places[0].unlink()
    expect(items).to_have_text([f"{places[1]}Too many levels of symbolic links"])


def test_exhausted_descriptors_are_listed(
    driver: PageDriver, start_board: BoardStarter, tmp_path: pathlib.Path
) -> None:
    """With a remedy, while it lasts."""
    scalar_logs.odd_values(tmp_path)
    board = start_board(tmp_path)
    driver.expected_error = "Failed to load resource"
    page = driver.open(board)
    with descriptors_used_up(board):
        (tmp_path / "later").mkdir()
        page.get_by_test_id("unreadable").click()

        expect(page.get_by_test_id("lack")).to_contain_text("descriptors of this process are in use")
