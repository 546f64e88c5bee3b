"""Browsing for folders when creating TensorBoards and datasets."""

import pathlib
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from support.hub_page_driver import HubPageDriver, board_row, expect_status
from support.hub_process import HubProcess
from support.settled_pages import press, type_text

EVENTS = "events.out.tfevents.1"


@pytest.fixture
def folders(hub_driver: HubPageDriver, request: pytest.FixtureRequest) -> pathlib.Path:
    """A folder of this test below the root: one with logs, one with none, a link that leads out."""
    top = hub_driver.logs.parent / request.node.name
    for name in ("empty", "study/run-1", "study/run-2"):
        (top / name).mkdir(parents=True)
    (top / "study" / "run-1" / EVENTS).touch()
    (top / "way out").symlink_to("/etc")
    return top


@pytest.fixture(scope="module")
def cookies(browser: Browser, hub: HubProcess, hub_logs: pathlib.Path) -> Any:
    """Of an editor who is logged in."""
    return HubPageDriver(browser, hub, hub_logs).create_user().cookies()


def begin(page: Page, typed: str = "") -> Locator:
    """The picker, opened beside the folder of a new TensorBoard in which something was typed."""
    page.get_by_test_id("new").click()
    page.get_by_test_id("source").get_by_role("radio", name="Folder", exact=True).check()
    page.get_by_test_id("source-path").fill(typed)
    page.get_by_test_id("browse").click()
    return picker(page)


def picker(page: Page) -> Locator:
    """The dialog."""
    return page.get_by_role("dialog", name="Choose a folder")


def names(dialog: Locator) -> Locator:
    """The folders that are listed."""
    return dialog.get_by_test_id("folder").locator("bdi")


def marked(dialog: Locator) -> Locator:
    """The folder that Enter goes into."""
    return dialog.locator("[role=option][aria-selected=true] bdi")


def test_folders_can_be_opened_and_chosen(hub_driver: HubPageDriver, folders: pathlib.Path, cookies: Any) -> None:
    """The only root opens at once; folders with logs are marked; the choice is probed."""
    page = hub_driver.open_page(cookies=cookies)
    dialog = begin(page)
    expect(dialog.get_by_test_id("folder").filter(has_text="runs")).to_have_attribute("data-logs", "true")
    dialog.get_by_test_id("folder").filter(has_text=folders.name).click()
    expect(names(dialog)).to_have_text(["empty", "study"])
    expect(dialog.get_by_text("Logs", exact=True)).to_have_count(1)
    expect(dialog.get_by_test_id("remarks")).to_contain_text("1 link is not shown")
    dialog.get_by_role("button", name=str(hub_driver.logs.parent), exact=True).click()
    dialog.get_by_test_id("folder").filter(has_text="runs").click()

    dialog.get_by_role("button", name="Choose this folder").click()

    expect(page.get_by_test_id("source-path")).to_have_value(str(hub_driver.logs))
    expect(page.get_by_test_id("look")).to_contain_text("Found 6 runs")
    page.get_by_role("button", name="Create", exact=True).click()
    expect_status(board_row(page, "runs"), "Running")


def test_browsing_works_by_keys(hub_driver: HubPageDriver, folders: pathlib.Path, cookies: Any) -> None:
    """Arrows, Enter, Backspace, typing."""
    page = hub_driver.open_page(cookies=cookies)
    dialog = begin(page, str(folders))
    expect(names(dialog)).to_have_text(["empty", "study"])
    expect(dialog.get_by_role("combobox")).to_be_focused()
    expect(marked(dialog)).to_have_text("empty")
    press(page, "ArrowDown")
    expect(marked(dialog)).to_have_text("study")
    press(page, "Enter")
    expect(names(dialog)).to_have_text(["run-1", "run-2"])
    press(page, "Backspace")
    expect(names(dialog)).to_have_text(["empty", "study"])

    type_text(page, "ST")
    expect(names(dialog)).to_have_text(["study"])
    press(page, "Enter")
    expect(names(dialog)).to_have_text(["run-1", "run-2"])
    type_text(page, "run-2")
    expect(names(dialog)).to_have_text(["run-2"])
    press(page, "Enter")
    expect(dialog.get_by_text("No folders here.")).to_be_visible()
    press(page, "Enter")

    expect(dialog).to_have_count(0)
    expect(page.get_by_test_id("source-path")).to_have_value(f"{folders}/study/run-2")
    expect(page.get_by_role("dialog", name="New TensorBoard")).to_be_visible()


def test_cancelling_changes_nothing(hub_driver: HubPageDriver, folders: pathlib.Path, cookies: Any) -> None:
    """Esc closes only the picker and returns the focus."""
    page = hub_driver.open_page(cookies=cookies)
    dialog = begin(page, f"{folders}/study")
    expect(names(dialog)).to_have_text(["run-1", "run-2"])

    press(page, "Escape")

    expect(dialog).to_have_count(0)
    expect(page.get_by_test_id("browse")).to_be_focused()
    expect(page.get_by_test_id("source-path")).to_have_value(f"{folders}/study")
    page.get_by_test_id("browse").click()
    dialog.get_by_role("button", name="Cancel", exact=True).click()
    expect(page.get_by_role("dialog")).to_have_count(1)


