"""Stop, start, extend, share, edit, delete (check 42)."""

import re
from datetime import datetime

from hub_visitor import HubVisitor, from_menu, has_status, row
from playwright.sync_api import expect


def test_words_follow_the_status(guest: HubVisitor) -> None:
    """Stopped by somebody, started again; the reason stands below."""
    person = guest.person()
    person.board("lm")
    page = person.look()

    from_menu(page, "lm", "Stop")
    has_status(row(page, "lm"), "Stopped")
    expect(row(page, "lm")).to_contain_text("At someone's request")
    row(page, "lm").get_by_test_id("start").click()

    has_status(row(page, "lm"), "Running")


def test_a_double_click_does_it_once(guest: HubVisitor) -> None:
    """One line of history for each."""
    person = guest.person()
    board = person.stopped("twice")
    page = person.look()

    row(page, "twice").get_by_test_id("start").dblclick()
    has_status(row(page, "twice"), "Running")

    history = person.ask("GET", f"tensorboards/{board['id']}")["transitions"]
    assert [step["status"] for step in history].count("Pending") == 2


def test_what_is_refused_is_taken_back(guest: HubVisitor) -> None:
    """The row shows what is true again, and a word says why."""
    person = guest.person()
    board = person.board("shared")
    page = person.look()
    expect(row(page, "shared")).to_be_visible()
    page.route(f"**/api/v1/tensorboards/{board['id']}/stop", lambda route: route.abort())
    guest.complaints_expected("net::ERR_FAILED")

    from_menu(page, "shared", "Stop")

    expect(page.get_by_test_id("toast")).to_contain_text("Not done: The server does not answer")
    has_status(row(page, "shared"), "Running")


def test_deleting_asks_once_and_keeps_the_logs(guest: HubVisitor) -> None:
    """It names the board, and says that logs are kept."""
    person = guest.person()
    person.stopped("old")
    page = person.look()
    from_menu(page, "old", "Delete…")
    dialog = page.get_by_role("dialog", name="Delete “old”?")
    expect(dialog).to_contain_text("its logs are kept")

    dialog.get_by_role("button", name="Delete").click()

    expect(page.get_by_role("heading", name="No TensorBoards yet")).to_be_visible()
    assert any(guest.logs.rglob("events*"))


def test_a_board_gets_more_time(guest: HubVisitor) -> None:
    """Three days on top of one; the list shows the new end."""
    person = guest.person()
    board = person.board("long")
    page = person.look()
    end = row(page, "long").locator("time[title^=in]")
    expect(end).to_have_attribute("title", re.compile(r"^in 23 h 5\d m$"))

    from_menu(page, "long", "Extend", "by 3 d")

    expect(end).to_have_attribute("title", re.compile(r"^in 3 d 23 h$"))
    ends_at = person.ask("GET", f"tensorboards/{board['id']}")["expires_at"]
    shown = datetime.fromisoformat(end.get_attribute("datetime") or "")
    assert abs(shown.timestamp() - ends_at) < 1


def test_a_link_is_shared_and_revoked(guest: HubVisitor) -> None:
    """Whoever has it sees the board without an account, until it is revoked."""
    person = guest.person()
    person.board("open-to-all", access="public_link")
    page = person.look()
    from_menu(page, "open-to-all", "Share link…")
    page.get_by_role("button", name="Make a link").click()
    link = page.get_by_test_id("once").input_value()

    stranger = guest.browser.new_context()
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


def test_sources_are_edited_while_it_runs(guest: HubVisitor) -> None:
    """The list says the new place, and the board reads it."""
    person = guest.person()
    person.board("moving")
    page = person.look()
    from_menu(page, "moving", "Edit sources…")
    page.get_by_test_id("source-path").fill(f"{guest.logs}/big")
    expect(page.get_by_test_id("look")).to_contain_text("Found 3 runs")

    page.get_by_role("dialog").get_by_role("button", name="Save").click()

    expect(row(page, "moving")).to_contain_text("3 runs")
    expect(row(page, "moving")).to_contain_text(f"{guest.logs}/big")


def test_the_detail_page_tells_all(guest: HubVisitor) -> None:
    """Facts, figures, history and logs."""
    person = guest.person()
    board = person.board("told", origin="job", origin_id="job-4711")
    page = person.look(f"/tensorboards/{board['id']}")
    main = page.get_by_role("main")
    expect(main).to_contain_text("Job job-4711")
    expect(page.get_by_test_id("memory")).to_contain_text("MB")
    expect(main).to_contain_text(re.compile(r"1 d, ends \w+ \d+, \d+:\d+"))
    page.get_by_test_id("extend").click()
    expect(main).to_contain_text(re.compile(r"2 d, ends \w+ \d+, \d+:\d+"))
    expect(page.get_by_text(re.compile(r"“told” now ends \w+ \d+"))).to_be_visible()

    page.get_by_role("link", name="Timeline").click()
    steps = page.get_by_test_id("timeline").get_by_role("listitem")
    expect(steps).to_have_count(4)
    expect(steps.first).to_contain_text(re.compile(rf"Life span extended: ends \w+ \d+, \d+:\d+{person.name}$"))
    page.get_by_role("link", name="Logs").click()
    expect(page.get_by_test_id("logs")).to_contain_text("reading")
    page.get_by_test_id("stop").click()

    has_status(main, "Stopped")
