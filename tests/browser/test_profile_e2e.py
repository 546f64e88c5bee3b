"""Profile: overview, operators and time line of captures by the profilers that people use."""

import os
import pathlib
import re
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

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
from support.board_process import BoardProcess, BoardStarter, serve_logs
from support.page_driver import PageDriver
from support.page_faults import LANGUAGES, find_page_faults
from support.profiles import PROFILES, slice_event, trace
from support.settled_pages import go_back, press, settle, type_text

WIDTHS = [1440, 1024, 390]
JAX = "jax/2026_11_27_10_00_00"
KERAS = "keras/train/2026_11_27_10_00_00"
EVENTS = "events.out.tfevents.1"
COLORS = """(canvas) => { const { width, height } = canvas;
    const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
    const found = new Set();
    for (let at = 0; at < data.length; at += 4) found.add([data[at], data[at + 1], data[at + 2]].join());
    return found.size; }"""


def with_runs(folder: pathlib.Path) -> None:
    """The captures of the corpus, in runs."""
    shutil.copytree(PROFILES, folder)
    for run in ("torch", "torch_ranks", "jax", "keras/train", "tensorflow"):
        write_events(folder / run / EVENTS, [version_record(), scalar_record("loss", 0, 1.0)])


@pytest.fixture(scope="module")
def profiles(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardProcess]:
    """Captures of PyTorch, TensorFlow, Keras and JAX."""
    yield from serve_logs(tmp_path_factory.mktemp("profiles") / "runs", with_runs)


def opened(driver: PageDriver, board: BoardProcess, fields: str, query: str = "", **more: object) -> Page:
    """The page, once it shows the capture."""
    page = driver.open(board, f"&profile={fields}{query}#profile", **more)  # type: ignore[arg-type]
    expect(page.locator("[data-testid=profile][data-state=ready]")).to_be_visible()
    settle(page)
    return page


def time_line(driver: PageDriver, board: BoardProcess, capture: str, **more: object) -> Page:
    """The page with the time line, once it is drawn."""
    page = opened(driver, board, f"capture={capture};view=timeline", **more)  # type: ignore[arg-type]
    expect(page.locator("[data-testid=time-line][data-state=ready]")).to_be_visible()
    settle(page)
    return page


def names(page: Page) -> list[str]:
    """Names of the operators that are seen."""
    return page.locator("[data-testid=operator] [data-column=name]").all_inner_texts()


def column(page: Page, name: str) -> Locator:
    """The button of a column."""
    return page.get_by_test_id("operators").get_by_role("columnheader").filter(has_text=name).get_by_role("button")


def shown_range(page: Page) -> str:
    """What the time line shows."""
    settle(page)
    return page.get_by_test_id("time-range").inner_text()


def test_e9_the_profile_tab_shows_the_operations_of_a_tensorflow_program_on_a_time_line(
    driver: PageDriver, profiles: BoardProcess
) -> None:
    """The capture is by `tf.profiler`, in the run's folder."""
    page = time_line(driver, profiles, "tensorflow/2026_11_27_10_00_00")

    expect(page.get_by_test_id("tab-profile")).to_have_text("Profile10")
    expect(page.get_by_role("region", name="Time line of 3 tracks, from 0 s to 32.0 ms")).to_be_visible()
    longest = page.get_by_role("region", name="Longest slices in view").get_by_role("listitem")
    assert longest.first.inner_text().split("\n") == ["train", "29.1 ms"]
    assert page.get_by_test_id("time-line").locator("canvas").evaluate(COLORS) > 5


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
    page = opened(driver, profiles, "capture=torch_ranks")

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
    page = opened(driver, profiles, f"capture={KERAS}")

    bars = page.get_by_role("figure").get_by_role("button")
    assert [bar.get_attribute("aria-label") for bar in bars.all()] == [
        "Step 1: 2.87 ms, slowest",
        "Step 2: 1.87 ms",
        "Step 3: 1.75 ms",
    ]


