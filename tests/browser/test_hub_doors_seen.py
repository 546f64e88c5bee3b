"""The link of a TensorBoard when there is no board to show, and the way back from one that there is."""

from hub_visitor import HubVisitor
from playwright.sync_api import expect


def test_a_stopped_one_is_woken_by_its_link(guest: HubVisitor) -> None:
    """One button; then the board takes the place of the page."""
    person = guest.person()
    board = person.stopped("asleep")
    page = person.look(f"/tb/{board['id']}/")
    expect(page.get_by_role("heading", name="asleep")).to_be_visible()

    page.get_by_test_id("start").click()

    expect(page.locator("[data-testid=card][data-state=ready]").first).to_be_visible()


def test_a_board_leads_back_to_job_analysis(guest: HubVisitor) -> None:
    """From its header."""
    person = guest.person()
    board = person.board("there and back")
    page = person.look(f"/tb/{board['id']}/")
    expect(page.get_by_role("heading", name="there and back", level=1)).to_be_visible()

    page.get_by_test_id("console").click()

    expect(page.get_by_role("heading", name="Job Analysis", level=1)).to_be_visible()


def test_a_failed_one_says_why_and_what_to_do(guest: HubVisitor) -> None:
    """With the way to its details."""
    person = guest.person()
    board = person.failed("seg-3d")
    page = person.look(f"/tb/{board['id']}/")

    expect(page.get_by_role("main")).to_contain_text("/nowhere/seg")
    page.get_by_role("link", name="Details").click()
    expect(page.get_by_role("heading", name="seg-3d", level=1)).to_be_visible()


def test_what_is_not_shared_is_not_there(guest: HubVisitor) -> None:
    """The same words as for what never was."""
    board = guest.person().board("private")
    other = guest.person().look(f"/tb/{board['id']}/")

    expect(other.get_by_role("heading", name="No such TensorBoard")).to_be_visible()


def test_a_deleted_one_is_gone(guest: HubVisitor) -> None:
    """And its logs are not."""
    person = guest.person()
    board = person.stopped("gone")
    person.ask("DELETE", f"tensorboards/{board['id']}")
    page = person.look(f"/tb/{board['id']}/")

    expect(page.get_by_role("main")).to_contain_text("logs are kept")


def test_a_hidden_page_says_so(guest: HubVisitor) -> None:
    """Every request tells whether somebody looks: what only polls keeps no board awake."""
    person = guest.person()
    board = person.board("watched")
    page = person.look(f"/tb/{board['id']}/")
    with page.expect_request("**/api/v1/reload") as seen:
        page.get_by_role("button", name="Reload").first.click()

    assert seen.value.header_value("x-lightboard-poll") == "visible"
