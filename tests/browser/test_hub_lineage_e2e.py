"""From a run on a chart to the job that made it, and from a job to what it ran with, and to another one like it."""

import re
from urllib.parse import quote

from playwright.sync_api import Page, expect

from support.accessibility import find_violations_in_both_themes
from support.board_process import BoardProcess
from support.hub_page_driver import HubPageDriver, HubUser, expect_status
from support.page_driver import PageDriver
from support.page_faults import find_page_faults
from support.settled_pages import press, reload, settle
from support.translations import find_english

RUN = "attempt-1/rank-0"
ITEM = "Made by job…"


def create_job(person: HubUser, **fields: object) -> dict[str, object]:
    """A job that has written a run of the sweep to its logs."""
    line = f'cp "{person.visitor.logs}/baseline/"* "$PAI_OUTPUT_TENSORBOARD"'
    return person.create_job(line, "Succeeded", name="mnist", image="telling", **fields)


def test_a5_b5_a_run_leads_to_its_job_and_back(hub_driver: HubPageDriver) -> None:
    """By its page and by its menu; the page of the job leads to the TensorBoard with its runs."""
    person = hub_driver.create_user()
    job = create_job(person)
    body = {"sources": [{"uri": "storage:jobs"}], "display_name": "All jobs", "project": "default"}
    board = person.request_json("POST", "tensorboards", body)
    hub_driver.hub.wait_for_status(board["id"], "Running", person.token)
    run = f"{str(job['output_uri']).removeprefix('storage:jobs/')}/tensorboard/{RUN}"

    page = person.open_page(f"/tb/{board['id']}/#run/{quote(run, safe='')}")
    made_by = page.get_by_role("region", name="Made by")
    expect(made_by).to_contain_text("1, replica 0")
    expect(made_by.get_by_role("link", name="mnist")).to_have_attribute(
        "href", f"{hub_driver.hub.url}/jobs/{job['id']}"
    )
    page.locator(f'[data-run="{run}"]').first.click(button="right")
    page.get_by_role("menuitem", name=ITEM).click()
    popover = page.get_by_role("dialog", name=re.compile("^The job that made "))
    with page.context.expect_page() as opened:
        popover.get_by_role("link", name="mnist").click()
    opened.value.goto(f"{hub_driver.hub.url}/jobs/{job['id']}?test=1&lang=en#lineage")
    settle(opened.value)
    row = opened.value.get_by_test_id("lineage-board").filter(has_text="All jobs")

    runs = row.get_by_role("link", name=f"{run.removesuffix(RUN)}…")
    expect(runs).to_have_attribute("href", re.compile(re.escape(f"/tb/{board['id']}/?runFilter=")))


def test_a5_b5_a_line_on_a_chart_leads_to_its_job(hub_driver: HubPageDriver) -> None:
    """From its row in the table of values, under a chart in full screen."""
    person = hub_driver.create_user()
    job = create_job(person)
    body = {"sources": [{"uri": str(job["tensorboard_uri"])}], "display_name": "One job", "project": "default"}
    board = person.request_json("POST", "tensorboards", body)
    hub_driver.hub.wait_for_status(board["id"], "Running", person.token)
    page = person.open_page(f"/tb/{board['id']}/")
    page.locator("article").first.hover()
    press(page, "f")
    full = page.get_by_test_id("fullscreen")
    expect(full.locator("article")).to_have_attribute("data-state", "ready")

    full.get_by_test_id("value-table").get_by_role("button", name=re.compile("^The job that made ")).click()

    popover = page.get_by_role("dialog", name=re.compile("^The job that made "))
    expect(popover.get_by_role("link", name="mnist")).to_have_attribute(
        "href", f"{hub_driver.hub.url}/jobs/{job['id']}"
    )
    assert find_violations_in_both_themes(page) == {}


def test_a5_a_job_tells_that_its_image_has_changed(hub_driver: HubPageDriver) -> None:
    """Where it is run again."""
    person = hub_driver.create_user()
    job = create_job(person)
    page = person.open_page(f"/jobs/{job['id']}#lineage")
    expect(page.get_by_test_id("packages")).to_be_visible()
    expect(page.get_by_test_id("image-changed")).to_have_count(0)
    told = person.request_json("GET", f"jobs/{job['id']}/lineage")
    told["attempts"][0]["image_changed"] = True
    page.route("**/lineage", lambda route: route.fulfill(json=told))
    reload(page)

    expect(page.get_by_test_id("image-changed")).to_have_text(
        "The image telling has changed since attempt 1 started: another run may have other packages."
    )
    assert find_violations_in_both_themes(page) == {}


