"""Creating a TensorBoard, and errors (check 41)."""

from playwright.sync_api import Page, expect

from support.hub_page_driver import HubPageDriver, board_row, expect_status


def begin(page: Page, path: str) -> None:
    """Opens the dialog and says where the logs are."""
    page.get_by_test_id("new").click()
    choose(page, "Folder")
    page.get_by_test_id("source-path").fill(path)


def choose(page: Page, kind: str) -> None:
    """One of the four kinds of places."""
    page.get_by_test_id("source").last.get_by_role("radio", name=kind, exact=True).check()


def test_paths_are_probed_before_creation(hub_driver: HubPageDriver) -> None:
    """With the number of runs and size; the board is named after the folder."""
    page = hub_driver.create_user().open_page()
    begin(page, str(hub_driver.logs))
    expect(page.get_by_test_id("look")).to_contain_text("Found 6 runs")

    page.get_by_role("button", name="Create", exact=True).click()

    expect_status(board_row(page, "runs"), "Running")
    expect(board_row(page, "runs")).to_contain_text("6 runs")


def test_invalid_paths_are_reported_before_creation(hub_driver: HubPageDriver) -> None:
    """What is not there, and what may not be looked at."""
    page = hub_driver.create_user().open_page()

    begin(page, f"{hub_driver.logs}/nothing-here")
    expect(page.get_by_test_id("look")).to_contain_text("Log path not found")
    page.get_by_test_id("source-path").fill("/etc")

    expect(page.get_by_test_id("look")).to_contain_text("Access to logs denied")


def test_empty_folders_are_allowed(hub_driver: HubPageDriver) -> None:
    """They may come."""
    (hub_driver.logs.parent / "empty").mkdir(exist_ok=True)
    page = hub_driver.create_user().open_page()

    begin(page, str(hub_driver.logs.parent / "empty"))

    expect(page.get_by_test_id("look")).to_contain_text("No event files here yet")
    expect(page.get_by_role("button", name="Create", exact=True)).to_be_enabled()


def test_at_the_limit_stopping_one_makes_room(hub_driver: HubPageDriver) -> None:
    """The dialog lists the active ones and keeps the input."""
    person = hub_driver.create_user()
    for number in range(5):
        person.create_board(f"board-{number}")
    page = person.open_page()
    begin(page, str(hub_driver.logs))
    page.get_by_test_id("new-name").fill("the sixth")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_test_id("in-use")).to_have_count(5)
    expect(dialog.get_by_test_id("full")).to_have_text("5 of 5 in use. Stop one:")
    expect(dialog.get_by_role("button", name="Create", exact=True)).to_be_disabled()

    dialog.get_by_role("button", name="Stop board-0").click()
    dialog.get_by_role("button", name="Create", exact=True).click()

    expect_status(board_row(page, "the sixth"), "Running")
    expect_status(board_row(page, "board-0"), "Stopped")


def test_starting_at_the_limit_offers_to_stop_others(hub_driver: HubPageDriver) -> None:
    """The same list; when one is stopped it starts."""
    person = hub_driver.create_user()
    person.create_stopped_board("asleep")
    for number in range(5):
        person.create_board(f"awake-{number}")
    page = person.open_page()
    board_row(page, "asleep").get_by_test_id("start").click()
    dialog = page.get_by_role("dialog", name="Cannot start “asleep”: limit reached")

    dialog.get_by_role("button", name="Stop awake-1").click()
    dialog.get_by_role("button", name="Start", exact=True).click()

    expect_status(board_row(page, "asleep"), "Running")


def test_a_board_can_have_several_sources(hub_driver: HubPageDriver) -> None:
    """A dataset with a path below it, and a folder under an alias."""
    person = hub_driver.create_user()
    person.request_json(
        "POST", "datasets", {"name": f"set-{person.name}", "kind": "path", "uri": str(hub_driver.logs.parent)}
    )
    page = person.open_page()
    page.get_by_test_id("new").click()
    choose(page, "Dataset")
    page.get_by_role("combobox", name="Dataset").select_option(f"set-{person.name}")
    page.get_by_test_id("source-path").fill("runs/big")
    page.get_by_role("button", name="Add source").click()
    choose(page, "Folder")
    page.get_by_test_id("source-path").last.fill(str(hub_driver.logs))
    page.get_by_role("button", name="Advanced").click()
    page.get_by_test_id("source").last.get_by_label("Alias").fill("again")
    page.get_by_test_id("new-name").fill("both")
    for each in page.get_by_test_id("look").all():
        expect(each).to_have_attribute("data-state", "seen")

    page.get_by_role("button", name="Create", exact=True).click()

    expect_status(board_row(page, "both"), "Running")
    expect(board_row(page, "both")).to_contain_text("+1")


def test_accounts_without_the_right_are_told(hub_driver: HubPageDriver) -> None:
    """Viewers have no button."""
    viewer = hub_driver.create_user("viewer").open_page()
    alone = hub_driver.create_user("").open_page()

    expect(viewer.get_by_role("heading", name="No TensorBoards yet")).to_be_visible()
    expect(viewer.get_by_test_id("new")).to_have_count(0)
    expect(alone.get_by_test_id("new")).to_have_count(0)
