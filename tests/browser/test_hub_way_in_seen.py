"""Getting into the console of the hub, and out of it."""

import pathlib

from hub_visitor import MOVED_MS, HubVisitor, ready
from playwright.sync_api import Browser, Page, expect

from running_hub import PASSWORD, RunningHub


def log_in(page: Page, name: str, password: str) -> None:
    """Fills the form and sends it."""
    page.get_by_label("User name").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Log in").click()


def test_the_first_account_is_made_by_the_link_of_the_first_start(
    browser: Browser, hub_logs: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    """Who opens it chooses name and password, and is in; the link is spent."""
    with RunningHub(tmp_path / "home", bootstrap=False) as fresh:
        guest = HubVisitor(browser, fresh, hub_logs)
        page = guest.look("/login")
        expect(page.get_by_text("This hub has no account yet")).to_be_visible()
        expect(page.get_by_label("Password")).to_have_count(0)
        page.goto(fresh.setup_link)
        page.get_by_label("User name").fill("maria")
        page.get_by_label("Password", exact=True).fill(PASSWORD)
        page.get_by_label("Password again").fill(PASSWORD)
        page.get_by_role("button", name="Create account").click()
        expect(page.get_by_role("heading", name="Job Analysis", level=1)).to_be_visible(timeout=MOVED_MS)
        page.goto(fresh.setup_link)
        expect(page.get_by_role("heading", name="There is an account already")).to_be_visible(timeout=MOVED_MS)
        page.context.close()


def test_who_is_not_in_is_led_to_the_login_and_back(guest: HubVisitor) -> None:
    """With the whole address that was wanted."""
    person = guest.person()
    page = guest.look("/datasets?darkMode=true")
    expect(page.get_by_role("heading", name="Log in")).to_be_visible()

    log_in(page, person.name, PASSWORD)

    expect(page.get_by_role("heading", name="Datasets", level=1)).to_be_visible()
    assert page.url == f"{guest.hub.url}/datasets?darkMode=true&test=1&lang=en"


def test_a_wrong_password_is_said_and_nothing_typed_is_lost(guest: HubVisitor) -> None:
    """It does not say whether there is such an account."""
    page = guest.look("/login")

    log_in(page, "nobody-here", "not the password")

    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.get_by_label("User name")).to_have_value("nobody-here")


def test_a_login_leads_to_no_other_server(guest: HubVisitor) -> None:
    """Whatever the link says."""
    person = guest.person()
    page = guest.look("/login?next=//evil.example/")

    log_in(page, person.name, PASSWORD)

    expect(page.get_by_role("heading", name="Job Analysis", level=1)).to_be_visible()
    assert page.url == f"{guest.hub.url}/"


def test_a_session_that_ended_leaves_the_page_and_leads_back_to_it(guest: HubVisitor) -> None:
    """The page behind the question is what it was."""
    person = guest.person()
    page = person.look("/tokens")
    page.context.clear_cookies()
    page.get_by_role("link", name="Datasets").click()

    expect(page.get_by_role("dialog", name="Your session has ended")).to_be_visible()
    page.get_by_role("dialog").get_by_role("button", name="Log in").click()
    log_in(page, person.name, PASSWORD)

    expect(page.get_by_role("heading", name="Datasets", level=1)).to_be_visible()


def test_who_logs_out_is_out(guest: HubVisitor) -> None:
    """Back does not lead in again."""
    page = guest.person().look("/")
    page.get_by_test_id("account").click()
    page.get_by_role("menuitem", name="Log out").click()
    expect(page.get_by_role("heading", name="Log in")).to_be_visible()

    page.goto(f"{guest.hub.url}/datasets")
    ready(page)

    expect(page.get_by_role("heading", name="Log in")).to_be_visible()


def test_an_unknown_address_leads_back(guest: HubVisitor) -> None:
    """Also one that is no page of the console at all."""
    page = guest.person().look("/nowhere/at/all")
    expect(page.get_by_role("heading", name="Page not found", level=1)).to_be_visible()

    page.get_by_role("main").get_by_role("link", name="Job Analysis").click()

    expect(page.get_by_role("heading", name="Job Analysis", level=1)).to_be_visible()