def english_but_names(page: Page) -> list[str]:
    """The English that is left on a page, without names of products."""
    return [text for text in find_english(page) if not re.match("(Lightboard|Python) ", text)]


CHANGES = [
    {"name": "jupyterlab", "recorded": "4.5.0", "now": "4.6.0"},
    {"name": "torch", "recorded": "2.9.0", "now": None},
    {"name": "torchvision", "recorded": None, "now": "0.24.0"},
]


def test_a5_a_job_runs_again_with_the_packages_that_it_had(hub_driver: HubPageDriver) -> None:
    """If the environment is kept. What differs is listed, in every language."""
    person = hub_driver.create_user()
    job = create_job(person)
    told = person.request_json("GET", f"jobs/{job['id']}/lineage")
    assert (told["attempts"][0]["image_kept"], told["attempts"][0]["package_changes"]) == (False, [])
    old = {"image_changed": True, "image_kept": True, "image_digest": "a" * 64, "package_changes": CHANGES}
    told["attempts"][0].update(old)
    page = hub_driver.open_page("/", cookies=person.cookies())
    page.route("**/lineage", lambda route: route.fulfill(json=told))
    hub_driver.visit(page, f"/jobs/{job['id']}#lineage")
    expect(page.get_by_test_id("package-change")).to_have_text(
        ["jupyterlab4.5.04.6.0", "torch2.9.0–", "torchvision–0.24.0"]
    )
    assert find_page_faults(page, [390, 1024], accessible=[390], find_untranslated=english_but_names) == {}

    with page.expect_request("**/run-again") as request:
        page.get_by_test_id("run-with-old").click()

    assert request.value.post_data_json == {"image_digest": "a" * 64}
    expect(page.get_by_test_id("toast")).to_contain_text(f"no attempt of mnist had the environment {'a' * 64}")


def test_a5_b5_a_job_runs_again_from_what_it_ran_with(hub_driver: HubPageDriver) -> None:
    """Its page shows programs, packages and data; a button makes the next one, which leads back."""
    person = hub_driver.create_user()
    job = create_job(person, hyperparameters={"lr": 0.1}, inputs={"all": "storage:"})
    page = person.open_page(f"/jobs/{job['id']}#lineage")
    packages = page.get_by_test_id("packages")
    expect(page.get_by_role("table", name="Inputs")).to_contain_text("storage:")
    expect(page.get_by_role("main")).to_contain_text("The contents of folders and datasets are not frozen")

    packages.get_by_role("searchbox").fill("JUPY")
    expect(packages.get_by_test_id("package")).to_have_text(["jupyterlab4.5.0"])
    assert find_violations_in_both_themes(page) == {}
    page.get_by_test_id("run-again").click()

    expect(page.get_by_role("heading", name="mnist-2", level=1)).to_be_visible()
    expect_status(page.get_by_role("main"), "Succeeded")
    page.get_by_role("link", name="Reproduce").click()
    expect(page.get_by_test_id("repeat-of")).to_have_text("Run again from: mnist")


def test_a5_a_job_tells_what_was_in_its_inputs_and_that_it_has_changed(hub_driver: HubPageDriver) -> None:
    """Where it is run again, and beside what was recorded."""
    person = hub_driver.create_user()
    source = create_job(person)
    job = person.create_job("true", "Succeeded", name="evaluate", inputs={"train": source["output_uri"]})
    page = person.open_page(f"/jobs/{job['id']}#lineage")
    row = page.get_by_role("table", name="Inputs").get_by_role("row").filter(has_text="train")
    expect(row).to_contain_text(re.compile(r"1 file, [0-9]+ kB[0-9a-f]{12}"))
    expect(page.get_by_test_id("contents-changed")).to_have_count(0)

    person.request_json("PUT", f"jobs/{source['id']}/restart", {})
    hub_driver.hub.wait_for_job(str(source["id"]), "Succeeded", person.token)
    reload(page)

    expect(page.get_by_test_id("contents-changed")).to_have_text(
        "The contents of train have changed since attempt 1 started: another run reads the changed files."
    )
    expect(row).to_contain_text("changed since: now 2 files")
    assert find_violations_in_both_themes(page) == {}


def test_a_board_without_a_hub_knows_no_jobs(driver: PageDriver, sweep: BoardProcess) -> None:
    """Its menus have no such item, and its page asks for none."""
    page = driver.open(sweep, "#run/baseline")
    page.locator('[data-run="baseline"]').first.click(button="right")

    expect(page.get_by_role("menuitem", name="Copy name")).to_be_visible()
    expect(page.get_by_role("menuitem", name=ITEM)).to_have_count(0)
    assert [url for url in driver.requests if ".lightboard" in url] == []
