"""Job Analysis: the list of TensorBoards (check 40)."""

import contextlib
import pathlib
import re
import sqlite3
from collections.abc import Iterator

from playwright.sync_api import Route, expect

from support.hub_page_driver import HubPageDriver, board_row, expect_status
from support.settled_pages import TIMEOUT_MS, reload_unsettled, settle

OUTSIDE = """(row) => {
    const outer = row.getBoundingClientRect();
    const inside = ({ top, bottom }) => top >= outer.top + 4 && bottom <= outer.bottom - 4;
    return [...row.querySelectorAll("[role=cell]")]
        .filter((cell) => cell.checkVisibility() && !inside(cell.getBoundingClientRect()))
        .map((cell) => cell.innerText);
}"""
"""The visible cells of a row that come within four pixels of its edges."""
ORIGINS = {"ui": "Console", "sdk": "SDK", "cli": "Command line", "notebook": "Notebook", "job": "Job"}


def test_boards_of_every_origin_are_in_one_list(hub_driver: HubPageDriver) -> None:
    """Whoever or whatever made them."""
    person = hub_driver.create_user()
    for origin in ORIGINS:
        person.create_board(f"by-{origin}", origin=origin)

    page = person.open_page()

    for origin, word in ORIGINS.items():
        expect(board_row(page, f"by-{origin}")).to_contain_text(word)
    expect(page.get_by_test_id("limit")).to_have_text("5 of 5 in use")


def test_link_status_and_creation_time_are_visible(hub_driver: HubPageDriver) -> None:
    """On phones too."""
    person = hub_driver.create_user()
    board = person.create_board("sweep")
    page = person.open_page()
    line = board_row(page, "sweep")
    for width in (1440, 390):
        page.set_viewport_size({"width": width, "height": 900})
        settle(page)

        expect_status(line, "Running")
        expect(line.get_by_test_id("status")).to_be_in_viewport()
        expect(line.locator("time").first).to_be_in_viewport()
        expect(line.get_by_test_id("open")).to_be_in_viewport()
        with page.context.expect_page() as opened:
            line.get_by_test_id("open").click()
        expect(opened.value.locator("[data-testid=card][data-state=ready]").first).to_be_visible()
        assert opened.value.url.startswith(f"{hub_driver.hub.url}/tb/{board['id']}/")
        opened.value.close()


def test_loading_shows_placeholder_rows(hub_driver: HubPageDriver) -> None:
    """Four of them below the heads, in sight."""
    page = hub_driver.create_user().open_page()
    held: list[Route] = []
    page.route("**/api/v1/tensorboards?*", lambda route: held.append(route))

    reload_unsettled(page)

    board_list = page.get_by_test_id("list")
    expect(board_list).to_have_attribute("aria-busy", "true")
    box = board_list.bounding_box()
    assert box is not None
    assert box["height"] > 4 * 48
    for route in held:
        route.continue_()
    expect(page.get_by_role("heading", name="No TensorBoards yet")).to_be_visible()


def test_failed_boards_show_the_reason(hub_driver: HubPageDriver) -> None:
    """With a link to the logs."""
    person = hub_driver.create_user()
    person.create_failed_board("seg-3d")

    line = board_row(person.open_page(), "seg-3d")

    expect(line).to_contain_text("Creation failed")
    expect(line).to_contain_text("Log path not found")
    expect(line).to_contain_text("/nowhere/seg")
    expect(line.get_by_role("link", name="Logs of seg-3d")).to_be_visible()


def test_cells_stay_within_their_rows_on_phones(hub_driver: HubPageDriver) -> None:
    """Also a reason and a message; the owner has no room and is not shown."""
    person = hub_driver.create_user()
    person.create_board("sweep")
    person.create_failed_board("seg-3d")

    page = person.open_page(width=390)

    rows = [board_row(page, name) for name in ("sweep", "seg-3d")]
    for row in rows:
        expect(row.get_by_text(person.name)).to_be_hidden()
    assert [row.evaluate(OUTSIDE) for row in rows] == [[], []]


