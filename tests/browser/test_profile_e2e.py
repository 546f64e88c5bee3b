"""Profile: overview and memory of captures by the profilers that people use, and what all views have in common."""

import pathlib

import pytest
from playwright.sync_api import expect

from lightboard.testing.event_files import (
    STRING,
    scalar_record,
    summary_metadata,
    tensor,
    tensor_record,
    version_record,
    write_events,
)
from support.accessibility import find_violations_in_both_themes
from support.board_process import BoardProcess, BoardStarter
from support.page_driver import PageDriver
from support.page_faults import LANGUAGES, find_page_faults
from support.profile_pages import EVENTS, JAX, KERAS, WIDTHS, open_profile, shown_range
from support.profiles import slice_event, trace
from support.settled_pages import go_back, press, settle


def test_e_t1_a_trace_without_a_folder_says_which_argument_is_missing(
    driver: PageDriver, start_board: BoardStarter, tmp_path: pathlib.Path
) -> None:
    """`trace_export` ignores the folder that programs give it."""
    record = tensor_record("model_trace", 0, tensor(STRING, [b""]), 5.0, summary_metadata("graph_run_metadata"))
    write_events(tmp_path / "a" / EVENTS, [record])
    page = driver.open(start_board(tmp_path), "#profile")

    expect(page.get_by_role("status").filter(has_text="profiler_outdir")).to_have_text(
        "A trace was recorded, but no folder was given for its profile: pass the folder to tf.summary.trace_on as "
        "profiler_outdir. trace_export ignores it."
    )
    expect(page.get_by_test_id("tab-more")).to_be_visible()


def test_the_overview_has_steps_categories_operators_and_hosts(driver: PageDriver, profiles: BoardProcess) -> None:
    """Each rank has figures of its own."""
    page = open_profile(driver, profiles, "capture=torch_ranks")

    steps = page.get_by_role("region", name="Step time")
    expect(steps).to_contain_text("trainer rank 01.07 ms ± 314 µs3 steps · slowest: step 3, 1.28 ms")
    expect(steps).to_contain_text("trainer rank 1960 µs ± 289 µs3 steps · slowest: step 3, 1.17 ms")
    rows = page.get_by_role("table", name="Where the time goes: trainer rank 1").get_by_role("row")
    assert [row.split("\t") for row in rows.all_inner_texts()] == [
        ["Communication", "1.87 ms", "76.5 %"],
        ["Compute", "576 µs", "23.5 %"],
    ]
    top = page.get_by_role("region", name="Most expensive operators").get_by_role("rowheader")
    assert top.all_inner_texts()[0] == "gloo:all_reduce"


def test_the_slowest_step_is_marked_in_words(driver: PageDriver, profiles: BoardProcess) -> None:
    page = open_profile(driver, profiles, f"capture={KERAS}")

    bars = page.get_by_role("figure").get_by_role("button")
    assert [bar.get_attribute("aria-label") for bar in bars.all()] == [
        "Step 1: 2.87 ms, slowest",
        "Step 2: 1.87 ms",
        "Step 3: 1.75 ms",
    ]


def test_a_step_opens_the_time_line_there(driver: PageDriver, profiles: BoardProcess) -> None:
    page = open_profile(driver, profiles, f"capture={KERAS}")
    page.get_by_role("button", name="Step 2: 1.87 ms").click()
    expect(page.locator("[data-testid=time-line][data-state=ready]")).to_be_visible()
    assert shown_range(page) == "2.89 ms – 4.95 ms"

    go_back(page)
    expect(page.get_by_test_id("profile-overview")).to_be_visible()


def test_without_steps_it_says_how_to_mark_them(
    driver: PageDriver, start_board: BoardStarter, tmp_path: pathlib.Path
) -> None:
    """And what is cut off is told."""
    (tmp_path / "host.trace.json").write_bytes(trace(slice_event("a", 0, 5), slice_event("b", 9, 1))[:-40])
    page = driver.open(start_board(tmp_path), "#profile")

    expect(page.get_by_role("region", name="Step time")).to_contain_text(
        "No steps are marked. Call profiler.step() of torch.profiler after each step"
    )
    expect(page.get_by_role("region", name="Problems")).to_contain_text("the file is cut off, and is read up to there")


def test_a_logdir_with_nothing_but_captures_opens_with_them(
    driver: PageDriver, start_board: BoardStarter, tmp_path: pathlib.Path
) -> None:
    (tmp_path / "host.trace.json").write_bytes(trace(slice_event("a", 0, 5)))
    page = driver.open(start_board(tmp_path))

    expect(page.locator("[data-testid=profile][data-state=ready]")).to_be_visible()


def test_a_capture_that_arrives_is_offered(
    driver: PageDriver, start_board: BoardStarter, tmp_path: pathlib.Path
) -> None:
    write_events(tmp_path / "a" / EVENTS, [version_record(), scalar_record("loss", 0, 1.0)])
    page = driver.open(start_board(tmp_path))
    expect(page.get_by_test_id("tab-profile")).to_have_count(0)

    (tmp_path / "a" / "host.trace.json").write_bytes(trace(slice_event("a", 0, 5)))
    press(page, "r")

    expect(page.get_by_test_id("tab-profile")).to_have_text("Profile1")


