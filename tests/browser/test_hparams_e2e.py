"""Hyperparameters: a table, parallel coordinates, scatter plots (check 22, with 5, 25, 27, 29, 30, 39)."""

import csv
import io
import json
import pathlib
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from support import scalar_logs
from support.accessibility import find_violations_in_both_themes
from support.board_process import BoardProcess, BoardStarter
from support.page_driver import PageDriver
from support.page_faults import LANGUAGES, find_page_faults
from support.run_colours import SWATCH_COLOUR, swatch_colours
from support.settled_pages import press, settle, type_text

PARALLEL = "&hparams=mode%3Dparallel"
SCATTER = "&hparams=mode%3Dscatter"
MODES = {"table": "", "parallel": PARALLEL, "scatter": SCATTER}
WIDTHS = {"en": (1440,), "ru": (1280, 390), "zh": (1024,)}


def opened(driver: PageDriver, board: BoardProcess, query: str = "", **how: Any) -> Page:
    """The page of hyper-parameters."""
    return driver.open(board, f"{query}#hparams", **how)


def trials(page: Page) -> Locator:
    """The rows."""
    return page.get_by_test_id("trial-row")


def names(page: Page) -> list[str]:
    """Names of the rows, from the top."""
    settle(page)
    rows: list[tuple[int, str]] = trials(page).evaluate_all(
        "rows => rows.map((row) => [Number(row.getAttribute('aria-rowindex')), row.dataset.run])"
    )
    return [name for _, name in sorted(rows)]


def cells(page: Page, column: str) -> dict[str, str]:
    """What each row says in a column."""
    settle(page)
    found: dict[str, str] = trials(page).evaluate_all(
        """(rows, column) => Object.fromEntries(rows.map((row) => [
            row.dataset.run, row.querySelector(`[data-cell="${column}"]`).innerText]))""",
        column,
    )
    return found


def head(page: Page, column: str) -> Locator:
    """The head of a column."""
    return page.locator(f'[data-testid=trial-head][data-column="{column}"]')


def axis(page: Page, column: str) -> Locator:
    """The head of an axis."""
    return page.locator(f'[data-testid=axis-head][data-column="{column}"]')


def columns(page: Page) -> list[str]:
    """Ids of the columns, from the left."""
    settle(page)
    found: list[str] = page.get_by_test_id("trial-head").evaluate_all("heads => heads.map((h) => h.dataset.column)")
    return found


def brush(page: Page, column: str, low: float, high: float) -> None:
    """Drag along an axis, from a part of its height to another; 0 is its foot."""
    settle(page)
    at, plot = axis(page, column).bounding_box(), page.get_by_role("img").first.bounding_box()
    assert at
    assert plot
    x, top, bottom = at["x"] + at["width"] / 2, plot["y"] + 12, plot["y"] + plot["height"] - 30
    page.mouse.move(x, bottom - low * (bottom - top))
    page.mouse.down()
    page.mouse.move(x, bottom - (low + high) / 2 * (bottom - top))
    page.mouse.move(x, bottom - high * (bottom - top))
    page.mouse.up()


def test_hyperparameters_are_shown_with_their_runs(driver: PageDriver, sweep: BoardProcess) -> None:
    """Check 22: no rows for hp runs, differing columns, readable numbers aligned right."""
    page = opened(driver, sweep)

    assert names(page) == ["baseline", "big/seed0", "big/seed1", "big/seed2", "lr_3e-4", "lr_1e-3"]
    assert cells(page, "config:lr") == {
        "baseline": "3e-4",
        "lr_1e-3": "1e-3",
        "lr_3e-4": "3e-4",
        **dict.fromkeys(("big/seed0", "big/seed1", "big/seed2"), "1e-4"),
    }
    assert set(cells(page, "config:batch_size").values()) == {"32", "128"}
    assert "config:bf16" not in columns(page)
    cell = trials(page).first.locator('[data-cell="config:lr"]')
    assert cell.evaluate("cell => getComputedStyle(cell).textAlign") == "right"


def test_metrics_equal_the_api(driver: PageDriver, sweep: BoardProcess) -> None:
    """To the digits shown."""
    page = opened(driver, sweep)
    shown = cells(page, "metric:eval/loss:last")

    response = page.request.post(
        f"{sweep.url}api/v1/scalars/stats", data=json.dumps({"tags": ["eval/loss"], "runs": None})
    )
    last = {each["run"]: each["last_value"] for each in response.json()["stats"]}
    ids = {run["id"]: run["name"] for run in page.request.get(f"{sweep.url}api/v1/runs").json()["runs"]}
    for run, value in last.items():
        assert float(shown[ids[run]]) == pytest.approx(value, rel=1e-3)