def test_a_step_opens_the_time_line_there(driver: PageDriver, profiles: BoardProcess) -> None:
    page = opened(driver, profiles, f"capture={KERAS}")
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


def test_operators_are_sorted_by_their_heads(driver: PageDriver, profiles: BoardProcess) -> None:
    page = opened(driver, profiles, "capture=torch_ranks;view=operators")
    assert names(page)[0] == "gloo:all_reduce"

    column(page, "Count").click()
    expect(page.locator("[data-testid=operator] [data-column=name]").first).to_have_text("aten::resolve_conj")
    column(page, "Name").click()
    expect(page.locator("[data-testid=operator] [data-column=name]").first).to_have_text("aten::matmul")
    settle(page)

    expect(page.get_by_role("columnheader", name="Name")).to_have_attribute("aria-sort", "ascending")
    assert "sort=name" in page.url


def test_operators_are_searched_and_the_address_keeps_it(driver: PageDriver, profiles: BoardProcess) -> None:
    page = opened(driver, profiles, "capture=torch;view=operators")
    page.get_by_label("Search operators").click()
    type_text(page, "transpose linear_0")

    expect(page.get_by_role("status").filter(has_text="operator")).to_have_text("1 operator")
    settle(page)
    assert names(page) == ["aten::transpose"]
    again = driver.open(profiles, "&" + page.url.partition("&")[2])
    expect(again.get_by_label("Search operators")).to_have_value("transpose linear_0")


def test_only_the_rows_that_are_seen_are_in_the_page(driver: PageDriver, profiles: BoardProcess) -> None:
    page = opened(driver, profiles, "capture=torch;view=operators", height=400)

    expect(page.get_by_test_id("operators")).to_have_attribute("aria-rowcount", "62")
    assert page.get_by_test_id("operator").count() < 30


def test_another_capture_is_chosen(driver: PageDriver, profiles: BoardProcess) -> None:
    page = opened(driver, profiles, "capture=torch")
    page.get_by_label("Capture").select_option(JAX)

    expect(page.get_by_role("region", name="Step time")).to_contain_text("265 µs ± 180 µs")
    settle(page)
    assert f"capture={JAX}" in page.url


def test_keys_zoom_and_move_the_time_line(driver: PageDriver, profiles: BoardProcess) -> None:
    page = time_line(driver, profiles, "torch_ranks")
    page.get_by_test_id("time-line").focus()
    whole = shown_range(page)
    assert whole == "0 s – 3.30 ms"

    press(page, "w")
    assert shown_range(page) == "496 µs – 2.81 ms"
    press(page, "d")
    assert shown_range(page) == "958 µs – 3.27 ms"
    press(page, "a", "s")
    assert shown_range(page) == whole
    press(page, "w", "0")
    assert shown_range(page) == whole


def test_the_wheel_zooms_with_control_at_the_pointer(driver: PageDriver, profiles: BoardProcess) -> None:
    page = time_line(driver, profiles, "torch_ranks")
    box = page.get_by_test_id("time-line").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 100)
    page.keyboard.down("Control")
    page.mouse.wheel(0, -400)
    page.keyboard.up("Control")

    expect(page.get_by_test_id("time-range")).to_have_text("826 µs – 2.48 ms")


def test_dragging_moves_the_time_line(driver: PageDriver, profiles: BoardProcess) -> None:
    page = opened(driver, profiles, "capture=torch_ranks;view=timeline;window=1000,2000")
    box = page.get_by_test_id("time-line").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 300)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 4, box["y"] + 300, steps=4)
    page.mouse.up()

    expect(page.get_by_test_id("time-range")).to_have_text("1.25 ms – 2.25 ms")
    expect(page).to_have_url(re.compile("window=1250"))