def test_changes_appear_in_other_browsers(hub_driver: HubPageDriver) -> None:
    """What is made, stopped and deleted elsewhere."""
    person = hub_driver.create_user()
    page = person.open_page()
    expect(page.get_by_role("heading", name="No TensorBoards yet")).to_be_visible()

    board = person.create_board("elsewhere")
    expect_status(board_row(page, "elsewhere"), "Running")
    person.request_json("PUT", f"tensorboards/{board['id']}/stop")
    expect_status(board_row(page, "elsewhere"), "Stopped")
    person.request_json("DELETE", f"tensorboards/{board['id']}")
    expect(board_row(page, "elsewhere")).to_have_count(0)


def test_filters_are_in_the_url(hub_driver: HubPageDriver) -> None:
    """One click resets them."""
    person = hub_driver.create_user()
    person.create_stopped_board("old-lm")
    person.create_board("new-lm")
    page = person.open_page()
    page.get_by_role("searchbox").fill("lm")
    page.get_by_role("combobox", name="Status").select_option("Stopped")
    expect(board_row(page, "new-lm")).to_have_count(0)
    expect(board_row(page, "old-lm")).to_be_visible()
    expect(page).to_have_url(re.compile("status=stopped&search=lm$"))
    address = page.url.removeprefix(hub_driver.hub.url)

    again = person.open_page(address.replace("test=1&lang=en&", ""))
    expect(board_row(again, "old-lm")).to_be_visible()
    expect(board_row(again, "new-lm")).to_have_count(0)
    again.get_by_role("searchbox").fill("nothing like it")
    again.get_by_role("button", name="Clear filters").click()
    expect(board_row(again, "new-lm")).to_be_visible()


def test_long_lists_are_virtualized(hub_driver: HubPageDriver) -> None:
    """Few rows exist at a time, and the last one can be reached."""
    person = hub_driver.create_user()
    board = person.create_stopped_board("row-0000")
    with copied_rows(hub_driver.hub.home / "hub" / "hub.sqlite3", board["id"], 999):
        page = person.open_page()
        rows = page.get_by_test_id("instance-row")
        assert 0 < rows.count() < 60

        last = page.locator("[data-testid=instance-row][aria-rowindex='1001']")  # the heads are row 1
        page.wait_for_function(
            """() => {
                const box = document.querySelector('[data-testid=list]');
                box.scrollTop = box.scrollHeight;
                return document.querySelector('[data-testid=instance-row][aria-rowindex="1001"]') !== null;
            }""",
            polling=100,
            timeout=2 * TIMEOUT_MS,
        )

        expect(last).to_be_visible()
        settle(page)
        assert rows.count() < 60


@contextlib.contextmanager
def copied_rows(database: pathlib.Path, id: str, count: int) -> Iterator[None]:
    """More boards like one that rests, until the end."""
    with sqlite3.connect(database, timeout=30) as connection:
        names = [line[1] for line in connection.execute("PRAGMA table_info(tensorboards)")]
        values = connection.execute("SELECT * FROM tensorboards WHERE id = ?", (id,)).fetchone()
        fields = dict(zip(names, values, strict=True))
        for number in range(1, count + 1):
            name = f"row-{number:04}"
            made = {**fields, "id": f"{id[:-4]}{number:04}", "name": name, "display_name": name}
            marks = ", ".join("?" * len(names))
            connection.execute(f"INSERT INTO tensorboards VALUES ({marks})", [made[each] for each in names])
    try:
        yield
    finally:
        with connection:
            connection.execute("DELETE FROM tensorboards WHERE name LIKE 'row-%' AND id <> ?", (id,))
        connection.close()


def test_long_names_are_truncated_in_the_middle(hub_driver: HubPageDriver) -> None:
    """Their middle gives way, not what tells them apart."""
    person = hub_driver.create_user()
    names = [f"Sweep over data sets, models, learning rates and weight decays, week {week}" for week in (1, 2)]
    for name in names:
        person.create_stopped_board(name)
    page = person.open_page()

    differ = {}
    for width in (1440, 1024, 390):
        page.set_viewport_size({"width": width, "height": 900})
        settle(page)
        first, second = (board_row(page, name).get_by_role("link", name=name).screenshot() for name in names)
        differ[width] = first != second

    assert differ == {1440: True, 1024: True, 390: True}