def test_trials_have_their_run_colour(driver: PageDriver, sweep: BoardProcess) -> None:
    """Check 5: also when coloured by a value."""
    for query in ("", "&runColorGroup=config:lr"):
        page = opened(driver, sweep, query)
        here = {name: trials(page).locator(f"xpath=self::*[@data-run='{name}']") for name in scalar_logs.SWEEP}

        assert {name: row.evaluate(SWATCH_COLOUR) for name, row in here.items()} == swatch_colours(page)


def test_rows_can_be_sorted(driver: PageDriver, sweep: BoardProcess) -> None:
    """Ascending, descending, original."""
    page = opened(driver, sweep)
    button = head(page, "config:lr").get_by_role("button").first
    button.click()
    expect(head(page, "config:lr")).to_have_attribute("aria-sort", "ascending")
    assert names(page)[-1] == "lr_1e-3"
    button.click()
    assert names(page)[0] == "lr_1e-3"
    button.click()

    expect(head(page, "config:lr")).not_to_have_attribute("aria-sort", "ascending")
    assert names(page)[0] == "baseline"


def test_ranges_filter_columns(driver: PageDriver, sweep: BoardProcess) -> None:
    """Inclusive, stored in the URL, undoable."""
    page = opened(driver, sweep)
    head(page, "config:lr").get_by_role("button", name="Filter by lr").click()
    page.get_by_role("textbox", name="From").fill("2e-4")
    press(page, "Enter")
    page.get_by_role("textbox", name="To").fill("3e-4")
    press(page, "Enter", "Escape")
    expect(trials(page)).to_have_count(2)
    assert set(names(page)) == {"baseline", "lr_3e-4"}
    expect(page.get_by_test_id("trials-shown")).to_have_text("2 of 6 trials")

    again = opened(driver, sweep, "&" + page.url.split("?test=1&")[1].split("#")[0])
    assert set(names(again)) == {"baseline", "lr_3e-4"}
    again.get_by_role("button", name="Clear 1 filter").click()
    expect(trials(again)).to_have_count(6)


def test_text_columns_can_be_filtered(driver: PageDriver, sweep: BoardProcess) -> None:
    """By a list with counts, or a regular expression."""
    page = opened(driver, sweep)
    head(page, "config:opt").get_by_role("button", name="Filter by opt").click()
    page.get_by_role("checkbox", name="adamw").click()
    expect(trials(page)).to_have_count(1)
    assert names(page) == ["lr_3e-4"]
    page.get_by_role("searchbox", name="Search or regular expression").fill("^a.*w$")

    expect(trials(page)).to_have_count(5)
    page.get_by_role("searchbox", name="Search or regular expression").fill("(")
    expect(page.get_by_role("alert")).to_have_text("Invalid regular expression")


def test_columns_are_chosen_and_moved(driver: PageDriver, sweep: BoardProcess) -> None:
    """By the sheet and by keys; the usual ones come back."""
    page = opened(driver, sweep)
    usual = columns(page)
    page.get_by_role("button", name="Columns", exact=True).click()
    page.get_by_role("checkbox", name="bf16").click()
    assert columns(page) == [*usual, "config:bf16"]
    page.get_by_role("checkbox", name="opt").click()
    press(page, "Escape")
    expect(page.locator('[data-column="config:opt"]')).to_have_count(0)
    head(page, "config:bf16").get_by_role("button").first.focus()
    press(page, "Alt+ArrowLeft")
    assert columns(page)[-2] == "config:bf16"
    page.get_by_role("button", name="Columns", exact=True).click()
    page.get_by_role("button", name="Default columns").click()

    assert columns(page) == usual


def test_metrics_can_show_other_statistics(driver: PageDriver, sweep: BoardProcess) -> None:
    """The minimum instead of the last value."""
    page = opened(driver, sweep)
    head(page, "metric:eval/loss:last").get_by_role("button", name="Filter by eval/loss").click()
    page.get_by_role("combobox", name="Statistic").select_option("min")
    press(page, "Escape")

    expect(head(page, "metric:eval/loss:min")).to_be_visible()
    expect(trials(page).first.locator('[data-cell="metric:eval/loss:min"]')).not_to_be_empty()


