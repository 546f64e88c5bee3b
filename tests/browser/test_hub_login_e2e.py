"""Login and logout of the hub."""

import pathlib

from playwright.sync_api import Browser, Page, expect

from support.hub_page_driver import HubPageDriver
from support.hub_process import PASSWORD, HubProcess
from support.settled_pages import settle


def log_in(page: Page, name: str, password: str) -> None:
    """Fills the form and sends it."""
    page.get_by_label("User name").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Log in").click()


def test_the_setup_link_opens_the_first_account_page(
    browser: Browser, hub_logs: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    """It works once."""
    with HubProcess(tmp_path / "home", bootstrap=False) as fresh:
        hub_driver = HubPageDriver(browser, fresh, hub_logs)
        page = hub_driver.open_page("/login")
        expect(page.get_by_text("This hub has no account yet")).to_be_visible()
        expect(page.get_by_label("Password")).to_have_count(0)
        page.goto(fresh.setup_link)
        settle(page)
        page.get_by_label("User name").fill("maria")
        page.get_by_label("Password", exact=True).fill(PASSWORD)
        page.get_by_label("Repeat password").fill(PASSWORD)
        page.get_by_role("button", name="Create account").click()
        expect(page.get_by_role("heading", name="Job Analysis", level=1)).to_be_visible()
        page.goto(fresh.setup_link)
        settle(page)
        expect(page.get_by_role("heading", name="An account already exists")).to_be_visible()
        page.context.close()


def test_anonymous_users_are_redirected_to_the_login(hub_driver: HubPageDriver) -> None:
    """And back to the full URL."""
    person = hub_driver.create_user()
    page = hub_driver.open_page("/datasets?darkMode=true")
    expect(page.get_by_role("heading", name="Log in")).to_be_visible()

    log_in(page, person.name, PASSWORD)

    expect(page.get_by_role("heading", name="Datasets", level=1)).to_be_visible()
    assert page.url == f"{hub_driver.hub.url}/datasets?darkMode=true&test=1&lang=en"


def test_wrong_passwords_are_reported(hub_driver: HubPageDriver) -> None:
    """Without revealing accounts; the input stays."""
    page = hub_driver.open_page("/login")

    log_in(page, "nobody-here", "not the password")

    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.get_by_label("User name")).to_have_value("nobody-here")


def test_logins_redirect_to_this_server_only(hub_driver: HubPageDriver) -> None:
    """Whatever the link says."""
    person = hub_driver.create_user()
    page = hub_driver.open_page("/login?next=//evil.example/")

    log_in(page, person.name, PASSWORD)

    expect(page.get_by_role("heading", name="Job Analysis", level=1)).to_be_visible()
    assert page.url == f"{hub_driver.hub.url}/"


def test_expired_sessions_keep_the_page(hub_driver: HubPageDriver) -> None:
    """Behind the login dialog."""
    person = hub_driver.create_user()
    page = person.open_page("/tokens")
    page.context.clear_cookies()
    page.get_by_role("link", name="Datasets").click()

    expect(page.get_by_role("dialog", name="Your session has ended")).to_be_visible()
    page.get_by_role("dialog").get_by_role("button", name="Log in").click()
    log_in(page, person.name, PASSWORD)

    expect(page.get_by_role("heading", name="Datasets", level=1)).to_be_visible()


def test_a_login_outlasts_the_refusal_before_it(hub_driver: HubPageDriver) -> None:
    """The page requested the account while nobody was logged in. That answer must not be used later."""
    person = hub_driver.create_user()
    page = hub_driver.open_page("/login")
    page.clock.install()
    log_in(page, person.name, PASSWORD)
    expect(page.get_by_test_id("new")).to_be_visible()

    page.clock.fast_forward(60_000)
    with page.expect_response("**/api/v1/me") as answer:
        page.get_by_test_id("new").click()

    assert answer.value.status == 200
    expect(page.get_by_role("dialog", name="New TensorBoard")).to_be_visible()
    expect(page.get_by_role("dialog", name="Your session has ended")).to_have_count(0)


def test_logout_ends_access(hub_driver: HubPageDriver) -> None:
    """Also with the back button."""
    page = hub_driver.create_user().open_page("/")
    page.get_by_test_id("account").click()
    page.get_by_role("menuitem", name="Log out").click()
    expect(page.get_by_role("heading", name="Log in")).to_be_visible()

    page.goto(f"{hub_driver.hub.url}/datasets")
    settle(page)

    expect(page.get_by_role("heading", name="Log in")).to_be_visible()


def test_unknown_urls_link_back(hub_driver: HubPageDriver) -> None:
    """Also one that is no page of the console at all."""
    page = hub_driver.create_user().open_page("/nowhere/at/all")
    expect(page.get_by_role("heading", name="Page not found", level=1)).to_be_visible()

    page.get_by_role("main").get_by_role("link", name="Job Analysis").click()

    expect(page.get_by_role("heading", name="Job Analysis", level=1)).to_be_visible()
