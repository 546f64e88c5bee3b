"""Links of TensorBoards that are not running, and the way back from a board."""

from playwright.sync_api import expect

from support.hub_page_driver import HubPageDriver


def test_stopped_boards_can_be_started_from_their_link(hub_driver: HubPageDriver) -> None:
    """One button; then the board takes the place of the page."""
    person = hub_driver.create_user()
    board = person.create_stopped_board("asleep")
    page = person.open_page(f"/tb/{board['id']}/")
    expect(page.get_by_role("heading", name="asleep")).to_be_visible()

    page.get_by_test_id("start").click()

    expect(page.locator("[data-testid=card][data-state=ready]").first).to_be_visible()


def test_boards_link_to_job_analysis(hub_driver: HubPageDriver) -> None:
    """From its header."""
    person = hub_driver.create_user()
    board = person.create_board("there and back")
    page = person.open_page(f"/tb/{board['id']}/")
    expect(page.get_by_role("heading", name="there and back", level=1)).to_be_visible()

    page.get_by_test_id("console").click()

    expect(page.get_by_role("heading", name="Job Analysis", level=1)).to_be_visible()


def test_failed_boards_explain_the_failure(hub_driver: HubPageDriver) -> None:
    """With a link to the details."""
    person = hub_driver.create_user()
    board = person.create_failed_board("seg-3d")
    page = person.open_page(f"/tb/{board['id']}/")

    expect(page.get_by_role("main")).to_contain_text("/nowhere/seg")
    page.get_by_role("link", name="Details").click()
    expect(page.get_by_role("heading", name="seg-3d", level=1)).to_be_visible()


def test_hidden_boards_look_missing(hub_driver: HubPageDriver) -> None:
    """The same words as for what never was."""
    board = hub_driver.create_user().create_board("private")
    other = hub_driver.create_user().open_page(f"/tb/{board['id']}/")

    expect(other.get_by_role("heading", name="TensorBoard not found")).to_be_visible()


def test_deleted_boards_are_reported(hub_driver: HubPageDriver) -> None:
    """The page says that logs are kept."""
    person = hub_driver.create_user()
    board = person.create_stopped_board("gone")
    person.request_json("DELETE", f"tensorboards/{board['id']}")
    page = person.open_page(f"/tb/{board['id']}/")

    expect(page.get_by_role("main")).to_contain_text("logs are kept")


def test_hidden_pages_report_it(hub_driver: HubPageDriver) -> None:
    """Polling does not keep a board awake."""
    person = hub_driver.create_user()
    board = person.create_board("watched")
    page = person.open_page(f"/tb/{board['id']}/")
    with page.expect_request("**/api/v1/reload") as seen:
        page.get_by_role("button", name="Refresh now").first.click()

    assert seen.value.header_value("x-lightboard-poll") == "visible"
