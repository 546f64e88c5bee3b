"""Knowing when something is wrong (check 38)."""

import pathlib
import re

import logs
import numpy as np
from cards import card
from playwright.sync_api import expect
from served import Serving
from visitor import Visitor

from descriptors import used_up


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


def test_files_that_are_polled_are_said_to_be(visitor: Visitor, serving: Serving, tmp_path: pathlib.Path) -> None:
    """Below the menu and in the tip of the pill: how often files are checked, and why they are not watched."""
    one_run(tmp_path / "run_a")
    (tmp_path / "run_b").symlink_to(tmp_path / "run_a")
    board = serving(tmp_path)
    page = visitor.open(board)
    expect(page.get_by_test_id("live")).not_to_have_attribute("title", re.compile("checked every"))

    (tmp_path / "run_a" / "tfevents.link").symlink_to(next((tmp_path / "run_a").glob("*tfevents*")))
    expect(page.get_by_test_id("live")).to_have_attribute("title", re.compile("checked every 5 s: "))
    page.get_by_test_id("menu").click()
    expect(page.get_by_role("menu")).to_contain_text("Log files are checked every 5 s: an event file is a link")


def test_links_that_are_not_followed_are_counted(visitor: Visitor, serving: Serving, tmp_path: pathlib.Path) -> None:
    """Below the runs, or on the page of a folder without any."""
    one_run(tmp_path / "logs" / "run_a")
    (tmp_path / "empty").mkdir()
    for name in ("logs/x", "logs/y", "empty/x"):
        (tmp_path / name).symlink_to(tmp_path)
    page = visitor.open(serving(tmp_path / "logs", "--follow_links=false"))
    expect(page.get_by_test_id("skipped-links")).to_have_text("Skipped 2 links that lead outside")

    page = visitor.open(serving(tmp_path / "empty", "--follow_links=false"), ready=False)
    expect(page.get_by_role("main")).to_contain_text("Skipped 1 link that leads outside")


def test_what_could_not_be_read_is_named_with_the_reason(
    visitor: Visitor, serving: Serving, tmp_path: pathlib.Path
) -> None:
    """While the list is open as well: what is healed leaves it, and the reason of what is not stays."""
    one_run(tmp_path / "run_a")
    places = [tmp_path / name / "events.out.tfevents.1" for name in ("run_b", "run_c")]
    for place in places:
        place.parent.mkdir()
        place.symlink_to(place.name)  # leads to itself
    page = visitor.open(serving(tmp_path))
    mark = page.get_by_test_id("unreadable")
    expect(mark).to_have_text("2 paths could not be read")
    mark.click()
    items = page.get_by_role("dialog").get_by_role("listitem")
    expect(items).to_have_text([f"{place}Too many levels of symbolic links" for place in places])

    places[0].unlink()
    expect(items).to_have_text([f"{places[1]}Too many levels of symbolic links"], timeout=30_000)


def test_a_server_without_descriptors_says_so_beside_what_it_cannot_read(
    visitor: Visitor, serving: Serving, tmp_path: pathlib.Path
) -> None:
    """With what helps, as long as that lasts."""
    logs.odd_values(tmp_path)
    board = serving(tmp_path)
    visitor.expected = "Failed to load resource"
    page = visitor.open(board)
    with used_up(board):
        (tmp_path / "later").mkdir()
        page.get_by_test_id("unreadable").click()

        expect(page.get_by_test_id("lack")).to_contain_text("descriptors of this process are in use")