def test_brushes_filter_trials(driver: PageDriver, sweep: BoardProcess) -> None:
    """On numbers and text; a click on the axis removes one, and so does undo."""
    page = opened(driver, sweep, PARALLEL)
    plot = page.get_by_test_id("parallel")
    brush(page, "config:batch_size", -0.05, 0.3)
    expect(plot).to_have_attribute("data-lines", "3")
    assert set(names(page)) == {"baseline", "lr_1e-3", "lr_3e-4"}
    brush(page, "config:opt", 0.5, 1)
    expect(plot).to_have_attribute("data-lines", "1")
    press(page, "Control+z")
    expect(plot).to_have_attribute("data-lines", "3")
    brush(page, "config:batch_size", 0.1, 0.1)

    expect(plot).to_have_attribute("data-lines", "6")


def test_axis_scales_can_be_changed(driver: PageDriver, sweep: BoardProcess) -> None:
    """Linear, log, rank; stored in the URL; text has none."""
    page = opened(driver, sweep, PARALLEL)
    lr = axis(page, "config:lr")
    expect(lr).to_have_attribute("data-scale", "linear")
    for kind in ("log", "quantile", "linear"):
        lr.get_by_role("button").first.click()
        expect(lr).to_have_attribute("data-scale", kind)
    lr.get_by_role("button").first.click()
    axis(page, "config:opt").get_by_role("button").first.click()
    expect(axis(page, "config:opt")).to_have_attribute("data-scale", "words")
    page.wait_for_function("() => location.search.includes('log')")

    again = opened(driver, sweep, "&" + page.url.split("?test=1&")[1].split("#")[0])
    expect(axis(again, "config:lr")).to_have_attribute("data-scale", "log")


def test_axes_can_be_reordered(driver: PageDriver, sweep: BoardProcess) -> None:
    """Their scales stay."""
    page = opened(driver, sweep, PARALLEL)
    first = columns(page)
    lr, size = axis(page, "config:lr").bounding_box(), axis(page, "config:batch_size").bounding_box()
    assert lr
    assert size
    page.mouse.move(lr["x"] + lr["width"] / 3, lr["y"] + 20)
    page.mouse.down()
    page.mouse.move(size["x"] + size["width"] / 2 - 10, lr["y"] + 20)
    page.mouse.move(size["x"] + size["width"] / 2, lr["y"] + 20, steps=3)
    page.mouse.up()

    assert sorted(columns(page)) == sorted(first)
    assert columns(page).index("config:lr") > columns(page).index("config:batch_size")
    expect(axis(page, "config:lr")).to_have_attribute("data-scale", "linear")


def test_lines_and_rows_are_linked(driver: PageDriver, sweep: BoardProcess) -> None:
    """Hovering one highlights the other; a click opens the run."""
    page = opened(driver, sweep, PARALLEL)
    trials(page).filter(has_text="lr_1e-3").hover()
    expect(page.locator("[role=img][data-over]")).to_be_visible()
    at, plot = axis(page, "config:lr").bounding_box(), page.get_by_role("img").first.bounding_box()
    assert at
    assert plot
    other = axis(page, "config:batch_size").bounding_box()
    assert other
    # From the top of one axis, where only this run is, to the foot of the next.
    across, down = other["x"] - at["x"], plot["height"] - 12 - 30
    page.mouse.move(at["x"] + at["width"] / 2 + 30, plot["y"] + 12 + down * 30 / across, steps=2)
    expect(trials(page).filter(has_text="lr_1e-3")).to_have_attribute("data-front", "true")
    page.mouse.down()
    page.mouse.up()

    expect(page.locator("main[data-run]")).to_have_attribute("data-run", "lr_1e-3")


def test_scatter_plots_can_be_brushed(driver: PageDriver, sweep: BoardProcess) -> None:
    """A drag filters both columns; a click beside the points resets, one on a point opens its run."""
    page = opened(driver, sweep, SCATTER)
    expect(page.get_by_test_id("scatter")).to_have_attribute("data-points", "6")
    plot = page.locator('[data-testid=scatter-plot][data-x="config:batch_size"]').first.bounding_box()
    assert plot
    left, right, top, bottom = plot["x"], plot["x"] + plot["width"], plot["y"], plot["y"] + plot["height"]
    page.mouse.move(left + 1, top + 1)
    page.mouse.down()
    page.mouse.move(left + plot["width"] / 2, bottom - 1, steps=3)
    page.mouse.up()
    expect(page.get_by_test_id("scatter")).to_have_attribute("data-points", "3")
    assert set(names(page)) == {"baseline", "lr_1e-3", "lr_3e-4"}
    page.mouse.move((left + right) / 2, (top + bottom) / 2)
    page.mouse.down()
    page.mouse.up()

    expect(page.get_by_test_id("scatter")).to_have_attribute("data-points", "6")


