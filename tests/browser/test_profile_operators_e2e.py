"""Profile, operators: their table, their calls, and what got slower."""

import os
import pathlib

from playwright.sync_api import Locator, Page, expect

from support.board_process import BoardProcess, BoardStarter
from support.page_driver import PageDriver
from support.page_faults import find_page_faults
from support.profile_pages import WIDTHS, open_profile
from support.profiles import slice_event, trace
from support.settled_pages import go_back, press, settle, type_text


def names(page: Page) -> list[str]:
    """Names of the operators that are seen."""
    return page.locator("[data-testid=operator] [data-column=name]").all_inner_texts()


def column(page: Page, name: str) -> Locator:
    """The button of a column."""
    return page.get_by_test_id("operators").get_by_role("columnheader").filter(has_text=name).get_by_role("button")


def test_operators_are_sorted_by_their_heads(driver: PageDriver, profiles: BoardProcess) -> None:
    page = open_profile(driver, profiles, "capture=torch_ranks;view=operators")
    assert names(page)[0] == "gloo:all_reduce"

    column(page, "Count").click()
    expect(page.locator("[data-testid=operator] [data-column=name]").first).to_have_text("aten::resolve_conj")
    column(page, "Name").click()
    expect(page.locator("[data-testid=operator] [data-column=name]").first).to_have_text("aten::matmul")
    settle(page)

    expect(page.get_by_role("columnheader", name="Name")).to_have_attribute("aria-sort", "ascending")
    assert "sort=name" in page.url


def test_operators_have_a_percentile_and_are_sorted_by_it(driver: PageDriver, profiles: BoardProcess) -> None:
    page = open_profile(driver, profiles, "capture=torch;view=operators;search=transpose")
    column(page, "p95").click()
    settle(page)

    rows = page.get_by_test_id("operator")
    assert rows.locator("[data-column=mean_us]").all_inner_texts()[0] == "344 µs"
    assert rows.locator("[data-column=p95_us]").all_inner_texts()[0] == "1.02 ms"
    assert "sort=-p95_us" in page.url


def test_operators_are_searched_and_the_address_keeps_it(driver: PageDriver, profiles: BoardProcess) -> None:
    page = open_profile(driver, profiles, "capture=torch;view=operators")
    page.get_by_label("Search operators").click()
    type_text(page, "transpose linear_0")

    expect(page.get_by_role("status").filter(has_text="operator")).to_have_text("1 operator")
    settle(page)
    assert names(page) == ["aten::transpose"]
    again = driver.open(profiles, "&" + page.url.partition("&")[2])
    expect(again.get_by_label("Search operators")).to_have_value("transpose linear_0")


def test_only_the_rows_that_are_seen_are_in_the_page(driver: PageDriver, profiles: BoardProcess) -> None:
    page = open_profile(driver, profiles, "capture=torch;view=operators", height=400)

    expect(page.get_by_test_id("operators")).to_have_attribute("aria-rowcount", "62")
    assert page.get_by_test_id("operator").count() < 30


def test_calls_open_by_keys_and_lead_to_their_slices(driver: PageDriver, profiles: BoardProcess) -> None:
    page = open_profile(driver, profiles, "capture=torch;view=operators;form=down")
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
    page = open_profile(driver, profiles, "capture=torch;view=operators;form=down")

    page.get_by_test_id("flame").click(position={"x": 40, "y": 70})
    expect(page.get_by_role("button", name="Show all")).to_be_visible()
    expect(page.locator("[data-testid=call][aria-selected=true]")).to_contain_text("forward")
    page.get_by_role("button", name="Show all").click()
    expect(page.get_by_role("button", name="Show all")).to_be_hidden()


def test_the_call_that_a_flame_graph_shows_alone_is_in_the_address(driver: PageDriver, profiles: BoardProcess) -> None:
    page = open_profile(driver, profiles, "capture=torch;view=operators;form=down")
    page.get_by_test_id("flame").click(position={"x": 40, "y": 70})
    expect(page.get_by_role("button", name="Show all")).to_be_visible()
    settle(page)

    address = page.url
    go_back(page)
    expect(page.get_by_role("button", name="Show all")).to_be_hidden()
    again = driver.open(profiles, "&" + address.partition("&")[2])
    expect(again.get_by_role("button", name="Show all")).to_be_visible()
    expect(again.locator("[data-testid=call][aria-selected=true]")).to_contain_text("forward")


