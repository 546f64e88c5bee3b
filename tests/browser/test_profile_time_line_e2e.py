"""Profile, time line: zooming, moving, slices, ranges and what is found in it."""

import pathlib
import re

import pytest
from playwright.sync_api import Page, Route, expect

from support.board_process import BoardProcess, BoardStarter
from support.page_driver import PageDriver
from support.profile_pages import KERAS, drag, open_profile, open_time_line, shown_range
from support.profiles import slice_event, trace
from support.settled_pages import press, settle, type_text

COLORS = """(canvas) => { const { width, height } = canvas;
    const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
    const found = new Set();
    for (let at = 0; at < data.length; at += 4) found.add([data[at], data[at + 1], data[at + 2]].join());
    return found.size; }"""


def test_e9_the_profile_tab_shows_the_operations_of_a_tensorflow_program_on_a_time_line(
    driver: PageDriver, profiles: BoardProcess
) -> None:
    """The capture is by `tf.profiler`, in the run's folder."""
    page = open_time_line(driver, profiles, "tensorflow/2026_11_27_10_00_00")

    expect(page.get_by_test_id("tab-profile")).to_have_text("Profile10")
    expect(page.get_by_role("region", name="Time line of 3 tracks, from 0 s to 32.0 ms")).to_be_visible()
    longest = page.get_by_role("region", name="Longest slices in view").get_by_role("listitem")
    assert longest.first.inner_text().split("\n") == ["train", "29.1 ms"]
    assert page.get_by_test_id("time-line").locator("canvas").evaluate(COLORS) > 5


def test_keys_zoom_and_move_the_time_line(driver: PageDriver, profiles: BoardProcess) -> None:
    page = open_time_line(driver, profiles, "torch_ranks")
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
    page = open_time_line(driver, profiles, "torch_ranks")
    box = page.get_by_test_id("time-line").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 100)
    page.keyboard.down("Control")
    page.mouse.wheel(0, -400)
    page.keyboard.up("Control")

    expect(page.get_by_test_id("time-range")).to_have_text("826 µs – 2.48 ms")


def test_dragging_moves_the_time_line(driver: PageDriver, profiles: BoardProcess) -> None:
    page = open_profile(driver, profiles, "capture=torch_ranks;view=timeline;window=1000,2000")
    box = page.get_by_test_id("time-line").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 300)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 4, box["y"] + 300, steps=4)
    page.mouse.up()

    expect(page.get_by_test_id("time-range")).to_have_text("1.25 ms – 2.25 ms")
    expect(page).to_have_url(re.compile("window=1250"))


def test_a_slice_shows_its_arguments_and_the_next_of_its_name(driver: PageDriver, profiles: BoardProcess) -> None:
    page = open_time_line(driver, profiles, "torch")
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


def selected(page: Page) -> list[list[str]]:
    """The rows of the table of what is in the range."""
    rows = page.get_by_role("region", name="Slices in the range").get_by_role("row").all_inner_texts()
    return [[cell.strip() for cell in row.split("\t")] for row in rows[1:]]


def test_dragging_with_shift_selects_tracks_and_time(driver: PageDriver, profiles: BoardProcess) -> None:
    """The sums are those of the server, the address keeps the range, and Escape clears it."""
    page = open_time_line(driver, profiles, "torch_ranks")
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
    page = open_profile(driver, profiles, "capture=torch_ranks;view=timeline;range=0,3000")
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
    page = open_time_line(driver, profiles, "torch_ranks")
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
    page = open_time_line(driver, profiles, "torch_ranks")
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
    page = open_profile(driver, profiles, f"capture={KERAS};view=timeline;closed=0p0;find=matmul")
    page.get_by_label("Find slices").focus()
    expect(page.get_by_test_id("found-count")).to_contain_text("slices")
    press(page, "Enter")

    expect(page.get_by_test_id("slice").get_by_role("heading").first).to_have_text(re.compile("MatMul", re.I))
    settle(page)
    assert "closed=" not in page.url
    assert "window=" in page.url


def test_processes_and_tracks_close_and_stay_on_top(driver: PageDriver, profiles: BoardProcess) -> None:
    """The address keeps it."""
    page = open_time_line(driver, profiles, "torch_ranks")
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
    page = open_profile(driver, profiles, "capture=torch;view=timeline;find=aten::addmm")
    page.get_by_label("Find slices").focus()
    expect(page.get_by_test_id("found-count")).to_contain_text("slices")
    press(page, "Enter")
    title = page.get_by_test_id("slice").get_by_role("heading").first
    expect(title).to_have_text("aten::addmm")

    page.get_by_role("list", name="Leads to").get_by_role("button").click()
    expect(title).to_have_text("AddmmBackward0")
    page.get_by_role("list", name="Comes from").get_by_role("button").click()
    expect(title).to_have_text("aten::addmm")