def test_filtered_trials_can_be_applied_to_all_pages(driver: PageDriver, sweep: BoardProcess) -> None:
    """The runs of the rows that are left; the boxes of both tables say so."""
    page = opened(driver, sweep, "&hparams=" + "filter%3Dconfig:batch_size%252C32..32")
    expect(trials(page)).to_have_count(3)
    page.get_by_role("button", name="Show only these in charts").click()
    on = page.locator("[data-testid=run-row]:has(input:checked)")
    expect(on).to_have_count(3)
    trials(page).first.get_by_role("checkbox").click()
    expect(on).to_have_count(2)
    page.get_by_role("link", name="Time Series").or_(page.get_by_test_id("tab-timeseries")).first.click()

    expect(page.get_by_test_id("card").first).to_contain_text("2 runs")


def test_colouring_by_a_value_applies_to_all_pages(driver: PageDriver, sweep: BoardProcess) -> None:
    """Chosen here, seen in the run table."""
    page = opened(driver, sweep)
    page.get_by_role("combobox", name="Color by").select_option("config:lr")

    expect(page.get_by_test_id("color-legend")).to_contain_text("lr")
    settle(page)
    assert trials(page).first.evaluate(SWATCH_COLOUR) == swatch_colours(page)["baseline"]


def test_the_table_can_be_exported(driver: PageDriver, sweep: BoardProcess, tmp_path: pathlib.Path) -> None:
    """Check 39: CSV and JSON with all digits, LaTeX rounded; rows and columns as shown."""
    page = opened(driver, sweep, "&hparams=columns%3Dconfig:lr%252Cconfig:bf16%252Cmetric:eval/loss:last")
    taken = {}
    for item in ("CSV", "JSON", "LaTeX"):
        page.get_by_role("button", name="Export").click()
        with page.expect_download() as download:
            page.get_by_role("menuitem", name=item, exact=True).press("Enter")
        path = tmp_path / download.value.suggested_filename
        download.value.save_as(path)
        taken[item] = path.read_text()
    rows = list(csv.DictReader(io.StringIO(taken["CSV"])))
    stats = page.request.post(
        f"{sweep.url}api/v1/scalars/stats", data=json.dumps({"tags": ["eval/loss"], "runs": None})
    ).json()["stats"]

    assert [row["trial"] for row in rows] == names(page)
    assert {float(row["eval/loss last"]) for row in rows} == {each["last_value"] for each in stats}
    assert json.loads(taken["JSON"])[0] | {"eval/loss last": 0} == {
        "trial": "baseline",
        "lr": 3e-4,
        "bf16": True,
        "eval/loss last": 0,
    }
    assert "\\begin{tabular}{lrlr}" in taken["LaTeX"]
    assert "baseline & 3e-4 & true & 0." in taken["LaTeX"]


def test_sessions_of_one_group_are_one_row(
    driver: PageDriver, start_board: BoardStarter, tmp_path: pathlib.Path
) -> None:
    """With the mean of their metrics, or another figure."""
    for run, value in (("a", 1.0), ("b", 3.0), ("c", 5.0)):
        session = scalar_logs.hparams({"lr": 0.1 if run < "c" else 0.2}, group="twins" if run < "c" else "")
        points = scalar_logs.scalars(
            "loss", [0], scalar_logs.np.array([scalar_logs.START]), scalar_logs.np.array([value])
        )
        scalar_logs.write_run(tmp_path / run, {"session": session, "loss": points})
    page = opened(driver, start_board(tmp_path))
    expect(trials(page)).to_have_count(3)
    page.get_by_role("combobox", name="Aggregate sessions").select_option("mean")
    expect(trials(page)).to_have_count(2)
    assert cells(page, "metric:loss:last") == {"a": "2", "c": "5"}
    page.get_by_role("combobox", name="Aggregate sessions").select_option("max")

    expect(trials(page).first.locator('[data-cell="metric:loss:last"]')).to_have_text("3")


def test_add_scalars_parts_belong_to_their_run(
    driver: PageDriver, start_board: BoardStarter, tmp_path: pathlib.Path
) -> None:
    """One card with a line for each, in the colour of the run."""
    steps = range(5)
    walls = scalar_logs.START + scalar_logs.np.arange(5)
    for name, tag in (("run", "loss"), ("run/both_train", "both"), ("run/both_val", "both")):
        scalar_logs.write_run(
            tmp_path / name, {tag: scalar_logs.scalars(tag, steps, walls, scalar_logs.decay(0, len(name), 5))}
        )
    page = driver.open(start_board(tmp_path))

    rows = page.get_by_test_id("run-row")
    expect(rows).to_have_count(1)
    expect(page.locator('[data-testid=card][data-tag="both"]')).to_contain_text("2 runs")
    page.locator('[data-testid=card][data-tag="both"]').hover()
    tip = page.get_by_test_id("tip")
    expect(tip).to_contain_text("run · train")
    expect(tip).to_contain_text("run · val")


