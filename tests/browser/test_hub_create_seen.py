"""Making a TensorBoard, and understanding why not (check 41)."""

from hub_visitor import HubVisitor, has_status, row
from playwright.sync_api import Page, expect


def begin(page: Page, path: str) -> None:
    """Opens the dialog and says where the logs are."""
    page.get_by_test_id("new").click()
    choose(page, "Folder")
    page.get_by_test_id("source-path").fill(path)


def choose(page: Page, kind: str) -> None:
    """One of the four kinds of places."""
    page.get_by_test_id("source").last.get_by_role("radio", name=kind, exact=True).check()


def test_a_path_is_looked_at_before_anything_is_made(guest: HubVisitor) -> None:
    """How many runs there are, and how large; then the board stands in the list, named after the folder."""
    page = guest.person().look()
    begin(page, str(guest.logs))
    expect(page.get_by_test_id("look")).to_contain_text("Found 6 runs")

    page.get_by_role("button", name="Create", exact=True).click()

    has_status(row(page, "runs"), "Running")
    expect(row(page, "runs")).to_contain_text("6 runs")


def test_a_wrong_path_is_said_before_create(guest: HubVisitor) -> None:
    """What is not there, and what may not be looked at."""
    page = guest.person().look()

    begin(page, f"{guest.logs}/nothing-here")
    expect(page.get_by_test_id("look")).to_contain_text("Log path not found")
    page.get_by_test_id("source-path").fill("/etc")

    expect(page.get_by_test_id("look")).to_contain_text("Access to the logs denied")


def test_a_folder_without_event_files_is_no_failure(guest: HubVisitor) -> None:
    """They may come."""
    (guest.logs.parent / "empty").mkdir(exist_ok=True)
    page = guest.person().look()

    begin(page, str(guest.logs.parent / "empty"))

    expect(page.get_by_test_id("look")).to_contain_text("No event files here yet")
    expect(page.get_by_role("button", name="Create", exact=True)).to_be_enabled()


def test_the_sixth_is_made_once_one_is_stopped(guest: HubVisitor) -> None:
    """The foot of the dialog lists the five with a way to stop each; what was typed stays."""
    person = guest.person()
    for number in range(5):
        person.board(f"board-{number}")
    page = person.look()
    begin(page, str(guest.logs))
    page.get_by_test_id("new-name").fill("the sixth")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_test_id("in-use")).to_have_count(5)
    expect(dialog.get_by_test_id("full")).to_have_text("5 of 5 in use. Stop one:")
    expect(dialog.get_by_role("button", name="Create", exact=True)).to_be_disabled()

    dialog.get_by_role("button", name="Stop board-0").click()
    dialog.get_by_role("button", name="Create", exact=True).click()

    has_status(row(page, "the sixth"), "Running")
    has_status(row(page, "board-0"), "Stopped")


def test_there_is_no_room_to_start_a_stopped_one(guest: HubVisitor) -> None:
    """The same list; when one is stopped it starts."""
    person = guest.person()
    person.stopped("asleep")
    for number in range(5):
        person.board(f"awake-{number}")
    page = person.look()
    row(page, "asleep").get_by_test_id("start").click()
    dialog = page.get_by_role("dialog", name="No room to start “asleep”")

    dialog.get_by_role("button", name="Stop awake-1").click()
    dialog.get_by_role("button", name="Start", exact=True).click()

    has_status(row(page, "asleep"), "Running")


def test_logs_of_several_places_are_one_board(guest: HubVisitor) -> None:
    """A dataset with a path below it, and a folder under an alias."""
    person = guest.person()
    person.ask("POST", "datasets", {"name": f"set-{person.name}", "kind": "path", "uri": str(guest.logs.parent)})
    page = person.look()
    page.get_by_test_id("new").click()
    choose(page, "Dataset")
    page.get_by_role("combobox", name="Dataset").select_option(f"set-{person.name}")
    page.get_by_test_id("source-path").fill("runs/big")
    page.get_by_role("button", name="Add a source").click()
    choose(page, "Folder")
    page.get_by_test_id("source-path").last.fill(str(guest.logs))
    page.get_by_role("button", name="Advanced").click()
    page.get_by_test_id("source").last.get_by_label("Alias").fill("again")
    page.get_by_test_id("new-name").fill("both")
    for each in page.get_by_test_id("look").all():
        expect(each).to_have_attribute("data-state", "seen")

    page.get_by_role("button", name="Create", exact=True).click()

    has_status(row(page, "both"), "Running")
    expect(row(page, "both")).to_contain_text("+1")


def test_who_may_make_none_is_told_so(guest: HubVisitor) -> None:
    """A viewer has no button, a person without a project as well."""
    viewer = guest.person("viewer").look()
    alone = guest.person("").look()

    expect(viewer.get_by_role("heading", name="No TensorBoards yet")).to_be_visible()
    expect(viewer.get_by_test_id("new")).to_have_count(0)
    expect(alone.get_by_test_id("new")).to_have_count(0)
