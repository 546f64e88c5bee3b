"""Job Analysis: the list of TensorBoards (check 40)."""

import pathlib
import sqlite3

import pytest
from hub_visitor import MOVED_MS, HubVisitor, has_status, row
from playwright.sync_api import Route, expect

ORIGINS = {"ui": "Page", "sdk": "SDK", "cli": "Command line", "notebook": "Notebook", "job": "Job"}


def test_boards_of_every_origin_are_in_one_list(guest: HubVisitor) -> None:
    """Whoever or whatever made them."""
    person = guest.person()
    for origin in ORIGINS:
        person.board(f"by-{origin}", origin=origin)

    page = person.look()

    for origin, word in ORIGINS.items():
        expect(row(page, f"by-{origin}")).to_contain_text(word)
    expect(page.get_by_test_id("limit")).to_have_text("5 of 5 in use")


@pytest.mark.parametrize("width", [1440, 390])
def test_link_status_and_creation_time_are_in_sight(guest: HubVisitor, width: int) -> None:
    """Without opening the row, on a phone too; the link opens the board."""
    person = guest.person()
    board = person.board("sweep")

    page = person.look(width=width)

    line = row(page, "sweep")
    has_status(line, "Running")
    expect(line.get_by_test_id("status")).to_be_in_viewport()
    expect(line.locator("time").first).to_be_in_viewport()
    expect(line.get_by_test_id("open")).to_be_in_viewport()
    with page.context.expect_page() as opened:
        line.get_by_test_id("open").click()
    expect(opened.value.locator("[data-testid=card][data-state=ready]").first).to_be_visible()
    assert opened.value.url.startswith(f"{guest.hub.url}/tb/{board['id']}/")


def test_rows_to_come_are_drawn_while_the_list_is_on_its_way(guest: HubVisitor) -> None:
    """Four of them below the heads, in sight."""
    page = guest.person().look()
    held: list[Route] = []
    page.route("**/api/v1/tensorboards?*", lambda route: held.append(route))

    page.reload()

    board_list = page.get_by_test_id("list")
    expect(board_list).to_have_attribute("aria-busy", "true")
    box = board_list.bounding_box()
    assert box is not None
    assert box["height"] > 4 * 48
    for route in held:
        route.continue_()
    expect(page.get_by_role("heading", name="No TensorBoards yet")).to_be_visible()


def test_a_failed_one_says_why(guest: HubVisitor) -> None:
    """Reason and message in its row, and the way to its logs."""
    person = guest.person()
    person.failed("seg-3d")

    line = row(person.look(), "seg-3d")

    expect(line).to_contain_text("Creating failed")
    expect(line).to_contain_text("Log path not found")
    expect(line).to_contain_text("/nowhere/seg")
    expect(line.get_by_role("link", name="Logs of seg-3d")).to_be_visible()


def test_another_browser_sees_a_change_by_itself(guest: HubVisitor) -> None:
    """What is made, stopped and deleted elsewhere."""
    person = guest.person()
    page = person.look()
    expect(page.get_by_role("heading", name="No TensorBoards yet")).to_be_visible()

    board = person.board("elsewhere")
    has_status(row(page, "elsewhere"), "Running")
    person.ask("PUT", f"tensorboards/{board['id']}/stop")
    has_status(row(page, "elsewhere"), "Stopped")
    person.ask("DELETE", f"tensorboards/{board['id']}")
    expect(row(page, "elsewhere")).to_have_count(0)


def test_what_the_list_is_narrowed_to_is_in_the_address(guest: HubVisitor) -> None:
    """A link to it shows the same; one click shows all again."""
    person = guest.person()
    person.stopped("old-lm")
    person.board("new-lm")
    page = person.look()
    page.get_by_role("searchbox").fill("lm")
    page.get_by_role("combobox", name="Status").select_option("Stopped")
    expect(row(page, "new-lm")).to_have_count(0)
    expect(row(page, "old-lm")).to_be_visible()
    address = page.url.removeprefix(guest.hub.url)

    again = person.look(address.replace("test=1&lang=en&", ""))
    expect(row(again, "old-lm")).to_be_visible()
    expect(row(again, "new-lm")).to_have_count(0)
    again.get_by_role("searchbox").fill("nothing like it")
    again.get_by_role("button", name="Clear the filters").click()
    expect(row(again, "new-lm")).to_be_visible()


@pytest.mark.parametrize("kind", ["Jobs", "Notebooks"])
def test_what_comes_later_says_so(guest: HubVisitor, kind: str) -> None:
    """No empty table that looks like a fault."""
    page = guest.person().look()
    page.get_by_text(kind, exact=True).click()

    expect(page.get_by_role("heading", name=f"{kind} come later")).to_be_visible()


def test_a_thousand_rows_cost_what_a_screen_does(guest: HubVisitor) -> None:
    """Few rows exist at a time, and the last one can be reached."""
    person = guest.person()
    board = person.stopped("row-0000")
    copy_rows(guest.hub.home / "hub" / "hub.sqlite3", board["id"], 999)
    page = person.look()
    rows = page.get_by_test_id("instance-row")
    expect(rows.first).to_be_visible()
    assert rows.count() < 60

    last = page.locator("[data-testid=instance-row][aria-rowindex='1001']")  # the heads are row 1
    page.wait_for_function(
        """() => {
            const box = document.querySelector('[data-testid=list]');
            box.scrollTop = box.scrollHeight;
            return document.querySelector('[data-testid=instance-row][aria-rowindex="1001"]') !== null;
        }""",
        polling=100,
        timeout=2 * MOVED_MS,
    )

    expect(last).to_be_visible()
    assert rows.count() < 60


def copy_rows(database: pathlib.Path, id: str, count: int) -> None:
    """More boards like one that rests."""
    with sqlite3.connect(database, timeout=30) as connection:
        names = [line[1] for line in connection.execute("PRAGMA table_info(tensorboards)")]
        values = connection.execute("SELECT * FROM tensorboards WHERE id = ?", (id,)).fetchone()
        fields = dict(zip(names, values, strict=True))
        for number in range(1, count + 1):
            name = f"row-{number:04}"
            made = {**fields, "id": f"{id[:-4]}{number:04}", "name": name, "display_name": name}
            marks = ", ".join("?" * len(names))
            connection.execute(f"INSERT INTO tensorboards VALUES ({marks})", [made[each] for each in names])
    connection.close()


@pytest.mark.parametrize("width", [1440, 1024, 390])
def test_names_that_differ_at_their_end_read_differently(guest: HubVisitor, width: int) -> None:
    """Their middle gives way, not what tells them apart."""
    person = guest.person()
    names = [f"Sweep over data sets, models, learning rates and weight decays, week {week}" for week in (1, 2)]
    for name in names:
        person.stopped(name)

    page = person.look(width=width)

    assert row(page, names[0]).get_by_role("link", name=names[0]).screenshot() != (
        row(page, names[1]).get_by_role("link", name=names[1]).screenshot()
    )
