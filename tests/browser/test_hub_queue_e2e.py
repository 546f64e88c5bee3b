"""The queue in the console: its page, and jobs that are paused and resumed."""

from playwright.sync_api import expect

from support.hub_page_driver import HubPageDriver, board_row, choose_from_menu, expect_status

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
