"""The page of environments and presets, and images in forms."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from support.hub_page_driver import HubPageDriver
from support.hub_process import HubProcess, wait_for
from support.python_packages import SlowPackage, write_list, write_wheel

QUICK, BROKEN, AGAIN, SLOW = "registry/quick:1", "broken", "again", "slow"


@pytest.fixture(scope="module")
def driver(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubPageDriver]:
    """Of a hub with an image that is built, two that cannot be, and one that is never ready."""
    folder = tmp_path_factory.mktemp("environments")
    packages = folder / "packages"
    write_wheel(packages, "greeting", "1.2")
    slow = SlowPackage(packages, "late", "3")
    lists = {QUICK: "greeting", BROKEN: "nosuch", AGAIN: "nowhere", SLOW: "late"}
    images = [f"--image={name}={write_list(folder / f'{line}.txt', packages, line)}" for name, line in lists.items()]
    with HubProcess(folder / "hub", *images, "--preset", "small=cpu:1,memory:1G") as hub:
        wait_for(slow.pids, bool, "the last build to begin")
        made = HubPageDriver(browser, hub, folder)
        yield made
        made.close()


def test_administrators_see_images_and_presets(driver: HubPageDriver) -> None:
    """With their states; the page of an image has its packages, and the log of its build."""
    page = driver.create_user("", administrator=True).open_page("/environments")
    for name, state in ((QUICK, "Ready"), (BROKEN, "Failed to build"), (SLOW, "Being built")):
        row = page.get_by_test_id("image-row").filter(has=page.get_by_role("link", name=name, exact=True))
        expect(row).to_contain_text(state)
    expect(page.get_by_test_id("preset-row")).to_contain_text(["smallDefault11G0"])

    page.get_by_role("link", name=QUICK).click()
    expect(page.get_by_test_id("package")).to_have_text(["greeting1.2"])
    page.get_by_role("link", name="Build log").click()
    expect(page.get_by_test_id("build-log")).to_contain_text("Successfully installed greeting-1.2")


def test_a_failed_image_says_why_and_is_built_again(driver: HubPageDriver) -> None:
    """Behind the one that is being built."""
    page = driver.create_user("", administrator=True).open_page(f"/environments?image={AGAIN}")
    expect(page.get_by_role("status").first).to_have_text("No matching distribution found for nowhere (exit code 1)")
    expect(page.get_by_test_id("build-log")).to_contain_text("ERROR: No matching distribution found for nowhere")
    page.get_by_test_id("rebuild").click()
    expect(page.get_by_test_id("status")).to_have_text("Being built")
    expect(page.get_by_test_id("rebuild")).to_have_count(0)


def test_forms_show_the_state_of_an_image(driver: HubPageDriver) -> None:
    """And say that what uses it waits. Only administrators have a page of environments."""
    page = driver.create_user("editor").open_page("/?kind=jobs")
    expect(page.get_by_role("link", name="Environments")).to_have_count(0)
    page.get_by_test_id("new").first.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_test_id("advanced").click()
    dialog.get_by_label("Image").select_option(SLOW)
    expect(dialog.get_by_label("Image").get_by_role("option", name=f"{SLOW}: being built")).to_have_count(1)
    expect(dialog).to_contain_text("It is being built: what uses it waits until it is ready")