def test_a_click_chooses_the_slice_under_the_pointer(driver: PageDriver, profiles: BoardProcess) -> None:
    page = open_time_line(driver, profiles, "torch_ranks")
    box = page.get_by_test_id("time-line").bounding_box()
    assert box is not None
    x, y = box["x"] + 60, box["y"] + 40 + 24 + 24 + 8
    page.mouse.move(x, y)
    expect(page.get_by_test_id("time-tip")).to_have_text("ProfilerStep#21.22 ms · Annotation")
    page.mouse.click(x, y)

    expect(page.get_by_test_id("slice").get_by_role("heading").first).to_have_text("ProfilerStep#2")


SENT = """() => performance.getEntriesByType('navigation').concat(performance.getEntriesByType('resource'))
    .reduce((sum, each) => sum + each.transferSize, 0)"""


def test_a_million_slices_are_5_mb_to_the_first_picture_and_a_range_sums_right(
    driver: PageDriver, start_board: BoardStarter, tmp_path: pathlib.Path
) -> None:
    """Slices of ten names, each a microsecond and some nanoseconds, on one thread."""
    count = 1_000_000
    slices = (
        f'{{"ph":"X","name":"op{at % 10}","pid":1,"tid":2,"ts":{2 * at},"dur":1.{at % 997:03}}}' for at in range(count)
    )
    (tmp_path / "a").mkdir()
    (tmp_path / "a/host.trace.json").write_text('{"traceEvents":[' + ",".join(slices) + "]}")
    board = start_board(tmp_path)
    page = open_profile(driver, board, f"view=timeline;range=0,{2 * count}", reused=False)
    expect(page.get_by_test_id("time-selection")).to_contain_text("op9")

    assert 100_000 < page.evaluate(SENT) < 5_000_000  # with the page itself
    answer = board.json(f"/api/v1/profiles/range?capture=a&begin_us=0&end_us={2 * count}")
    exact = {f"op{name}": sum(1000 + at % 997 for at in range(name, count, 10)) / 1000 for name in range(10)}
    assert {row["name"]: row["total_us"] for row in answer["rows"]} == pytest.approx(exact, rel=1e-9)


def hold_back(page: Page, loaded: float) -> list[Route]:
    """The overview of captures is not answered until a test continues it; until then so much has been read."""
    held = list[Route]()

    def part(route: Route) -> None:
        route.fulfill(json={**route.fetch().json(), "loaded": loaded})

    page.route(re.compile(r"/profiles/overview\?"), lambda route: held.append(route))
    page.route(re.compile(r"/profiles/timeline\?.*partial=true"), part)
    return held


def test_while_a_capture_is_read_its_time_line_so_far_is_shown(driver: PageDriver, profiles: BoardProcess) -> None:
    page = driver.open(profiles, "&profile=capture=torch_ranks;view=timeline#scalars", reused=False)
    held = hold_back(page, 0.25)
    page.get_by_test_id("tab-profile").click()

    expect(page.get_by_role("status").filter(has_text="Reading")).to_have_text(
        "Reading the capture… This is the time line of the 25.0 % read so far."
    )
    part = page.get_by_role("region", name="Time line of 6 tracks, from 0 s to 3.30 ms")
    assert part.locator("canvas").evaluate(COLORS) > 5
    expect(page.get_by_test_id("time-line")).to_have_count(0)

    for route in held:
        route.continue_()
    expect(page.locator("[data-testid=time-line][data-state=ready]")).to_be_visible()
    expect(page.get_by_test_id("time-line-so-far")).to_have_count(0)


def test_what_is_read_is_asked_for_again_until_it_is_all(driver: PageDriver, profiles: BoardProcess) -> None:
    page = driver.open(profiles, "&profile=capture=torch_ranks#scalars", reused=False)
    held = hold_back(page, 0.25)
    page.get_by_test_id("tab-profile").click()
    expect(page.get_by_text("25.0 %")).to_be_visible()
    page.unroute(re.compile(r"/profiles/timeline\?.*partial=true"))

    expect(page.get_by_text("100.0 %")).to_be_visible()
    for route in held:
        route.continue_()
    expect(page.get_by_test_id("profile-overview")).to_be_visible()
