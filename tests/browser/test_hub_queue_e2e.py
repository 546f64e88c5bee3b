"""The queue in the console: its page, and jobs that are paused and resumed."""

from playwright.sync_api import expect

from support.accessibility import find_violations_in_both_themes
from support.hub_page_driver import HubPageDriver, board_row, choose_from_menu, expect_status, tab_to
from support.settled_pages import press

TOO_MANY = 64
"""More replicas than there are slots: such a job waits until it is stopped."""


def test_the_queue_says_what_each_job_waits_for(hub_driver: HubPageDriver) -> None:
    """Live, with a link to the job and the share of the account. Jobs of other projects are only counted."""
    person, other = hub_driver.create_user(), hub_driver.create_user("")
    page = person.open_page("/queue")
    expect(page.get_by_test_id("gauge").filter(has_text="Slots")).to_contain_text("in use")
    job = person.create_job("true", name="large-sweep", replicas=TOO_MANY, priority=7)
    row = page.get_by_test_id("queue-row").filter(has_text="large-sweep")
    expect(row).to_contain_text("64 slots7")
    expect(row.get_by_role("cell").nth(2)).to_have_text(job["message"])
    expect(page.get_by_test_id("share-row").filter(has_text="you")).to_contain_text("1")

    row.get_by_role("link", name="large-sweep").click()
    expect(page.get_by_role("heading", name="large-sweep", level=1)).to_be_visible()
    elsewhere = other.open_page("/queue")
    expect(elsewhere.get_by_test_id("hidden")).to_contain_text("of other projects")
    expect(elsewhere.get_by_test_id("queue-row")).to_have_count(0)


def test_jobs_are_paused_in_the_list_and_resumed_on_their_page(hub_driver: HubPageDriver) -> None:
    """It says who has paused them."""
    person = hub_driver.create_user()
    job = person.create_job("true", name="paused-sweep", replicas=TOO_MANY)
    page = person.open_page("/?kind=jobs&search=paused-sweep")
    choose_from_menu(page, "paused-sweep", "Pause")
    expect_status(board_row(page, "paused-sweep"), "Paused")
    expect(board_row(page, "paused-sweep")).to_contain_text("paused by")

    page = person.open_page(f"/jobs/{job['id']}")
    page.get_by_test_id("resume").click()
    expect_status(page.get_by_role("main"), "Queued")
    expect(page.get_by_test_id("resume")).to_have_count(0)


def test_the_priority_of_a_job_is_changed_on_its_page(hub_driver: HubPageDriver) -> None:
    """By keys, in a dialog without violations. The page shows the new one."""
    person = hub_driver.create_user()
    job = person.create_job("true", name="urgent-sweep", replicas=TOO_MANY)
    page = person.open_page(f"/jobs/{job['id']}#overview")
    page.get_by_test_id("menu").press("Enter")
    page.get_by_role("menuitem", name="Change priority…", exact=True).press("Enter")
    dialog = page.get_by_role("dialog", name="Change the priority of urgent-sweep")
    expect(dialog.get_by_role("combobox", name="Priority")).to_have_value("5")
    assert find_violations_in_both_themes(page) == {}

    tab_to(page, "select")
    press(page, "8")
    tab_to(page, "[type=submit]")
    press(page, "Enter")
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("main").get_by_text("Priority", exact=True).locator("xpath=following::dd[1]")).to_have_text(
        "8"
    )
    assert person.request_json("GET", f"jobs/{job['id']}")["priority"] == 8


def test_the_priority_of_a_job_is_changed_in_the_queue(hub_driver: HubPageDriver) -> None:
    """By whoever may change it; viewers see no button."""
    person, viewer = hub_driver.create_user(), hub_driver.create_user("viewer")
    person.create_job("true", name="later-sweep", replicas=TOO_MANY)
    button = "Change the priority of later-sweep"
    page = person.open_page("/queue")
    page.get_by_role("button", name=button).click()
    page.get_by_role("dialog", name=button).get_by_role("combobox", name="Priority").select_option("9")
    page.get_by_role("dialog", name=button).get_by_role("button", name="Save").click()
    expect(page.get_by_test_id("queue-row").filter(has_text="later-sweep")).to_contain_text("64 slots9")

    seen = viewer.open_page("/queue")
    expect(seen.get_by_test_id("queue-row").filter(has_text="later-sweep")).to_have_count(1)
    expect(seen.get_by_role("button", name=button)).to_have_count(0)