@pytest.mark.parametrize("mode", MODES)
def test_the_hparams_page_is_intact_translated_and_accessible(
    driver: PageDriver, sweep: BoardProcess, mode: str
) -> None:
    """Checks 4, 27 and 29: four widths, three languages, both themes; accessible also with an open filter."""
    page = opened(driver, sweep, f"&lang={LANGUAGES[0]}{MODES[mode]}")
    dialog = page.get_by_role("dialog")

    # Many axes are wider than a narrow window, as a table is.
    assert find_page_faults(page, WIDTHS, accessible=[1440], allowed="scrolls sideways: ") == {}
    head(page, "config:opt").get_by_role("button", name="Filter by opt").click()
    expect(dialog).to_be_visible()
    assert find_violations_in_both_themes(page) == {}
    expect(dialog).to_be_visible()


def test_the_hparams_page_works_by_keys(driver: PageDriver, sweep: BoardProcess) -> None:
    """Check 25: views, filters and checkboxes."""
    page = opened(driver, sweep)
    page.get_by_role("radio", name="Table").focus()
    press(page, "ArrowRight")
    expect(page.get_by_test_id("parallel")).to_be_visible()
    axis(page, "config:opt").get_by_role("button", name="Filter by opt").focus()
    press(page, "Enter")
    page.get_by_role("searchbox", name="Search or regular expression").focus()
    type_text(page, "lion")
    press(page, "Escape")
    expect(trials(page)).to_have_count(1)
    expect(page.get_by_role("searchbox", name="Search or regular expression")).to_have_count(0)
    trials(page).first.get_by_role("checkbox").focus()
    press(page, "Space")

    expect(page.locator("[data-testid=run-row]:has(input:checked)")).to_have_count(5)


def test_odd_hparam_names_are_intact(driver: PageDriver, start_board: BoardStarter, tmp_path: pathlib.Path) -> None:
    """Check 30: trials, parameters and values."""
    odd = {"<i>学习率</i>": "עברית & 😀", "a,b;c=%2C": "x"}
    for at, name in enumerate(scalar_logs.ODD_NAMES):
        scalar_logs.write_run(
            tmp_path / name, {"session": scalar_logs.hparams({key: f"{value}{at}" for key, value in odd.items()})}
        )
    page = opened(driver, start_board(tmp_path))

    assert sorted(names(page)) == sorted(scalar_logs.ODD_NAMES)
    for key, value in odd.items():
        assert set(cells(page, f"config:{key}").values()) == {
            f"{value}{at}" for at in range(len(scalar_logs.ODD_NAMES))
        }
    head(page, "config:a,b;c=%2C").get_by_role("button", name="Filter by").click()
    page.get_by_role("checkbox", name="x0").click()
    page.wait_for_function("() => document.querySelectorAll('[data-testid=trial-row]').length === 6")
    page.wait_for_function("() => location.search.includes('filter')")
    again = opened(driver, start_board(tmp_path), "&" + page.url.split("?test=1&")[1].split("#")[0])

    expect(trials(again)).to_have_count(6)


def test_metrics_are_live(driver: PageDriver, start_board: BoardStarter, tmp_path: pathlib.Path) -> None:
    """Another point and another trial, with nobody asking."""
    walls = scalar_logs.START + scalar_logs.np.arange(2)
    session = scalar_logs.hparams({"lr": 0.1})
    points = [
        scalar_logs.scalars("loss", [step], walls[step:][:1], scalar_logs.np.array([4.0 - step])) for step in range(2)
    ]
    path = scalar_logs.write_run(tmp_path / "a", {"session": session, "loss": points[0]})
    page = opened(driver, start_board(tmp_path))
    cell = trials(page).first.locator('[data-cell="metric:loss:last"]')
    expect(cell).to_have_text("4")
    with path.open("ab") as file:
        file.write(points[1])
    expect(cell).to_have_text("3")
    scalar_logs.write_run(tmp_path / "b", {"session": scalar_logs.hparams({"lr": 0.2})})

    expect(trials(page)).to_have_count(2)
    expect(head(page, "config:lr")).to_be_visible()


def test_an_empty_hparams_page_shows_code(driver: PageDriver, fifty_runs: BoardProcess) -> None:
    """With lines to copy."""
    page = driver.open(fifty_runs, "#hparams")

    expect(page.locator("main[data-page=hparams] pre")).to_contain_text("add_hparams")
