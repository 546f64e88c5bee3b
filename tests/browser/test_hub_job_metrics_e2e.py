"""Metrics and resource usage of jobs in the console: columns of the list, and charts on the page of a job."""

import pathlib
import re
import shlex
import sys
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from support.accessibility import find_violations_in_both_themes
from support.hub_page_driver import HubPageDriver, HubUser, board_row
from support.hub_process import wait_for
from support.settled_pages import settle

JOBS = "/?kind=jobs"
WRITE = """
import os, pathlib, sys, time
from lightboard.testing.event_files import append_events, scalar_record, write_events
folder = pathlib.Path(os.environ["PAI_OUTPUT_TENSORBOARD"])
def write(below, tag, values, first=0):
    file = folder / below / "events.out.tfevents.1"
    records = [scalar_record(tag, first + step, float(value), 1.6e9) for step, value in enumerate(values)]
    (append_events if file.exists() else write_events)(file, records)
write("", "loss", ["2", "1", "0.5"])
write("", "epoch", ["1", "1", "2"])
write("train", "head", ["3", "nan", "1"])
write("val", "head", ["4", "3", "nan"])
while not os.path.exists(sys.argv[1]):
    time.sleep(0.05)
write("", "loss", ["0.25"], 3)
"""


def start(driver: HubPageDriver, person: HubUser, gate: pathlib.Path) -> dict[str, Any]:
    """A job that has written, and waits for a file before it writes more."""
    job: dict[str, Any] = person.create_job(
        shlex.join([sys.executable, "-c", WRITE, str(gate)]), "Running", name=gate.name
    )
    look = lambda: driver.hub.json("GET", f"/api/v1/jobs/{job['id']}/metrics", token=person.token)["items"]  # noqa: E731
    wait_for(look, lambda found: len(found) == 4, "the metrics")
    return job


@pytest.fixture
def gate(hub_driver: HubPageDriver, tmp_path: pathlib.Path) -> pathlib.Path:
    """A file that jobs can see."""
    storage = hub_driver.hub.home / "hub" / "storage" / "default"
    return storage / tmp_path.name.replace("_", "-")[-40:].strip("-")


def metric(row: Locator, name: str) -> Locator:
    """The cell of a metric."""
    return row.locator(f'[data-metric="{name}"]')


def heads(page: Page) -> list[str]:
    """The titles of the columns of metrics."""
    return page.get_by_role("columnheader").all_inner_texts()[3:-5]


def test_the_list_shows_what_jobs_log(hub_driver: HubPageDriver, gate: pathlib.Path) -> None:
    """What most have, as it is written; what was chosen, as in the address; no column if there is nothing."""
    person = hub_driver.create_user()
    mine = f"{JOBS}&owner=me"
    other = person.create_job("true", "Succeeded", name="logs-nothing")
    page = person.open_page(mine)
    expect(board_row(page, other["name"])).to_be_visible()
    expect(page.get_by_test_id("metrics")).to_have_count(0)
    assert heads(page) == []

    job = start(hub_driver, person, gate)
    row = board_row(page, job["name"])
    expect(metric(row, "loss")).to_have_text("0.5")
    expect(metric(row, "loss").get_by_role("img")).to_have_accessible_name("loss: curve between 0.5 and 2")
    assert heads(page) == ["loss", "epoch", "train/head"]
    expect(metric(board_row(page, other["name"]), "loss")).to_have_text("–")
    gate.touch()
    expect(metric(row, "loss")).to_have_text("0.25")
    expect(metric(row, "loss")).to_have_attribute("title", "loss 0.25\nat step 3\nSep 13, 2020, 12:26")

    page.get_by_test_id("metrics").click()
    page.get_by_role("menuitemcheckbox", name="epoch").click()
    settle(page)
    page.get_by_test_id("metrics").click()
    page.get_by_role("menuitemcheckbox", name="val/head").click()
    settle(page)
    assert heads(page) == ["loss", "train/head", "val/head"]
    expect(metric(row, "val/head")).to_have_text("NaN")
    assert "metrics=loss%2Ctrain%2Fhead%2Cval%2Fhead" in page.url
    assert find_violations_in_both_themes(page) == {}

    page.set_viewport_size({"width": 390, "height": 800})
    expect(row.get_by_test_id("metric-line")).to_have_text("loss 0.25 · train/head 1 · val/head NaN")
    expect(metric(row, "loss")).to_be_hidden()


def test_the_page_of_a_job_has_a_chart_for_each_tag(hub_driver: HubPageDriver, gate: pathlib.Path) -> None:
    """With the runs of a tag in one chart, and their last values; it follows the job."""
    person = hub_driver.create_user()
    job = start(hub_driver, person, gate)
    page = person.open_page(f"/jobs/{job['id']}")
    page.get_by_role("link", name="Metrics", exact=True).click()
    charts = page.get_by_test_id("metric-chart")

    expect(charts).to_have_count(3)
    head = charts.filter(has=page.get_by_text("head", exact=True))
    expect(head.get_by_role("listitem")).to_have_text(["train1at step 2", "valNaNat step 2"])
    expect(head.get_by_role("img")).to_have_accessible_name("head, Steps 0 to 2")
    loss = charts.filter(has=page.get_by_text("loss", exact=True))
    expect(loss.get_by_role("listitem")).to_have_text(["0.5at step 2"])
    assert find_violations_in_both_themes(page) == {}
    gate.touch()
    expect(loss.get_by_role("listitem")).to_have_text(["0.25at step 3"])


def test_the_page_of_a_job_shows_what_it_has_used(hub_driver: HubPageDriver, gate: pathlib.Path) -> None:
    """Of processors and memory over time, also after its end; there are no charts of GPUs without one."""
    person = hub_driver.create_user()
    job = person.create_job(
        shlex.join(["sh", "-c", 'until [ -e "$0" ]; do sleep 0.05; done', str(gate)]), "Running", name=gate.name
    )
    look = lambda: hub_driver.hub.json("GET", f"/api/v1/jobs/{job['id']}/usage", token=person.token)["replicas"]  # noqa: E731
    wait_for(look, lambda found: bool(found) and len(found[0]["at"]) > 1, "two samples")
    page = person.open_page(f"/jobs/{job['id']}")
    page.get_by_role("link", name="Resources", exact=True).click()
    charts = page.get_by_role("figure")

    expect(charts.locator("figcaption")).to_have_text(["CPUs in use", "Memory"])
    expect(page.get_by_test_id("usage-memory").get_by_role("listitem")).to_have_text(re.compile(r"^[\d.]+[MG]$"))
    expect(page.get_by_test_id("usage-cpus").get_by_role("img")).to_have_accessible_name(
        re.compile(r"^CPUs in use, \d+ s until ")
    )
    assert find_violations_in_both_themes(page) == {}

    gate.touch()
    expect(page.locator('[data-status="Succeeded"]').first).to_be_visible()
    settle(page)
    expect(charts).to_have_count(2)
