"""The run table: filters, sorting, groups, folders, isolation (checks 17, 20, 21, 22)."""

import json
import re

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, Route, expect

from support import scalar_logs
from support.accessibility import find_violations_in_both_themes
from support.board_process import BoardProcess, BoardStarter
from support.chart_cards import fetch_series, find_card, hover, tooltip_rows
from support.page_driver import PageDriver
from support.page_faults import LANGUAGES, choose_language
from support.settled_pages import press, reload_unsettled, settle

SEEDS = ("big/seed0", "big/seed1", "big/seed2")
FOUND = {
    "seed": {*SEEDS},
    "lr<5e-4 -big opt=lion": {"lr_3e-4"},
    "/^b.*[12e]$/": {"baseline", "big/seed1", "big/seed2"},
    "status:failed": {"lr_1e-3"},
    "lr<5e-4": {"baseline", "lr_3e-4", *SEEDS},
    "seed=2": {"big/seed2"},
}
"""Runs that a filter leaves; their number changes from each to the next."""
SENSELESS = {"/(/": "Invalid regular expression", "momentum<1": "momentum", "lr<fast": "“fast” is not a number"}
"""Why a filter makes no sense."""
BY_SEED = "&group=mean,sd,name:^(.*)/seed"


def listed(page: Page) -> Locator:
    """The rows of runs."""
    return page.get_by_test_id("run-row")


def names(page: Page) -> list[str]:
    """Names of the rows, from the top."""
    rows: list[tuple[int, str]] = listed(page).evaluate_all(
        "rows => rows.map((row) => [Number(row.ariaRowIndex ?? row.getAttribute('aria-rowindex')), row.dataset.run])"
    )
    return [name for _, name in sorted(rows)]


def on(page: Page) -> set[str]:
    """Names of the runs whose box is checked."""
    found: list[str] = listed(page).evaluate_all(
        "rows => rows.filter((row) => row.querySelector('input').checked).map((row) => row.dataset.run)"
    )
    return set(found)


def cells(page: Page, column: str) -> dict[str, str]:
    """What each run says in a column."""
    found: dict[str, str] = listed(page).evaluate_all(
        """(rows, column) => Object.fromEntries(rows.map((row) => [
            row.dataset.run, row.querySelector(`[data-cell="${column}"]`).innerText]))""",
        column,
    )
    return found


def head(page: Page, column: str) -> Locator:
    """The head of a column."""
    return page.locator(f'[data-testid=column-head][data-column="{column}"]')


def find(page: Page, text: str) -> None:
    """Type into the box that finds runs."""
    page.get_by_role("combobox", name="Filter runs").fill(text)


def test_runs_are_found_by_name_and_value(driver: PageDriver, sweep: BoardProcess) -> None:
    """Check 17: text, regular expression, terms over hyper-parameters."""
    page = driver.open(sweep)
    found = {}
    for text, left in FOUND.items():
        find(page, text)
        expect(listed(page)).to_have_count(len(left))
        settle(page)
        found[text] = set(names(page))

    assert found == FOUND


def test_runs_are_found_by_a_metric(driver: PageDriver, sweep: BoardProcess) -> None:
    """Check 17: the least value of a tag, as the API has it."""
    least = {run: min(value for _, _, value in fetch_series(sweep, run, "eval/loss")) for run in scalar_logs.SWEEP}
    limit = sorted(least.values())[2]
    page = driver.open(sweep)
    find(page, f"eval/loss.min<{limit}")

    expect(listed(page)).to_have_count(2)
    settle(page)
    assert set(names(page)) == {run for run, value in least.items() if value < limit}


def test_a_filter_that_makes_no_sense_says_why(driver: PageDriver, sweep: BoardProcess) -> None:
    """Check 17: the last result stays."""
    page = driver.open(sweep)
    find(page, "seed")
    expect(listed(page)).to_have_count(3)
    left = {}
    for text, why in SENSELESS.items():
        find(page, text)
        expect(page.get_by_role("alert")).to_contain_text(why)
        settle(page)
        left[text] = set(names(page))

    assert left == {text: {*SEEDS} for text in SENSELESS}


def test_a_link_of_tensorboard_filters_as_it_did(driver: PageDriver, sweep: BoardProcess) -> None:
    """`runFilter` holds a bare regular expression."""
    page = driver.open(sweep, "&runFilter=seed%5B01%5D%7Cbase")

    assert set(names(page)) == {"baseline", "big/seed0", "big/seed1"}


