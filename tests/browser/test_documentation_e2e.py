"""The documentation on a hub: found from the console, searched, in the theme of the console."""

import pathlib
import re

from playwright.sync_api import Page, expect

from support.hub_page_driver import HubPageDriver
from support.hub_process import HubProcess
from support.settled_pages import press, reload, settle


def open_docs(hub_driver: HubPageDriver, path: str = "") -> Page:
    """A page of the documentation, under its content policy, once its scripts run; nobody is logged in."""
    page = hub_driver.open_page(f"/docs/{path}", strict=True)
    settle(page)
    return page


def search(page: Page, word: str) -> None:
    """Opens the search, types a word and follows the first result."""
    press(page, "Control+k")
    page.get_by_role("searchbox").fill(word)
    expect(page.get_by_role("option").first).to_contain_text(word, ignore_case=True)
    settle(page)
    press(page, "Enter")


def test_a_search_leads_to_the_page(hub_driver: HubPageDriver) -> None:
    """By keyboard alone, for somebody without an account."""
    page = open_docs(hub_driver)

    search(page, "glossary")

    expect(page.get_by_role("heading", name="Glossary", level=1)).to_be_visible()
    expect(page.get_by_role("cell", name="superseded")).to_be_visible()


def test_the_console_leads_to_it(hub_driver: HubPageDriver) -> None:
    """From the menu of the account, in a tab of its own, and back."""
    console = hub_driver.create_user().open_page()
    console.get_by_test_id("account").click()

    with console.expect_popup() as opened:
        console.get_by_role("menuitem", name="Documentation").click()

    docs = opened.value
    expect(docs.get_by_role("heading", level=1).first).to_be_visible()
    docs.get_by_role("link", name="Open the hub").click()
    expect(docs.get_by_role("heading", name="Job Analysis", level=1)).to_be_visible()


def test_one_theme_holds_for_console_and_documentation(hub_driver: HubPageDriver) -> None:
    """Whichever changes it."""
    page = open_docs(hub_driver, "glossary")
    html = page.locator("html")
    expect(html).not_to_have_class("dark")

    page.get_by_role("switch").first.click()
    expect(html).to_have_class("dark")
    reload(page)
    expect(html).to_have_class("dark")

    page.goto(f"{hub_driver.hub.url}/login")
    settle(page)
    expect(html).to_have_attribute("data-theme", "dark")


def test_an_unknown_address_says_so(hub_driver: HubPageDriver) -> None:
    """With the way to the list of pages."""
    page = open_docs(hub_driver, "nothing")

    expect(page.get_by_text("There is no such page.")).to_be_visible()
    page.get_by_role("link", name="All pages").click()
    expect(page).to_have_url(f"{hub_driver.hub.url}/docs/")


def test_it_works_below_a_prefix(hub_driver: HubPageDriver, tmp_path: pathlib.Path) -> None:
    """Links, scripts and search."""
    with HubProcess(tmp_path, "--path-prefix", "/lightboard") as hub:
        driver = HubPageDriver(hub_driver.browser, hub, hub_driver.logs)
        page = open_docs(driver, "hub")

        search(page, "glossary")

        expect(page.get_by_role("heading", name="Glossary", level=1)).to_be_visible()
        expect(page).to_have_url(re.compile(r"/lightboard/docs/glossary"))
        page.context.close()
    assert driver.console_errors == []