def test_a_slice_shows_its_arguments_and_the_next_of_its_name(driver: PageDriver, profiles: BoardProcess) -> None:
    page = time_line(driver, profiles, "torch")
    page.get_by_role("region", name="Longest slices in view").get_by_role(
        "button", name=re.compile("^aten::linear")
    ).click()
    details = page.get_by_test_id("slice")

    expect(details).to_contain_text("1 of 6 of this name")
    expect(details).to_contain_text("Input Dims")
    details.get_by_role("button", name="Next of the same name").click()
    expect(details).to_contain_text("2 of 6 of this name")
    settle(page)
    assert re.search(r"slice=0:\d+", page.url)


def drag(page: Page, begin: tuple[float, float], end: tuple[float, float]) -> None:
    """With the main button, from one place of the time line to another."""
    box = page.get_by_test_id("time-line").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + begin[0], box["y"] + begin[1])
    page.mouse.down()
    page.mouse.move(box["x"] + end[0], box["y"] + end[1], steps=4)
    page.mouse.up()


def selected(page: Page) -> list[list[str]]:
    """The rows of the table of what is in the range."""
    rows = page.get_by_role("region", name="Slices in the range").get_by_role("row").all_inner_texts()
    return [[cell.strip() for cell in row.split("\t")] for row in rows[1:]]


def test_dragging_with_shift_selects_tracks_and_time(driver: PageDriver, profiles: BoardProcess) -> None:
    """The sums are those of the server, the address keeps the range, and Escape clears it."""
    page = time_line(driver, profiles, "torch_ranks")
    whole = shown_range(page)
    page.keyboard.down("Shift")
    drag(page, (50, 60), (700, 200))
    page.keyboard.up("Shift")
    panel = page.get_by_test_id("time-selection")
    expect(panel.get_by_role("status")).to_contain_text("2 tracks")
    settle(page)
    assert shown_range(page) == whole
    assert re.search(r"range=[\d.]+,[\d.]+,0:\d+,0:\d+", page.url)
    rows = selected(page)
    assert "gloo:all_reduce" in {row[0] for row in rows}

    again = driver.open(profiles, "&" + page.url.partition("?")[2])
    expect(again.get_by_test_id("time-selection").get_by_role("status")).to_contain_text("2 tracks")
    settle(again)
    assert selected(again) == rows
    again.get_by_test_id("time-line").focus()
    press(again, "Escape")
    expect(again.get_by_test_id("time-selection")).to_have_count(0)
    assert "range=" not in again.url


def test_the_table_of_a_range_is_sorted_and_leads_to_its_slices(driver: PageDriver, profiles: BoardProcess) -> None:
    page = opened(driver, profiles, "capture=torch_ranks;view=timeline;range=0,3000")
    table = page.get_by_role("region", name="Slices in the range")
    expect(table.get_by_role("columnheader", name="Self")).to_have_attribute("aria-sort", "descending")

    table.get_by_role("button", name="Count").click()
    expect(table.get_by_role("rowheader").first).to_have_text("aten::resolve_conj")
    table.get_by_role("button", name="c10d::allreduce_").click()
    expect(page.get_by_test_id("found-count")).to_have_text("6 slices")
    expect(page.get_by_label("Find slices")).to_have_value("c10d::allreduce_")


def test_m_selects_the_time_of_a_slice_and_the_button_selects_by_dragging(
    driver: PageDriver, profiles: BoardProcess
) -> None:
    page = time_line(driver, profiles, "torch_ranks")
    page.get_by_role("region", name="Longest slices in view").get_by_role("button").first.click()
    expect(page.get_by_test_id("slice").get_by_role("heading").first).to_have_text("ProfilerStep#3")
    duration = page.get_by_test_id("slice").get_by_role("definition").first.inner_text()
    page.get_by_test_id("time-line").focus()
    press(page, "m")
    panel = page.get_by_test_id("time-selection")
    expect(panel.get_by_role("heading")).to_have_text(duration)
    expect(panel.get_by_role("status")).to_contain_text("1 track ")

    page.get_by_role("button", name="Select a range by dragging").click()
    drag(page, (100, 10), (400, 20))
    expect(panel.get_by_role("status")).not_to_contain_text("track")