def test_hyper_parameters_stand_with_their_run(driver: PageDriver, sweep: BoardProcess) -> None:
    """Check 22: no row of its own for what only describes another run; numbers as one writes them, to the right."""
    page = driver.open(sweep, "&table=config:lr,config:batch_size,config:opt")

    assert sorted(names(page)) == sorted(scalar_logs.SWEEP)
    assert cells(page, "config:lr") == {
        "baseline": "3e-4",
        "lr_1e-3": "1e-3",
        "lr_3e-4": "3e-4",
        "big/seed0": "1e-4",
        "big/seed1": "1e-4",
        "big/seed2": "1e-4",
    }
    wide = driver.open(sweep, "&table=config:batch_size,config:opt#runs")
    assert set(cells(wide, "config:batch_size").values()) == {"32", "128"}
    sides = [
        wide.locator(f'[data-run=baseline] [data-cell="{column}"]').evaluate("cell => getComputedStyle(cell).textAlign")
        for column in ("config:batch_size", "config:opt")
    ]
    assert sides == ["right", "start"]


def test_columns_hold_the_stored_values(driver: PageDriver, sweep: BoardProcess) -> None:
    """Every digit is in the tip of a cell: last, least and greatest as the API has them, the mean to 1e-6."""
    page = driver.open(
        sweep,
        "&table=" + ",".join(f"metric:eval/loss:{stat}" for stat in ("last", "best", "min", "max", "mean")) + "#runs",
    )
    expect(page.locator('[data-run=baseline] [data-cell="metric:eval/loss:mean"]')).to_have_attribute(
        "title", re.compile(r"\d")
    )
    values = np.array([value for _, _, value in fetch_series(sweep, "baseline", "eval/loss")])
    shown = {
        stat: float(
            page.locator(f'[data-run=baseline] [data-cell="metric:eval/loss:{stat}"]').get_attribute("title") or "nan"
        )
        for stat in ("last", "best", "min", "max", "mean")
    }

    assert (shown["last"], shown["min"], shown["max"]) == (values[-1], values.min(), values.max())
    assert shown["best"] == values.min()
    assert shown["mean"] == pytest.approx(values.mean(), rel=1e-6)


def test_a_click_sorts_and_shift_sorts_further(driver: PageDriver, sweep: BoardProcess) -> None:
    """Up, down, and a second column among equals; the address keeps it."""
    page = driver.open(sweep, "&table=config:lr,info:step")
    head(page, "config:lr").get_by_role("button").click()
    expect(head(page, "config:lr")).to_have_attribute("aria-sort", "ascending")
    settle(page)
    assert names(page)[:3] == [*SEEDS]

    head(page, "config:lr").get_by_role("button").click()
    expect(head(page, "config:lr")).to_have_attribute("aria-sort", "descending")
    settle(page)
    assert names(page)[0] == "lr_1e-3"

    page.get_by_role("button", name="Runs 6/6").click(modifiers=["Shift"])
    page.get_by_role("button", name="Runs 6/6").click(modifiers=["Shift"])
    expect(page.locator("[role=columnheader][aria-sort]")).to_have_count(2)
    settle(page)
    assert names(page) == ["lr_1e-3", "lr_3e-4", "baseline", *reversed(SEEDS)]
    again = driver.open(sweep, page.url.split("?test=1")[1])
    assert names(again) == names(page)


def test_a_metric_that_no_run_has_says_so(driver: PageDriver, sweep: BoardProcess) -> None:
    """In its head, so that an empty column is no riddle."""
    page = driver.open(sweep, "&table=metric:eval/lost:last,metric:eval/loss:last#runs")

    expect(head(page, "metric:eval/lost:last").get_by_role("button")).to_have_text("lost · not logged")
    expect(head(page, "metric:eval/loss:last").get_by_role("button")).to_have_text("loss")


def test_rows_are_sorted_when_values_arrive_after_the_click(driver: PageDriver, sweep: BoardProcess) -> None:
    """Although the pointer is on the table, where rows do not move for new values."""
    lowest = {run: min(value for _, _, value in fetch_series(sweep, run, "eval/loss")) for run in scalar_logs.SWEEP}
    held: list[Route] = []
    page = driver.open(sweep, "&table=metric:eval/loss:min#runs")

    def hold_first(route: Route) -> None:
        if held:
            route.continue_()
        else:
            held.append(route)

    page.route("**/api/v1/runs/columns", hold_first)
    with page.expect_request("**/api/v1/runs/columns"):
        reload_unsettled(page)
    head(page, "metric:eval/loss:min").get_by_role("button").click()
    expect(head(page, "metric:eval/loss:min")).to_have_attribute("aria-sort", "ascending")
    expect(listed(page)).to_have_count(6)
    held[0].continue_()

    ordered = sorted(scalar_logs.SWEEP, key=lambda run: lowest[run])
    for place, run in enumerate(ordered):
        expect(page.locator(f"[data-testid=run-row][aria-rowindex='{place + 2}']")).to_have_attribute("data-run", run)


