"""What jobs cannot have where the hub runs them: disabled in forms, with the reason beside it."""

import pathlib
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, expect

from lightboard.hub.runners.ray import NO_SERVERS, NO_VOLUMES
from support.accessibility import find_violations_in_both_themes
from support.hub_page_driver import HubPageDriver, HubUser, choose_from_menu
from support.hub_process import HubProcess
from support.notebook_image import write_notebook_image
from support.ports import free_ports
from support.settled_pages import settle


@pytest.fixture(scope="module")
def ray_driver(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubPageDriver]:
    """Of a hub whose jobs run on a Ray cluster, which does not respond. Before that, it had a notebook, `lab`."""
    folder: pathlib.Path = tmp_path_factory.mktemp("capabilities")
    image = write_notebook_image(folder / "image")
    with HubProcess(folder / "hub", "--image", f"telling={image}", "--trust-jobs") as before:
        lab = before.json("POST", "/api/v1/notebooks", {"name": "lab", "image": "telling"})
        before.json("PUT", f"/api/v1/jobs/{lab['id']}/stop")
        before.wait_for_job(lab["id"], "Stopped")
    url = f"http://127.0.0.1:{free_ports(1)[0]}"
    with HubProcess(folder / "hub", "--ray-url", url, "--trust-jobs") as hub:
        made = HubPageDriver(browser, hub, folder)
        yield made
        made.close()


@pytest.fixture(scope="module")
def editor(ray_driver: HubPageDriver) -> HubUser:
    """Somebody who may create jobs and notebooks."""
    return ray_driver.create_user("editor")


def test_the_form_of_a_job_says_what_it_cannot_have(editor: HubUser) -> None:
    """No volumes, and no web page."""
    page = editor.open_page("/?kind=jobs")
    page.get_by_test_id("new").first.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Advanced").click()
    settle(page)

    expect_disabled(dialog.get_by_role("button", name="Add volume"), NO_VOLUMES)
    expect_disabled(dialog.get_by_role("textbox", name="Web page port"), NO_SERVERS)
    assert find_violations_in_both_themes(page) == {}


def test_no_notebook_can_be_created(editor: HubUser) -> None:
    """The button says why not."""
    page = editor.open_page("/?kind=notebooks")

    expect(page.get_by_role("button", name="New notebook")).to_have_count(1)
    expect_disabled(page.get_by_test_id("new"), NO_SERVERS)
    assert find_violations_in_both_themes(page) == {}


def test_no_notebook_can_be_cloned(editor: HubUser) -> None:
    """The form says why not, and what to do, before anything is typed."""
    page = editor.open_page("/?kind=notebooks")
    choose_from_menu(page, "lab", "Clone with changes…")
    dialog = page.get_by_role("dialog")

    expect(dialog.get_by_role("alert")).to_have_text(f"{NO_SERVERS}. Use a hub whose jobs run on its own machine.")
    expect(dialog.get_by_role("button", name="Create", exact=True)).to_be_disabled()
    assert find_violations_in_both_themes(page) == {}


def expect_disabled(control: Locator, reason: str) -> None:
    """Wait until a control is disabled and has the reason as its description."""
    expect(control).to_be_disabled()
    expect(control).to_have_accessible_description(reason)