def test_another_capture_is_chosen(driver: PageDriver, profiles: BoardProcess) -> None:
    page = open_profile(driver, profiles, "capture=torch")
    page.get_by_label("Capture").select_option(JAX)

    expect(page.get_by_role("region", name="Step time")).to_contain_text("265 µs ± 180 µs")
    settle(page)
    assert f"capture={JAX}" in page.url


def test_a_capture_that_is_not_there_is_told(driver: PageDriver, profiles: BoardProcess) -> None:
    """Another one is shown, which must not be mistaken for it."""
    page = open_profile(driver, profiles, "capture=gone;view=overview")
    note = page.get_by_role("status").filter(has_text="There is no capture gone. This is the newest one.")
    expect(note).to_be_visible()
    page.get_by_label("Capture").select_option("torch")
    expect(note).to_have_count(0)


@pytest.mark.parametrize(
    "view",
    [
        *("overview", "timeline", "operators", "operators;form=shapes", "operators;form=down", "operators;form=up"),
        *("memory", "compare"),
    ],
)
def test_the_page_has_no_violations(driver: PageDriver, profiles: BoardProcess, view: str) -> None:
    """In both themes, wide and narrow."""
    page = open_profile(driver, profiles, f"capture=torch;view={view};slice=0:3;range=1000,4000;find=linear")
    assert find_violations_in_both_themes(page, [1440, 390]) == {}


@pytest.mark.parametrize("view", ["overview", "timeline", "operators", "operators;form=shapes", "memory", "compare"])
def test_nothing_is_cut(driver: PageDriver, profiles: BoardProcess, view: str) -> None:
    """At any width, in any language."""
    capture = "torch" if view == "memory" else KERAS  # that of Keras has no allocations
    page = open_profile(
        driver, profiles, f"capture={capture};view={view};slice=0:3;range=1000,4000;find=a", f"&lang={LANGUAGES[0]}"
    )

    assert find_page_faults(page, WIDTHS) == {}


def test_the_overview_says_what_steps_are_made_of_and_whom_ranks_wait_for(
    driver: PageDriver, profiles: BoardProcess
) -> None:
    page = open_profile(driver, profiles, "capture=torch_ranks")

    parts = page.get_by_role("table", name="What steps are made of: trainer rank 1 · CPU").get_by_role("row")
    assert [row.split("\t") for row in parts.all_inner_texts()] == [
        ["Compute", "576 µs", "20.0 %"],
        ["Communication", "1.68 ms", "58.3 %"],
        ["Idle", "625 µs", "21.7 %"],
    ]
    steps = page.get_by_role("table", name="Ranks in each step").get_by_role("row")
    assert [row.split("\t") for row in steps.all_inner_texts()[1:3]] == [
        ["2", "1.08 ms", "1.22 ms", "143 µs", "trainer rank 0", "trainer rank 0", "93.2 µs"],
        ["3", "1.17 ms", "1.28 ms", "101 µs", "trainer rank 0", "trainer rank 1", "362 µs"],
    ]


def test_the_overview_says_what_to_change(driver: PageDriver, profiles: BoardProcess) -> None:
    """With the change as code."""
    page = open_profile(driver, profiles, "capture=torch_ranks")

    expect(page.get_by_role("region", name="What to change").get_by_role("listitem")).to_have_text(
        [
            "Operators have no scopes, since the profiler has not recorded modules."
            "torch.profiler.profile(with_stack=True, with_modules=True)",
            "Operators do not say the shapes of their inputs, since the profiler has not recorded them."
            "torch.profiler.profile(record_shapes=True)",
        ]
    )


def test_a_capture_is_downloaded_for_another_viewer(driver: PageDriver, profiles: BoardProcess) -> None:
    page = open_profile(driver, profiles, "capture=torch_ranks")
    with page.expect_download() as download:
        page.get_by_role("link", name="speedscope").click()

    assert download.value.suggested_filename == "torch_ranks.speedscope.json"


def test_memory_shows_the_curve_and_who_holds_the_peak(driver: PageDriver, profiles: BoardProcess) -> None:
    page = open_profile(driver, profiles, "capture=torch_snapshot%2Fmemory_snapshot.pickle")
    device = page.get_by_test_id("memory-device")
    expect(device.get_by_role("img")).to_have_accessible_name("Memory of GPU:0 over time, 129 MB at the peak")
    holders = device.get_by_role("table", name="Who holds the peak")

    def sizes() -> list[str]:
        return [row.locator("td").nth(1).inner_text() for row in holders.locator("tbody tr").all()]

    assert sizes() == ["67 MB", "37 MB", "17 MB", "8.4 MB", "512 B"]
    holders.get_by_role("button", name="Size").click()
    settle(page)
    assert sizes() == ["512 B", "8.4 MB", "17 MB", "37 MB", "67 MB"]
    holders.get_by_text("write_gpu_profiles.py:66").first.click()
    settle(page)
    expect(holders.get_by_role("listitem").first).to_have_text(
        "forward /usr/lib/python/site-packages/torch/nn/modules/linear.py:134"
    )