def test_double_click_shows_one_run_and_brings_all_back(driver: PageDriver, sweep: BoardProcess) -> None:
    """Check 20: the very same set, though some runs were off before."""
    page = driver.open(sweep)
    page.get_by_role("checkbox", name="Show lr_3e-4").click()
    expect(page.get_by_role("checkbox", name="Show lr_3e-4")).not_to_be_checked()
    settle(page)
    before = on(page)

    page.get_by_role("checkbox", name="Show big/seed1").dblclick()
    expect(page.get_by_role("checkbox", name="Show baseline")).not_to_be_checked()
    settle(page)
    assert on(page) == {"big/seed1"}

    page.get_by_role("checkbox", name="Show big/seed1").dblclick()
    expect(page.get_by_role("checkbox", name="Show baseline")).to_be_checked()
    settle(page)
    assert on(page) == before


def test_a_group_is_one_line_with_a_band(driver: PageDriver, sweep: BoardProcess) -> None:
    """Check 21: mean and standard deviation of the seeds equal NumPy's to 1e-6, on the chart and in the table."""
    page = driver.open(sweep, f"&smoothing=0{BY_SEED}&table=metric:train/loss:last")
    chart = find_card(page, "train/loss")
    seeds = [{step: value for _, step, value in fetch_series(sweep, run, "train/loss")} for run in SEEDS]

    for across in (0.2, 0.5, 0.8):
        hover(page, chart, across)
        settle(page)
        row = next(row for row in tooltip_rows(page) if row["run"] == "big")
        values = np.array([seed[int(row["step"])] for seed in seeds])
        assert float(row["value"]) == pytest.approx(values.mean(), rel=1e-6)
        assert float(row["hi"]) - float(row["lo"]) == pytest.approx(2 * values.std(), rel=1e-5)

    last = np.array([list(seed.values())[-1] for seed in seeds])
    group = page.get_by_test_id("group-row")
    expect(group).to_have_attribute("data-count", "3")
    figure = group.locator('[data-cell="metric:train/loss:last"]')
    expect(figure).to_have_attribute("title", re.compile("mean"))
    title = figure.get_attribute("title") or ""
    mean, sd = re.match(r"mean ([\d.e-]+), σ ([\d.e-]+), 3 runs", title).groups()  # type: ignore[union-attr]
    assert [float(mean), float(sd)] == pytest.approx([last.mean(), last.std()], rel=1e-6)


def test_a_card_counts_the_runs_of_its_groups(driver: PageDriver, sweep: BoardProcess) -> None:
    """Three seeds in one line are three runs."""
    page = driver.open(sweep, BY_SEED)

    expect(find_card(page, "train/loss")).to_contain_text("6 runs")


def test_members_of_a_group_come_on_demand(driver: PageDriver, sweep: BoardProcess) -> None:
    """Check 21: the row opens; the box of the group speaks for all of them."""
    page = driver.open(sweep, BY_SEED)
    assert not {*SEEDS} & {*names(page)}
    page.get_by_role("button", name="big 3", expanded=False).click()
    expect(listed(page)).to_have_count(6)

    page.get_by_role("checkbox", name="Show big/seed0").click()
    box = page.get_by_role("checkbox", name="Show runs of big")
    expect(box).to_be_checked(indeterminate=True)
    box.click()
    expect(box).to_be_checked()
    box.click()
    expect(page.get_by_role("checkbox", name="Show big/seed0")).not_to_be_checked()
    settle(page)
    assert on(page) == {"baseline", "lr_1e-3", "lr_3e-4"}


