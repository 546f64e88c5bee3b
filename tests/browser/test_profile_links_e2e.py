"""Profile and other pages: from a step on a chart, or a node of a graph, to its slices, and back."""

import pathlib
import re

from playwright.sync_api import Page, expect

from lightboard.testing.event_files import graph_record, version_record, write_events
from support.board_process import BoardProcess, BoardStarter
from support.graph_defs import graph_def, node_def
from support.page_driver import PageDriver
from support.profile_pages import EVENTS, KERAS, open_profile, shown_range
from support.profiles import slice_event, trace
from support.settled_pages import settle


def open_card_menu(page: Page) -> None:
    """The menu of the only card, with everything that it asks the server for."""
    card = page.get_by_test_id("card")
    card.hover()
    card.get_by_role("button", name="More actions").click()
    settle(page)


def test_a_step_that_is_pinned_on_a_chart_leads_to_its_slices(driver: PageDriver, profiles: BoardProcess) -> None:
    page = driver.open(profiles, "&pin=2,keras/train#timeseries")
    settle(page)
    open_card_menu(page)
    page.get_by_role("menuitem", name="Show step 2 in Profile").click()

    expect(page.locator("[data-testid=time-line][data-state=ready]")).to_be_visible()
    assert shown_range(page) == "2.89 ms – 4.95 ms"
    assert f"profile=capture={KERAS};view=timeline;window=" in page.url


def test_a_step_that_no_capture_of_the_run_has_leads_nowhere(driver: PageDriver, profiles: BoardProcess) -> None:
    page = driver.open(profiles, "&pin=70,keras/train#timeseries")
    settle(page)
    open_card_menu(page)

    expect(page.get_by_role("menuitem", name="Statistics")).to_be_visible()
    expect(page.get_by_role("menuitem", name=re.compile("Profile"))).to_have_count(0)


def test_a_step_of_the_time_line_is_pinned_on_charts(driver: PageDriver, profiles: BoardProcess) -> None:
    page = open_profile(driver, profiles, f"capture={KERAS};view=timeline;window=2890,4950")
    page.get_by_role("button", name="Step 2 on charts").click()
    settle(page)

    expect(page.get_by_test_id("card").first).to_be_visible()
    assert "pin=2,keras/train" in page.url


def test_the_slowest_step_is_pinned_on_charts_and_marked_among_the_bars(
    driver: PageDriver, profiles: BoardProcess
) -> None:
    page = open_profile(driver, profiles, f"capture={KERAS}")
    page.get_by_role("region", name="Step time").get_by_role("button", name="Step 1 on charts").first.click()
    settle(page)
    assert "pin=1,keras/train" in page.url

    page.get_by_test_id("tab-profile").click()
    current = page.get_by_role("figure").locator("[aria-current=step]")
    expect(current).to_have_accessible_name("Step 1: 2.87 ms, slowest")


def write_graph_and_capture(folder: pathlib.Path) -> None:
    """A run with two layers, of which the profiler has seen a multiplication of each."""
    names = ("dense/MatMul", "dense_1/MatMul")
    nodes = [node_def(name, "MatMul") for name in names]
    write_events(folder / "a" / EVENTS, [version_record(), graph_record(graph_def(*nodes))])
    slices = [
        slice_event(f"{name}:MatMul", 10 * at, 5, cat="cpu_op")
        for at, name in enumerate(("dense/MatMul", "dense_1/MatMul"))
    ]
    (folder / "a" / "host.trace.json").write_bytes(trace(*slices))


def test_a_slice_leads_to_its_node_and_the_node_to_its_slices(
    driver: PageDriver, start_board: BoardStarter, tmp_path: pathlib.Path
) -> None:
    write_graph_and_capture(tmp_path)
    page = driver.open(start_board(tmp_path), "&profile=view=timeline;slice=0:1#profile")
    page.get_by_test_id("slice").get_by_role("button", name="Show in the graph").click()
    details = page.get_by_test_id("graph-details")
    expect(details).to_have_attribute("data-path", "dense_1/MatMul")
    settle(page)
    assert "selected=dense_1/MatMul" in page.url

    page.get_by_test_id("graph-slices").get_by_role("button", name="1 slice, 5.00 µs").click()
    expect(page.get_by_label("Find slices")).to_have_value("dense_1/MatMul")
    expect(page.get_by_test_id("slice").get_by_role("heading").first).to_have_text("dense_1/MatMul:MatMul")
