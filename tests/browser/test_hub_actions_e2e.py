"""Stop, start, extend, share, edit, delete (check 42)."""

import re
from datetime import datetime

from playwright.sync_api import expect

from support.hub_page_driver import HubPageDriver, board_row, choose_from_menu, expect_status
from support.settled_pages import press


def test_statuses_update(hub_driver: HubPageDriver) -> None:
    """With the reason below."""
    person = hub_driver.create_user()
    person.create_board("lm")
    page = person.open_page()

    choose_from_menu(page, "lm", "Stop")
    expect_status(board_row(page, "lm"), "Stopped")
    expect(board_row(page, "lm")).to_contain_text("User request")
    board_row(page, "lm").get_by_test_id("start").click()

    expect_status(board_row(page, "lm"), "Running")


def test_a_double_click_acts_once(hub_driver: HubPageDriver) -> None:
    """One history entry for each."""
    person = hub_driver.create_user()
    board = person.create_stopped_board("twice")
    page = person.open_page()

    board_row(page, "twice").get_by_test_id("start").dblclick()
    expect_status(board_row(page, "twice"), "Running")

    history = person.request_json("GET", f"tensorboards/{board['id']}")["transitions"]
    assert [step["status"] for step in history].count("Pending") == 2


def test_refused_actions_are_reverted(hub_driver: HubPageDriver) -> None:
    """With a message."""
    person = hub_driver.create_user()
    board = person.create_board("shared")
    page = person.open_page()
    page.route(f"**/api/v1/tensorboards/{board['id']}/stop", lambda route: route.abort())
    hub_driver.expect_error("net::ERR_FAILED")

    choose_from_menu(page, "shared", "Stop")

    expect(page.get_by_test_id("toast")).to_contain_text("Failed: The server is not responding")
    expect_status(board_row(page, "shared"), "Running")


def test_deleting_asks_once_and_keeps_the_logs(hub_driver: HubPageDriver) -> None:
    """The dialog names the board and says so."""
    person = hub_driver.create_user()
    person.create_stopped_board("old")
    page = person.open_page()
    choose_from_menu(page, "old", "Delete…")
    dialog = page.get_by_role("dialog", name="Delete “old”?")
    expect(dialog).to_contain_text("its logs are kept")

    dialog.get_by_role("button", name="Delete").click()

    expect(page.get_by_role("heading", name="No TensorBoards yet")).to_be_visible()
    assert any(hub_driver.logs.rglob("events*"))


def test_enter_at_once_deletes_nothing(hub_driver: HubPageDriver) -> None:
    """The dialog opens at what changes nothing; Tab leads to what does."""
    person = hub_driver.create_user()
    board = person.create_stopped_board("kept")
    page = person.open_page()
    choose_from_menu(page, "kept", "Delete…")
    dialog = page.get_by_role("dialog", name="Delete “kept”?")
    expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    press(page, "Enter")
    expect(dialog).to_have_count(0)
    assert person.request_json("GET", f"tensorboards/{board['id']}")["status"] == "Stopped"

    choose_from_menu(page, "kept", "Delete…")
    expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    press(page, "Tab", "Enter")

    expect(page.get_by_role("heading", name="No TensorBoards yet")).to_be_visible()


def test_boards_can_be_extended(hub_driver: HubPageDriver) -> None:
    """The list shows the new end."""
    person = hub_driver.create_user()
    board = person.create_board("long")
    page = person.open_page()
    end = board_row(page, "long").locator("time[title^=in]")
    expect(end).to_have_attribute("title", re.compile(r"^in 23 h 5\d m$"))

    choose_from_menu(page, "long", "Extend", "by 3 d")

    expect(end).to_have_attribute("title", re.compile(r"^in 3 d 23 h$"))
    ends_at = person.request_json("GET", f"tensorboards/{board['id']}")["expires_at"]
    shown = datetime.fromisoformat(end.get_attribute("datetime") or "")
    assert abs(shown.timestamp() - ends_at) < 1


def test_share_links_can_be_created_and_revoked(hub_driver: HubPageDriver) -> None:
    """They need no account."""
    person = hub_driver.create_user()
    person.create_board("open-to-all", access="public_link")
    page = person.open_page()
    choose_from_menu(page, "open-to-all", "Share…")
    page.get_by_role("button", name="Create link").click()
    expect(page.get_by_test_id("once")).to_have_value(re.compile("^http"))
    link = page.get_by_test_id("once").input_value()

    stranger = hub_driver.browser.new_context()
    seen = stranger.new_page()
    seen.goto(link)
    expect(seen.locator("[data-testid=card][data-state=ready]").first).to_be_visible()
    page.get_by_test_id("share").get_by_role("button", name="Revoke").click()
    expect(page.get_by_test_id("share")).to_have_count(0)
    stranger.clear_cookies()
    answer = seen.goto(link)
    stranger.close()

    assert answer
    assert answer.status in (401, 403, 404)


def test_sources_can_be_edited_while_running(hub_driver: HubPageDriver) -> None:
    """The list says the new place, and the board reads it."""
    person = hub_driver.create_user()
    person.create_board("moving")
    page = person.open_page()
    choose_from_menu(page, "moving", "Edit sources…")
    page.get_by_test_id("source-path").fill(f"{hub_driver.logs}/big")
    expect(page.get_by_test_id("look")).to_contain_text("Found 3 runs")

    page.get_by_role("dialog").get_by_role("button", name="Save").click()

    expect(board_row(page, "moving")).to_contain_text("3 runs")
    expect(board_row(page, "moving")).to_contain_text(f"{hub_driver.logs}/big")


def test_the_detail_page_is_complete(hub_driver: HubPageDriver) -> None:
    """Properties, usage, history and logs."""
    person = hub_driver.create_user()
    board = person.create_board("told", origin="job", origin_id="job-4711")
    page = person.open_page(f"/tensorboards/{board['id']}")
    main = page.get_by_role("main")
    expect(main).to_contain_text("Job job-4711")
    expect(page.get_by_test_id("memory")).to_contain_text("MB")
    expect(main).to_contain_text(re.compile(r"1 d, ends \w+ \d+, \d+:\d+"))
    page.get_by_test_id("extend").click()
    page.get_by_role("dialog").get_by_role("button", name="Extend").click()
    expect(main).to_contain_text(re.compile(r"2 d, ends \w+ \d+, \d+:\d+"))
    expect(page.get_by_text(re.compile(r"“told” now ends \w+ \d+"))).to_be_visible()

    page.get_by_role("link", name="Timeline").click()
    steps = page.get_by_test_id("timeline").get_by_role("listitem")
    expect(steps).to_have_count(4)
    expect(steps.first).to_contain_text(re.compile(rf"Life span extended: ends \w+ \d+, \d+:\d+{person.name}$"))
    page.get_by_role("link", name="Logs").click()
    expect(page.get_by_test_id("logs")).to_contain_text("reading")
    page.get_by_test_id("stop").click()

    expect_status(main, "Stopped")