def test_grouping_is_chosen_with_a_preview(driver: PageDriver, sweep: BoardProcess) -> None:
    """By a hyper-parameter, then by a pattern typed in; what makes no sense changes nothing."""
    page = driver.open(sweep)
    page.get_by_test_id("group-by").click()
    page.get_by_role("combobox", name="Group by", exact=True).select_option("Hyperparameter")
    expect(page.get_by_test_id("group-row")).to_have_count(3)
    page.get_by_role("combobox", name="Group by", exact=True).select_option("Name regex")
    box = page.get_by_role("textbox", name="Name regex")
    box.fill("^(big|lr)")
    expect(page.get_by_text("5 runs in 2 groups")).to_be_visible()
    box.fill("^(big|lr")
    expect(page.get_by_role("alert")).to_contain_text("Invalid regular expression")
    settle(page)

    groups = page.get_by_test_id("group-row").evaluate_all(
        "rows => rows.map((row) => [row.dataset.group, row.dataset.count])"
    )
    assert groups == [["big", "3"], ["lr", "2"]]


def test_folders_have_boxes_of_three_states(driver: PageDriver, sweep: BoardProcess) -> None:
    """A folder says how many runs it holds, folds, and switches them all."""
    page = driver.open(sweep, "&tree=true")
    folder = page.get_by_test_id("group-row")
    expect(folder).to_have_attribute("data-group", "big")
    expect(folder).to_have_attribute("data-count", "3")

    folder.get_by_role("checkbox").click()
    expect(folder.get_by_role("checkbox")).not_to_be_checked()
    settle(page)
    assert on(page) == {"baseline", "lr_1e-3", "lr_3e-4"}
    page.get_by_role("button", name="big 3", expanded=True).click()
    expect(listed(page)).to_have_count(3)


def test_pinned_runs_stay_on_top(driver: PageDriver, sweep: BoardProcess) -> None:
    """Whatever the table is sorted by; in the address too."""
    page = driver.open(sweep, "&sort=config:lr")
    for run in ("lr_1e-3", "lr_3e-4"):
        page.locator(f'[data-run="{run}"]').click(button="right")
        page.get_by_role("menuitem", name="Pin to top").click()
    expect(page.get_by_text("Pinned 2")).to_be_visible()
    settle(page)

    assert names(page) == ["lr_1e-3", "lr_3e-4", *SEEDS, "baseline"]
    assert names(driver.open(sweep, page.url.split("?test=1")[1])) == names(page)


def test_runs_are_coloured_by_a_value(driver: PageDriver, sweep: BoardProcess) -> None:
    """Equal values, equal colours; the legend says what they mean."""
    page = driver.open(sweep, "&runColorGroup=config:lr")
    expect(page.get_by_test_id("color-legend")).to_contain_text("1e-4")
    colours = dict(
        listed(page).evaluate_all(
            """rows => rows.map((row) => [row.dataset.run,
                getComputedStyle(row.querySelector('[class*=swatch]')).backgroundColor])"""
        )
    )

    assert len({colours[run] for run in SEEDS}) == 1
    assert colours["baseline"] == colours["lr_3e-4"]
    assert len(set(colours.values())) == 3