def test_slices_are_found_one_after_the_other(driver: PageDriver, profiles: BoardProcess) -> None:
    page = time_line(driver, profiles, "torch_ranks")
    page.get_by_test_id("time-line").focus()
    press(page, "Control+f")
    type_text(page, "ALLREDUCE")
    count = page.get_by_test_id("found-count")
    expect(count).to_have_text("6 slices")
    press(page, "Enter")
    expect(count).to_have_text("1 of 6")
    expect(page.get_by_test_id("slice").get_by_role("heading").first).to_have_text("c10d::allreduce_")

    press(page, "Enter")
    expect(count).to_have_text("2 of 6")
    press(page, "Shift+Enter", "Shift+Enter")
    expect(count).to_have_text("6 of 6")
    settle(page)
    assert "find=ALLREDUCE" in page.url


def test_what_is_found_is_seen(driver: PageDriver, profiles: BoardProcess) -> None:
    """Its process and its track are opened, and it is zoomed until it can be seen."""
    page = opened(driver, profiles, f"capture={KERAS};view=timeline;closed=0p0;find=matmul")
    page.get_by_label("Find slices").focus()
    expect(page.get_by_test_id("found-count")).to_contain_text("slices")
    press(page, "Enter")

    expect(page.get_by_test_id("slice").get_by_role("heading").first).to_have_text(re.compile("MatMul", re.I))
    settle(page)
    assert "closed=" not in page.url
    assert "window=" in page.url


def test_processes_and_tracks_close_and_stay_on_top(driver: PageDriver, profiles: BoardProcess) -> None:
    """The address keeps it."""
    page = time_line(driver, profiles, "torch_ranks")
    line = page.get_by_test_id("time-line")
    process = line.get_by_role("button", name=re.compile("^trainer rank 0 · "))
    expect(process).to_have_attribute("aria-expanded", "true")
    expect(line.get_by_role("button", expanded=True)).to_have_count(8)

    process.click()
    expect(line.get_by_role("button", expanded=True)).to_have_count(4)
    line.get_by_role("button", name=re.compile(r"^Keep .*\(python\) on top$")).click()
    expect(line.get_by_role("button", pressed=True)).to_have_count(1)
    settle(page)
    assert re.search(r"closed=0p\d+;pinned=1:\d+", page.url)
    top = line.get_by_role("button", name=re.compile(r"^trainer rank 1 · .*\(python\)$")).bounding_box()
    below = process.bounding_box()
    assert top is not None
    assert below is not None
    assert top["y"] < below["y"]


def test_counters_and_instants_tell_their_values(
    driver: PageDriver, start_board: BoardStarter, tmp_path: pathlib.Path
) -> None:
    """A triangle above the row of its track, and a chart below it."""
    saved = {"ph": "i", "name": "saved", "pid": 1, "tid": 2, "ts": 0}
    sample = {"ph": "C", "name": "queue", "pid": 1, "ts": 0, "args": {"length": 3}}
    (tmp_path / "host.trace.json").write_bytes(trace(slice_event("op", 0, 100), saved, sample))
    page = driver.open(start_board(tmp_path), "&profile=view=timeline#profile")
    expect(page.locator("[data-testid=time-line][data-state=ready]")).to_be_visible()
    settle(page)
    box = page.get_by_test_id("time-line").bounding_box()
    assert box is not None

    head = box["y"] + 40 + 24 + 24
    page.mouse.move(box["x"] + 2, head + 5)
    expect(page.get_by_test_id("time-tip")).to_have_text("saved0 s")
    page.mouse.move(box["x"] + 30, head + 10 + 18 + 6 + 20)
    expect(page.get_by_test_id("time-tip")).to_contain_text("queue/length3 · ")


