"""Secrets in the console: the section on the page of a project, and the choice in the form of a job."""

from playwright.sync_api import Page, expect

from support.accessibility import find_violations_in_both_themes
from support.hub_page_driver import HubPageDriver
from support.settled_pages import settle

VALUE = "s3cret-of-the-form"
WIDTHS = (1440, 390)


def go(page: Page, address: str) -> None:
    """Opens another page, and waits until it has all it shows."""
    page.goto(address)
    settle(page)


def fill_secret(page: Page, value: str, verb: str) -> None:
    """The dialog for a value."""
    page.get_by_role("dialog").get_by_label("Value").fill(value)
    page.get_by_role("dialog").get_by_role("button", name=verb, exact=True).click()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_secrets_are_added_used_replaced_and_deleted(hub_driver: HubPageDriver) -> None:
    """A job gets the value; its page, and the form of its clone, have the name."""
    person = hub_driver.create_user()
    name = f"hf_{person.name.replace('-', '_')}"
    page = person.open_page("/projects/default")
    page.get_by_test_id("add-secret").click()
    page.get_by_role("dialog").get_by_label("Name").fill(name)
    fill_secret(page, VALUE, "Add secret")
    row = page.get_by_test_id("secret").filter(has=page.get_by_text(name, exact=True))
    expect(row).to_contain_text(person.name)

    go(page, f"{hub_driver.hub.url}/?kind=jobs&lang=en")
    page.get_by_test_id("new").click()
    form = page.get_by_role("dialog", name="New job")
    form.get_by_test_id("command").fill('printf %s "$HF_TOKEN" | wc -c')
    form.get_by_role("button", name="Add variable").click()
    form.get_by_label("Environment variables: name 1").fill("HF_TOKEN")
    form.get_by_label("Environment variables: kind 1").select_option("Secret")
    form.get_by_role("button", name="Submit", exact=True).click()
    expect(form.get_by_test_id("environment").get_by_role("alert")).to_have_text("Choose a secret")
    form.get_by_label("Environment variables: secret 1").select_option(name)
    form.get_by_role("button", name="Submit", exact=True).click()
    expect(page.get_by_test_id("log-lines")).to_contain_text(str(len(VALUE)))

    page.get_by_role("link", name="Overview").click()
    expect(page.get_by_role("table", name="Environment variables")).to_contain_text(f"Secret {name}")
    assert VALUE not in page.content()

    go(page, f"{hub_driver.hub.url}/projects/default?lang=en")
    page.get_by_role("button", name=f"Replace the value of {name}").click()
    fill_secret(page, "another", "Replace value")
    expect(page.get_by_text(f"Value of {name} replaced: jobs get it when they start")).to_be_visible()
    page.get_by_role("button", name=f"Delete {name}").click()
    expect(page.get_by_role("dialog")).to_contain_text("Jobs that run keep its value.")
    page.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).click()
    expect(row).to_have_count(0)


def test_a_name_that_is_taken_is_told_before_a_value_is_lost(hub_driver: HubPageDriver) -> None:
    """Adding would replace the value of the other one."""
    person = hub_driver.create_user("owner")
    name = f"taken_{person.name.replace('-', '_')}"
    person.request_json("PUT", f"projects/default/secrets/{name}", {"value": "first"})
    page = person.open_page("/projects/default")
    page.get_by_test_id("add-secret").click()
    page.get_by_role("dialog").get_by_label("Value").fill("second")
    page.get_by_role("dialog").get_by_label("Name").fill(name)

    expect(page.get_by_role("dialog")).to_contain_text("There is a secret of this name: replace its value instead")
    expect(page.get_by_role("dialog").get_by_role("button", name="Add secret", exact=True)).to_be_disabled()


def test_viewers_see_no_secrets(hub_driver: HubPageDriver) -> None:
    """Since they run no jobs."""
    page = hub_driver.create_user("viewer").open_page("/projects/default")

    expect(page.get_by_role("heading", name="Members")).to_be_visible()
    expect(page.get_by_role("heading", name="Secrets")).to_have_count(0)


def test_the_section_and_the_form_have_no_accessibility_violations(hub_driver: HubPageDriver) -> None:
    """In both themes, wide and narrow."""
    person = hub_driver.create_user("owner")
    name = f"a11y_{person.name.replace('-', '_')}"
    person.request_json("PUT", f"projects/default/secrets/{name}", {"value": "first"})
    page = person.open_page("/projects/default")
    expect(page.get_by_text(name, exact=True)).to_be_visible()
    assert find_violations_in_both_themes(page, WIDTHS) == {}

    go(page, f"{hub_driver.hub.url}/?kind=jobs&lang=en")
    page.get_by_test_id("new").click()
    form = page.get_by_role("dialog", name="New job")
    form.get_by_role("button", name="Add variable").click()
    form.get_by_label("Environment variables: kind 1").select_option("Secret")
    assert find_violations_in_both_themes(page, WIDTHS) == {}