def test_calls_are_sorted_by_their_heads(driver: PageDriver, profiles: BoardProcess) -> None:
    page = open_profile(driver, profiles, "capture=torch;view=operators;form=up")
    first = page.get_by_test_id("call").first
    heads = page.get_by_test_id("calls").get_by_role("columnheader")

    heads.filter(has_text="Name").get_by_role("button").press("Enter")
    expect(first).to_contain_text("<built-in function _get_privateuse1_backend_name>")
    expect(heads.filter(has_text="Name")).to_have_attribute("aria-sort", "ascending")
    heads.filter(has_text="Count").get_by_role("button").click()
    expect(first).to_contain_text("<built-in function isinstance>")
    settle(page)
    assert "calls=-count" in page.url


def test_all_calls_can_be_reached_by_keys(
    driver: PageDriver, start_board: BoardStarter, tmp_path: pathlib.Path
) -> None:
    """A thread with 300 calls opens with 200 of them."""
    slices = [slice_event(f"call {at:03}", 1000 * at, 900 - at) for at in range(300)]
    (tmp_path / "many.trace.json").write_bytes(trace(*slices))
    page = open_profile(driver, start_board(tmp_path), "view=operators;form=down")
    calls = page.get_by_test_id("calls")

    calls.focus()
    for key in ("ArrowRight", "End"):
        press(page, key)
        settle(page)
    expect(page.get_by_test_id("more-calls")).to_have_text("100 more")
    press(page, "Enter")
    expect(calls).to_have_attribute("aria-rowcount", "302")
    press(page, "End")
    expect(page.locator("[data-testid=call][aria-selected=true]")).to_contain_text("call 299")


def test_an_operator_leads_to_its_slices(driver: PageDriver, profiles: BoardProcess) -> None:
    page = open_profile(driver, profiles, "capture=torch;view=operators")

    page.get_by_test_id("operators").get_by_role("button", name="aten::mm", exact=True).click()
    expect(page.get_by_test_id("slice")).to_contain_text("aten::mm")


def test_an_operator_with_inputs_of_some_shape_leads_to_its_longest_slice(
    driver: PageDriver, profiles: BoardProcess
) -> None:
    """Not to the first one of its name."""
    page = open_profile(driver, profiles, "capture=torch;view=operators;search=aten::mm")
    page.get_by_text("By shape", exact=True).click()

    row = page.get_by_test_id("operator").filter(has_text="float[8,4], float[4,32]")
    expect(row).to_have_count(1)
    row.get_by_role("button", name="aten::mm").click()
    details = page.get_by_test_id("slice")
    expect(details).to_contain_text("[[8,4],[4,32]]".replace(",", ", "))
    expect(details).to_contain_text("aten::mm")


def test_operators_by_shape_are_sorted_by_their_shapes(driver: PageDriver, profiles: BoardProcess) -> None:
    page = open_profile(driver, profiles, "capture=torch;view=operators;form=shapes;search=aten::mm")
    column(page, "Input shapes").click()
    shapes = page.locator("[data-testid=operator] [data-column=shapes]")

    expect(shapes).to_have_text(["float[32,8], float[8,16]", "float[4,8], float[8,32]", "float[8,4], float[4,32]"])


def test_a_capture_without_shapes_says_which_argument_records_them(driver: PageDriver, profiles: BoardProcess) -> None:
    page = open_profile(driver, profiles, "capture=torch_ranks;view=operators;form=shapes")

    expect(page.get_by_role("region", name="What to change")).to_contain_text(
        "torch.profiler.profile(record_shapes=True)"
    )


def test_a_capture_of_a_profiler_without_shapes_says_so(driver: PageDriver, profiles: BoardProcess) -> None:
    page = open_profile(driver, profiles, "capture=keras/train/2026_11_27_10_00_00;view=operators;form=shapes")

    expect(page.get_by_text("its profiler has recorded none")).to_be_visible()
    expect(page.get_by_role("region", name="What to change")).to_have_count(0)


def test_call_trees_have_no_faults_in_any_language_and_width(driver: PageDriver, profiles: BoardProcess) -> None:
    page = open_profile(driver, profiles, "capture=torch;view=operators;form=up")

    assert find_page_faults(page, WIDTHS, accessible=[1024]) == {}


def test_compare_shows_what_got_slower_on_another_rank(driver: PageDriver, profiles: BoardProcess) -> None:
    """Ranks are chosen in the page; the address keeps them."""
    page = open_profile(driver, profiles, "capture=torch_ranks;view=compare;base=torch_ranks")
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