def test_a_slice_leads_to_those_that_it_causes(driver: PageDriver, profiles: BoardProcess) -> None:
    """The forward of PyTorch to its backward, and back."""
    page = opened(driver, profiles, "capture=torch;view=timeline;find=aten::addmm")
    page.get_by_label("Find slices").focus()
    expect(page.get_by_test_id("found-count")).to_contain_text("slices")
    press(page, "Enter")
    title = page.get_by_test_id("slice").get_by_role("heading").first
    expect(title).to_have_text("aten::addmm")

    page.get_by_role("list", name="Leads to").get_by_role("button").click()
    expect(title).to_have_text("AddmmBackward0")
    page.get_by_role("list", name="Comes from").get_by_role("button").click()
    expect(title).to_have_text("aten::addmm")


def test_a_capture_that_is_not_there_is_told(driver: PageDriver, profiles: BoardProcess) -> None:
    """Another one is shown, which must not be mistaken for it."""
    page = opened(driver, profiles, "capture=gone;view=overview")
    note = page.get_by_role("status").filter(has_text="There is no capture gone. This is the newest one.")
    expect(note).to_be_visible()
    page.get_by_label("Capture").select_option("torch")
    expect(note).to_have_count(0)


def test_a_click_chooses_the_slice_under_the_pointer(driver: PageDriver, profiles: BoardProcess) -> None:
    page = time_line(driver, profiles, "torch_ranks")
    box = page.get_by_test_id("time-line").bounding_box()
    assert box is not None
    x, y = box["x"] + 60, box["y"] + 40 + 24 + 24 + 8
    page.mouse.move(x, y)
    expect(page.get_by_test_id("time-tip")).to_have_text("ProfilerStep#21.22 ms · Annotation")
    page.mouse.click(x, y)

    expect(page.get_by_test_id("slice").get_by_role("heading").first).to_have_text("ProfilerStep#2")


@pytest.mark.parametrize("view", ["overview", "timeline", "operators", "memory", "compare"])
def test_the_page_has_no_violations(driver: PageDriver, profiles: BoardProcess, view: str) -> None:
    """In both themes, wide and narrow."""
    page = opened(driver, profiles, f"capture=torch;view={view};slice=0:3;range=1000,4000;find=linear")
    assert find_violations_in_both_themes(page, [1440, 390]) == {}


@pytest.mark.parametrize("view", ["overview", "timeline", "operators", "memory", "compare"])
def test_nothing_is_cut(driver: PageDriver, profiles: BoardProcess, view: str) -> None:
    """At any width, in any language."""
    capture = "torch" if view == "memory" else KERAS  # that of Keras has no allocations
    page = opened(
        driver, profiles, f"capture={capture};view={view};slice=0:3;range=1000,4000;find=a", f"&lang={LANGUAGES[0]}"
    )

    assert find_page_faults(page, WIDTHS) == {}


def test_the_overview_says_what_steps_are_made_of_and_whom_ranks_wait_for(
    driver: PageDriver, profiles: BoardProcess
) -> None:
    page = opened(driver, profiles, "capture=torch_ranks")

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
    page = opened(driver, profiles, "capture=torch_ranks")

    expect(page.get_by_role("region", name="What to change").get_by_role("listitem")).to_have_text(
        "Operators have no scopes, since the profiler has not recorded modules."
        "torch.profiler.profile(record_shapes=True, with_stack=True, with_modules=True)"
    )


def test_a_capture_is_downloaded_for_another_viewer(driver: PageDriver, profiles: BoardProcess) -> None:
    page = opened(driver, profiles, "capture=torch_ranks")
    with page.expect_download() as download:
        page.get_by_role("link", name="speedscope").click()

    assert download.value.suggested_filename == "torch_ranks.speedscope.json"