def test_missing_folders_are_reported(hub_driver: HubPageDriver, folders: pathlib.Path, cookies: Any) -> None:
    """With a way up."""
    page = hub_driver.open_page(cookies=cookies)
    dialog = begin(page, f"{folders}/stduy")
    expect(dialog.get_by_role("alert")).to_contain_text(f"there is no folder {folders}/stduy")
    expect(dialog.get_by_role("button", name="Choose this folder")).to_be_disabled()

    dialog.get_by_role("button", name=folders.name, exact=True).click()

    expect(names(dialog)).to_have_text(["empty", "study"])
    dialog.get_by_role("combobox").fill("zzz")
    expect(dialog.get_by_text("No folder name starts with “zzz”.")).to_be_visible()
    dialog.get_by_role("combobox").fill("")
    dialog.get_by_test_id("folder").filter(has_text="empty").click()
    expect(dialog.get_by_text("No folders here.")).to_be_visible()


def test_more_folders_load_on_request(hub_driver: HubPageDriver, folders: pathlib.Path, cookies: Any) -> None:
    """By button or scrolling; typing searches all."""
    for number in range(250):
        (folders / "many" / f"run-{number:03}").mkdir(parents=True)
    page = hub_driver.open_page(cookies=cookies)
    dialog = begin(page, f"{folders}/many")
    expect(names(dialog)).to_have_count(100)
    expect(dialog.get_by_test_id("more-folders")).to_have_text("Load more (100 of 250)")
    dialog.get_by_test_id("more-folders").click()
    expect(names(dialog)).to_have_count(200)

    dialog.get_by_role("combobox").fill("run-24")
    expect(names(dialog)).to_have_text([f"run-{number}" for number in range(240, 250)])
    dialog.get_by_role("combobox").fill("")
    expect(names(dialog)).to_have_count(200)
    dialog.get_by_role("combobox").focus()
    press(page, *["PageDown"] * 26)

    expect(names(dialog)).to_have_count(250)
    expect(dialog.get_by_test_id("more-folders")).to_have_count(0)


def test_storage_and_datasets_can_be_browsed(hub_driver: HubPageDriver, folders: pathlib.Path) -> None:
    """What is chosen is written as the field wants it."""
    person = hub_driver.create_user()
    name = f"studies-{person.name}"
    person.request_json("POST", "datasets", {"name": name, "kind": "path", "uri": str(folders)})
    storage = hub_driver.hub.home / "hub" / "storage" / "default" / folders.name
    storage.mkdir(parents=True)
    page = person.open_page()
    page.get_by_test_id("new").click()
    source = page.get_by_test_id("source")
    source.get_by_role("radio", name="Dataset", exact=True).check()
    expect(page.get_by_test_id("browse")).to_be_disabled()
    page.get_by_role("combobox", name="Dataset").select_option(name)
    page.get_by_test_id("browse").click()
    picker(page).get_by_test_id("folder").filter(has_text="study").click()
    expect(names(picker(page))).to_have_text(["run-1", "run-2"])
    picker(page).get_by_role("button", name="Choose this folder").click()
    expect(page.get_by_test_id("source-path")).to_have_value("study")

    source.get_by_role("radio", name="Storage", exact=True).check()
    page.get_by_test_id("browse").click()
    picker(page).get_by_test_id("folder").filter(has_text=folders.name).click()
    picker(page).get_by_role("button", name="Choose this folder").click()

    expect(page.get_by_test_id("source-path")).to_have_value(f"storage:{folders.name}")
    expect(page.get_by_test_id("look")).to_contain_text("No event files here yet")


def test_datasets_can_be_created_from_browsed_folders(
    hub_driver: HubPageDriver, folders: pathlib.Path, cookies: Any
) -> None:
    """By the same picker; a bucket is typed."""
    page = hub_driver.open_page("/datasets", cookies=cookies)
    page.get_by_test_id("new").click()
    page.get_by_label("Location", exact=True).fill(str(folders))
    page.get_by_test_id("browse").click()
    picker(page).get_by_test_id("folder").filter(has_text="study").click()
    expect(names(picker(page))).to_have_text(["run-1", "run-2"])
    picker(page).get_by_role("button", name="Choose this folder").click()
    expect(page.get_by_label("Location", exact=True)).to_have_value(f"{folders}/study")

    page.get_by_role("combobox", name="Kind").select_option("s3")

    expect(page.get_by_test_id("browse")).to_have_count(0)


def test_several_roots_are_listed_first(hub_driver: HubPageDriver, folders: pathlib.Path) -> None:
    """One goes back to them; a project without any says who can help."""
    admin = hub_driver.create_user("owner", administrator=True)
    several = admin.request_json("POST", "projects", {"display_name": f"Several of {admin.name}"})
    none = admin.request_json("POST", "projects", {"display_name": f"None of {admin.name}"})
    roots = [str(folders / "empty"), str(folders / "study")]
    for root in roots:
        admin.request_json("POST", f"projects/{several['id']}/bindings", {"kind": "root", "value": root})
    page = admin.open_page()
    page.get_by_test_id("new").click()
    dialog = page.get_by_role("dialog", name="New TensorBoard")
    dialog.get_by_role("radio", name="Folder", exact=True).check()
    dialog.get_by_role("combobox", name="Project").select_option(several["id"])
    page.get_by_test_id("browse").click()
    expect(names(picker(page))).to_have_text(roots)
    expect(picker(page).get_by_role("button", name="Choose this folder")).to_be_disabled()
    picker(page).get_by_test_id("folder").last.click()
    expect(names(picker(page))).to_have_text(["run-1", "run-2"])
    press(page, "Backspace")
    expect(names(picker(page))).to_have_text(roots)
    press(page, "Escape")
    expect(picker(page)).to_have_count(0)

    dialog.get_by_role("combobox", name="Project").select_option(none["id"])
    page.get_by_test_id("browse").click()

    expect(picker(page)).to_contain_text("This project has no server folders.")
    expect(picker(page)).to_contain_text("A hub administrator can bind folders")