def test_a_run_is_named_noted_and_hidden(
    driver: PageDriver, start_board: BoardStarter, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """What people say of a run stays with the board and leaves the logs alone."""
    folder = tmp_path_factory.mktemp("named") / "runs"
    scalar_logs.sweep(folder, steps=50)
    files = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    board = start_board(folder)
    page = driver.open(board)
    row = page.locator('[data-run="big/seed1"]')
    row.click(button="right")
    page.get_by_role("menuitem", name="Name, note, tags").click()
    page.get_by_label("Display name").fill("Der Große")
    page.get_by_label("Tags, separated by commas").fill("keep, paper")
    page.get_by_role("button", name="Save").click()
    expect(row).to_contain_text("Der Große")
    find(page, "tag:paper")
    expect(listed(page)).to_have_count(1)
    find(page, "")
    page.locator('[data-run="lr_1e-3"]').click(button="right")
    page.get_by_role("menuitem", name="Hide").click()
    expect(listed(page)).to_have_count(5)

    other = driver.open(board)
    expect(other.locator('[data-run="big/seed1"]')).to_contain_text("Der Große")
    expect(listed(other)).to_have_count(5)
    other.get_by_role("button", name="Show").click()
    expect(listed(other)).to_have_count(6)
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == files


def test_the_runs_page_is_the_table_at_full_size(driver: PageDriver, sweep: BoardProcess) -> None:
    """Picked runs are compared; columns in which all runs are equal can be left out."""
    page = driver.open(sweep, "&table=config:lr,config:bf16#runs")
    page.get_by_role("button", name="Hide identical columns").click()
    expect(head(page, "config:bf16")).to_have_count(0)
    page.locator('[data-run="baseline"] [data-cell="config:lr"]').click()
    page.locator('[data-run="lr_1e-3"] [data-cell="config:lr"]').click(modifiers=["Control"])
    expect(page.get_by_text("2 selected")).to_be_visible()
    page.get_by_role("button", name="Compare").click()

    expect(page).to_have_url(re.compile(r"compare=baseline,lr_1e-3.*#compare"))


def test_the_table_is_taken_away_as_it_stands(driver: PageDriver, sweep: BoardProcess) -> None:
    """Rows and columns as shown, under the stored names, with every digit."""
    page = driver.open(sweep, "&table=config:lr,metric:eval/loss:min&sort=-config:lr#runs")
    expect(page.locator('[data-run=baseline] [data-cell="metric:eval/loss:min"]')).to_have_text(re.compile(r"\d"))
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Export").click()
        page.get_by_role("menuitem", name="JSON", exact=True).click()
    rows = json.loads(waiting.value.path().read_text())

    assert [row["run"] for row in rows] == names(page)
    assert rows[0] == {
        "run": "lr_1e-3",
        "lr": 1e-3,
        "eval/loss min": min(value for _, _, value in fetch_series(sweep, "lr_1e-3", "eval/loss")),
    }


def pull(page: Page, start: Locator, end: Locator) -> None:
    """Drag from the middle of one element to the middle of another."""
    first, last = start.bounding_box(), end.bounding_box()
    assert first is not None
    assert last is not None
    page.mouse.move(first["x"] + first["width"] / 2, first["y"] + first["height"] / 2)
    page.mouse.down()
    page.mouse.move(last["x"] + last["width"] / 2, last["y"] + last["height"] / 2 - 4, steps=8)
    page.mouse.up()


def test_pins_and_columns_are_dragged_to_other_places(driver: PageDriver, sweep: BoardProcess) -> None:
    """Neither click that ends a drag does anything else; each drag is one step back."""
    page = driver.open(sweep, "&runPins=baseline,lr_1e-3,lr_3e-4&table=config:lr,info:step")
    pull(page, page.locator('[data-drag="lr_3e-4"]'), page.locator('[data-drag="baseline"]'))
    expect(page).to_have_url(re.compile("runPins=lr_3e-4,baseline,lr_1e-3"))
    settle(page)
    assert names(page)[:3] == ["lr_3e-4", "baseline", "lr_1e-3"]

    pull(page, head(page, "info:step"), head(page, "config:lr"))
    expect(page).to_have_url(re.compile("table=info:step,config:lr"))
    expect(page.locator("[role=columnheader][aria-sort]")).to_have_count(0)
    press(page, "Control+z")
    expect(page).to_have_url(re.compile("table=config:lr,info:step"))


def test_rows_are_walked_by_keys(driver: PageDriver, sweep: BoardProcess) -> None:
    """Arrows move from name to name; the keys of a menu open what can be done with the run."""
    page = driver.open(sweep)
    page.locator('[data-drag="baseline"]').focus()
    press(page, "ArrowDown", "ArrowDown")

    expect(page.locator('[data-drag="big/seed1"]')).to_be_focused()
    press(page, "Shift+F10")
    expect(page.get_by_role("menuitem", name="Show only this run")).to_be_visible()
    press(page, "ArrowDown", "Enter")
    expect(page.get_by_role("checkbox", name="Show baseline")).not_to_be_checked()
    assert on(page) == {"big/seed1"}


@pytest.mark.parametrize("where", ["", "#runs"])
def test_pointing_at_a_run_covers_no_value(driver: PageDriver, sweep: BoardProcess, where: str) -> None:
    """What can be done with it comes up beside its name, which makes room."""
    page = driver.open(sweep, where)
    row = page.locator('[data-run="big/seed1"]')
    row.hover()
    menu = row.get_by_role("button", name="Actions for big/seed1")
    expect(menu).to_be_in_viewport()
    settle(page)

    overlaps = menu.evaluate(
        """(menu) => {
            const { left, right } = menu.getBoundingClientRect();
            const others = menu.closest('[role=row]').querySelectorAll('[data-cell], [data-drag]');
            return [...others].filter((other) => {
                const box = other.getBoundingClientRect();
                return box.left < right - 0.5 && box.right > left + 0.5;
            }).length;
        }"""
    )
    assert overlaps == 0


def test_the_baseline_is_marked_and_differences_stand_beside_values(driver: PageDriver, sweep: BoardProcess) -> None:
    """A difference is the stored value less that of the baseline."""
    page = driver.open(sweep, "&baseline=baseline&table=metric:eval/loss:last#runs")
    expect(page.locator("[data-run=baseline]").get_by_role("img", name="Baseline")).to_be_visible()
    last = {run: fetch_series(sweep, run, "eval/loss")[-1][2] for run in scalar_logs.SWEEP}
    apart = last["lr_1e-3"] - last["baseline"]

    expect(page.locator('[data-run="lr_1e-3"] [data-cell="metric:eval/loss:last"]')).to_contain_text(f"+{apart:.2g}")


@pytest.mark.parametrize(
    ("query", "door"),
    [
        ("&group=mean,sd,name:^(big)&runColorGroup=config:lr", "group-by"),
        ("&tree=true&baseline=baseline&runPins=baseline&runColorGroup=regex:(big|lr)", "choose-columns"),
        ("&group=mean,sd,folder&sort=-config:lr#runs", "choose-columns"),
    ],
)
def test_axe_finds_nothing_in_groups_and_sheets(driver: PageDriver, sweep: BoardProcess, query: str, door: str) -> None:
    """Groups, folders, legends, and the sheets that choose them, in both themes."""
    page = driver.open(sweep, query)
    expect(page.get_by_test_id("group-row")).to_be_visible()
    page.get_by_test_id(door).click()
    expect(page.get_by_role("dialog").locator("input, select").first).to_be_visible()

    assert find_violations_in_both_themes(page) == {}


def test_a_double_click_on_a_name_opens_the_page_of_the_run(driver: PageDriver, sweep: BoardProcess) -> None:
    """And holds no run in front."""
    page = driver.open(sweep)
    page.locator('[data-drag="big/seed1"]').dblclick()

    expect(page.locator("main[data-run]")).to_have_attribute("data-run", "big/seed1")


@pytest.mark.parametrize(("item", "sheet"), [("Name, note, tags…", "About baseline"), ("Color…", "Color of baseline")])
def test_a_sheet_opened_from_the_actions_stays(driver: PageDriver, sweep: BoardProcess, item: str, sheet: str) -> None:
    """The button that opened the menu does not take the focus back from what follows it."""
    page = driver.open(sweep)
    page.locator('[data-testid=run-row][data-run="baseline"]').hover()
    page.get_by_role("button", name="Actions for baseline").click()
    page.get_by_role("menuitem", name=item).click()
    expect(page.get_by_role("menuitem")).to_have_count(0)
    settle(page)

    expect(page.get_by_role("dialog", name=sheet)).to_be_visible()
    expect(page.get_by_role("button", name="Actions for baseline")).not_to_be_focused()


def test_names_like_a_mistyped_one_are_offered(driver: PageDriver, sweep: BoardProcess) -> None:
    """A filter that leaves nothing says so below the heads, with the way to what was meant."""
    page = driver.open(sweep)
    find(page, "bigseed1")
    said = page.get_by_text("No runs match bigseed1")
    expect(said).to_be_visible()
    settle(page)
    box, heads = said.bounding_box(), page.get_by_text("Runs 0/6").bounding_box()
    assert box is not None
    assert heads is not None
    assert box["y"] - heads["y"] < 80
    page.get_by_role("button", name="big/seed1", exact=True).click()

    expect(listed(page)).to_have_count(1)
    settle(page)
    assert names(page) == ["big/seed1"]


def test_an_expression_without_slashes_is_offered_with_them(driver: PageDriver, sweep: BoardProcess) -> None:
    """TensorBoard's box takes it bare."""
    page = driver.open(sweep)
    page.get_by_role("combobox", name="Filter runs").fill("seed[01]|base")
    page.get_by_role("button", name="/seed[01]|base/").click()

    expect(page.get_by_test_id("run-row")).to_have_count(3)


def test_a_date_of_another_year_is_whole(driver: PageDriver, sweep: BoardProcess) -> None:
    """In each language: the year is what one looks for in it."""
    page = driver.open(sweep, f"&table=info:created&lang={LANGUAGES[0]}#runs")
    cells = page.locator("[data-cell='info:created']")
    cut = "cells => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.innerText)"

    found = {}
    for language in LANGUAGES:
        choose_language(page, language)
        expect(cells.first).to_contain_text("2025")
        found[language] = cells.evaluate_all(cut)

    assert found == {language: [] for language in LANGUAGES}
