"""Knowing when something is wrong (check 38)."""

import pathlib
import re

import logs
import numpy as np
from cards import card
from playwright.sync_api import expect
from served import Serving
from visitor import Visitor


def one_run(folder: pathlib.Path) -> None:
    records = logs.scalars("loss", range(100), logs.START + np.arange(100.0), logs.decay(0, 0, 100))
    logs.write_run(folder, {"loss": records})


def test_an_empty_folder_names_itself_and_its_neighbour(
    visitor: Visitor, serving: Serving, tmp_path: pathlib.Path
) -> None:
    """F8: the page says where it looked, at how many files, and which folder nearby holds events."""
    empty = tmp_path / "empty"
    empty.mkdir()
    (empty / "notes.txt").write_text("nothing here")
    one_run(tmp_path / "filled" / "run_a")
    board = serving(empty)
    page = visitor.open(board, ready=False)
    main = page.get_by_role("main")

    expect(main).to_contain_text(str(empty))
    expect(main).to_contain_text("1 file")
    expect(main).to_contain_text("filled")


def test_an_empty_folder_turns_into_charts_by_itself(
    visitor: Visitor, serving: Serving, tmp_path: pathlib.Path
) -> None:
    """When the first event file appears, so does its chart."""
    folder = tmp_path / "later"
    folder.mkdir()
    board = serving(folder)
    page = visitor.open(board, ready=False)
    expect(page.get_by_role("main")).to_contain_text(str(folder))

    one_run(folder / "run_a")

    card(page, "loss")


def test_a_damaged_run_says_file_and_byte(visitor: Visitor, serving: Serving, tmp_path: pathlib.Path) -> None:
    """F9: the run bears a mark; opening it names the file, the byte and how much was skipped."""
    name, offset = logs.damaged(tmp_path)
    board = serving(tmp_path)
    page = visitor.open(board)
    row = page.locator('[data-testid=run-row][data-run="torn"]')
    row.get_by_role("button", name="damage").click()

    detail = page.get_by_role("dialog")
    expect(detail).to_contain_text(name)
    expect(detail).to_contain_text(re.compile(rf"byte {offset // 1000}\s{offset % 1000:03d}\b"))


def test_the_good_records_around_the_damage_are_shown(
    visitor: Visitor, serving: Serving, tmp_path: pathlib.Path
) -> None:
    """F9: 99 of the 100 points of the torn run are held, and all of the good one."""
    logs.damaged(tmp_path)
    board = serving(tmp_path)
    page = visitor.open(board)

    assert card(page, "loss").get_attribute("data-held") == "199"


def test_a_killed_server_leaves_the_charts_and_comes_back(
    visitor: Visitor, serving: Serving, tmp_path: pathlib.Path
) -> None:
    """The strip appears, what was loaded stays; when the server is back the page heals by itself."""
    one_run(tmp_path / "run_a")
    board = serving(tmp_path)
    page = visitor.open(board)
    port = board.port
    visitor.complaints_expected("net::ERR_")  # of every refused connection, until the page is closed
    board.kill()

    expect(page.get_by_test_id("lost")).to_be_visible()
    assert card(page, "loss").get_attribute("data-held") == "100"

    serving(tmp_path, port=port)
    expect(page.get_by_test_id("lost")).to_be_hidden(timeout=60_000)