def test_compare_shows_what_got_slower_on_another_rank(driver: PageDriver, profiles: BoardProcess) -> None:
    """Ranks are chosen in the page; the address keeps them."""
    page = opened(driver, profiles, "capture=torch_ranks;view=compare;base=torch_ranks")
    page.get_by_label("Rank before").select_option("rank 0")
    page.get_by_label("Rank after").select_option("rank 1")
    first = page.get_by_test_id("difference").first
    expect(first).to_have_text("aten::mmCompute51.7 µs185 µs+133 µs3.58 ×")
    assert "rank=1;baserank=0" in page.url
    page.get_by_test_id("differences").get_by_role("columnheader").filter(has_text="Ratio").get_by_role(
        "button"
    ).click()
    expect(first.locator("[data-column=name]")).to_have_text("aten::mm")


def test_compare_marks_what_is_more_than_noise(
    driver: PageDriver, start_board: BoardStarter, tmp_path: pathlib.Path
) -> None:
    """The newest capture is compared with the one before."""
    for at, (name, times) in enumerate((("before", (10, 11, 10)), ("after", (20, 21, 20)))):
        events = [slice_event("train", 100 * step, 90, args={"step_num": step}) for step in range(3)]
        events += [slice_event("mm", 100 * step, time, cat="cpu_op") for step, time in enumerate(times)]
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.trace.json").write_bytes(trace(*events))
        os.utime(tmp_path / name / "a.trace.json", (1e9 + at, 1e9 + at))
    page = driver.open(start_board(tmp_path), "&profile=view=compare#profile")

    expect(page.get_by_test_id("difference")).to_have_text("mmCompute10.3 µs20.3 µs+10.0 µs *1.97 ×")
    expect(page.get_by_label("Compared with")).to_have_value("before")


def test_calls_open_by_keys_and_lead_to_their_slices(driver: PageDriver, profiles: BoardProcess) -> None:
    page = opened(driver, profiles, "capture=torch;view=operators;form=down")
    calls = page.get_by_test_id("calls")
    expect(page.get_by_test_id("flame")).to_be_visible()

    calls.focus()
    for key in ("ArrowRight", "ArrowDown", "ArrowRight"):
        press(page, key)
        settle(page)
    rows = page.get_by_test_id("call")
    expect(rows.nth(2)).to_contain_text("write_torch")
    expect(rows.nth(1)).to_have_attribute("aria-expanded", "true")
    expect(rows.nth(1)).to_have_attribute("aria-selected", "true")
    press(page, "Enter")
    expect(page.get_by_test_id("slice")).to_contain_text("write_profiles.py(184)")


def test_a_click_on_a_flame_graph_zooms_and_opens_the_table(driver: PageDriver, profiles: BoardProcess) -> None:
    page = opened(driver, profiles, "capture=torch;view=operators;form=down")

    page.get_by_test_id("flame").click(position={"x": 40, "y": 70})
    expect(page.get_by_role("button", name="Show all")).to_be_visible()
    expect(page.locator("[data-testid=call][aria-selected=true]")).to_contain_text("forward")
    page.get_by_role("button", name="Show all").click()
    expect(page.get_by_role("button", name="Show all")).to_be_hidden()


def test_an_operator_leads_to_its_slices(driver: PageDriver, profiles: BoardProcess) -> None:
    page = opened(driver, profiles, "capture=torch;view=operators")

    page.get_by_test_id("operators").get_by_role("button", name="aten::mm", exact=True).click()
    expect(page.get_by_test_id("slice")).to_contain_text("aten::mm")


def test_call_trees_have_no_faults_in_any_language_and_width(driver: PageDriver, profiles: BoardProcess) -> None:
    page = opened(driver, profiles, "capture=torch;view=operators;form=up")

    assert find_page_faults(page, WIDTHS, accessible=[1024]) == {}


def test_memory_shows_the_curve_and_who_holds_the_peak(driver: PageDriver, profiles: BoardProcess) -> None:
    page = opened(driver, profiles, "capture=torch_snapshot%2Fmemory_snapshot.pickle")
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
