"""PR curves (checks 33, 5, 9, 27, 29, 30 and 39)."""

import csv
import io
import json
import pathlib
import re
from collections.abc import Iterator
from typing import Any

import httpx
import numpy as np
import pytest
from playwright.sync_api import Locator, Page, Route, expect

from support import curve_logs
from support.accessibility import find_violations_in_both_themes
from support.board_process import BoardProcess
from support.downloads import svg_texts
from support.page_driver import PageDriver
from support.page_faults import find_page_faults
from support.settled_pages import press, press_unsettled, reload_unsettled, settle

TAG = "pr/class_0"
WIDTHS = [1440, 1280, 1024, 390]


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardProcess]:
    """Three runs with curves of four tags over ten steps."""
    folder = tmp_path_factory.mktemp("pr") / "runs"
    curve_logs.curves(folder)
    with BoardProcess(folder) as made:
        yield made


def opened(driver: PageDriver, board: BoardProcess, query: str = "", **how: Any) -> Page:
    """The page of PR curves, once its first card is drawn."""
    page = driver.open(board, f"{query}#pr_curves", **how)
    expect(card(page)).to_have_attribute("data-state", "ready")
    settle(page)
    return page


def card(page: Page, tag: str = TAG) -> Locator:
    return page.locator(f"[data-testid=card][data-tag={json.dumps(tag, ensure_ascii=False)}]")


def legend(of: Locator, name: str) -> dict[str, str]:
    """By run, what a data attribute of its row says."""
    found = of.locator("tr[data-run]").evaluate_all(
        f"(rows) => rows.map((row) => [row.dataset.run, row.dataset.{name}])"
    )
    return {str(run): str(value) for run, value in found}


def curves(board: BoardProcess, tag: str = TAG, step: int | None = None) -> dict[str, Any]:
    """What the API tells, by run."""
    names = {run["id"]: run["name"] for run in httpx.get(f"{board.url}api/v1/runs").json()["runs"]}
    answer = httpx.post(f"{board.url}api/v1/pr_curves", json={"tag": tag, "step": step}).json()
    return {names[one["run"]]: one for one in answer["curves"]}


def take(page: Page, of: Locator, item: str, folder: pathlib.Path) -> str:
    """What is in the file that an item of the card's menu makes."""
    of.hover()
    of.get_by_role("button", name="More").click()
    with page.expect_download() as download:
        page.get_by_role("menuitem", name=item).press("Enter")
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path.read_bytes().decode()


def test_average_precision_is_that_of_the_stored_thresholds(driver: PageDriver, board: BoardProcess) -> None:
    """In the legend of each card, to 1e-6 of NumPy's sum over what was written."""
    page = opened(driver, board)
    told = {run: float(text) for run, text in legend(card(page), "ap").items()}
    wanted = {}
    for at, run in enumerate(curve_logs.RUNS):
        precision, recall = curve_logs.rows_of(at, 0, curve_logs.STEPS[-1])[4:].astype(np.float64)
        wanted[run] = float(-np.diff(np.append(recall, 0.0)) @ precision)

    assert told == pytest.approx(wanted, abs=1e-6)


def test_one_slider_moves_all_cards(driver: PageDriver, board: BoardProcess) -> None:
    """The step is that of all pages, and stands in the address."""
    page = opened(driver, board)
    page.get_by_role("slider", name="Step").focus()
    press(page, *["ArrowLeft"] * 3)
    for tag in (TAG, "pr/class_1"):
        expect(card(page, tag).locator("tr[data-run=wide]")).to_have_attribute("data-step", "6000")

    expect(page).to_have_url(re.compile("pin=6000"))
    expect(page.get_by_role("slider")).to_have_count(1)


def test_the_tip_tells_the_counts_of_the_threshold(driver: PageDriver, board: BoardProcess) -> None:
    """Precision, recall, F1 and all four counts of every run, as the API has them."""
    page = opened(driver, board, "&curves=threshold")
    card(page).get_by_role("img").hover()
    tip = page.get_by_test_id("tip")
    expect(tip).to_be_visible()
    settle(page)
    threshold = float(tip.get_attribute("data-threshold") or "nan")
    told = {
        row.get_attribute("data-run"): [
            int(row.locator(f"[data-count={name}]").inner_text()) for name in ("tp", "fp", "tn", "fn")
        ]
        for row in tip.locator("tr[data-run]").all()
    }
    wanted = {}
    for run, one in curves(board).items():
        at = round(threshold * (len(one["thresholds"]) - 1))
        wanted[run] = [
            one[name][at] for name in ("true_positives", "false_positives", "true_negatives", "false_negatives")
        ]

    assert told == wanted


def test_a_marked_threshold_stays_in_all_modes(driver: PageDriver, board: BoardProcess) -> None:
    """By keys too; it stands in the address and is let go by its button."""
    page = opened(driver, board)
    card(page).get_by_role("img").focus()
    press(page, "ArrowRight", "m")
    mark = page.get_by_role("button", name=re.compile("^threshold 0.5"))
    expect(mark).to_be_visible()
    page.get_by_role("radio", name="ROC").check()
    expect(mark).to_be_visible()
    expect(page).to_have_url(re.compile(r"threshold=0.5\d*"))
    expect(page).to_have_url(re.compile("curves=roc"))
    mark.click()

    expect(mark).to_be_hidden()


def test_keys_do_nothing_before_the_curves_arrive(driver: PageDriver, board: BoardProcess) -> None:
    """The stride of a key is that of the curves; without them it would lead from one end to the other."""
    held: list[Route] = []
    page = driver.open(board, "#pr_curves")

    def hold_first(route: Route) -> None:
        if not held and TAG in (route.request.post_data or ""):
            held.append(route)
        else:
            route.continue_()

    page.route("**/api/v1/pr_curves", hold_first)
    with page.expect_request(lambda request: request.url.endswith("/pr_curves") and TAG in (request.post_data or "")):
        reload_unsettled(page)
    plot = card(page).get_by_role("img")
    plot.focus()
    press_unsettled(page, "ArrowRight")
    for route in held:
        route.continue_()
    expect(card(page)).to_have_attribute("data-state", "ready")
    press(page, "m")

    expect(page.get_by_role("button", name=re.compile("^threshold"))).to_have_count(0)


@pytest.mark.parametrize("mode", ["pr", "roc", "threshold"])
def test_every_mode_draws_every_run(driver: PageDriver, board: BoardProcess, mode: str) -> None:
    """And hiding a run takes its curve away."""
    page = opened(driver, board, f"&curves={mode}&hide=wide")
    plot = card(page).get_by_role("img")

    expect(plot).to_have_attribute("data-drawn", "2")
    assert sorted(legend(card(page), "run")) == ["baseline", "seed0"]


def test_a_run_has_the_colour_it_has_everywhere(driver: PageDriver, board: BoardProcess) -> None:
    """In the legend as in the run table."""
    page = opened(driver, board)
    color = "(node) => getComputedStyle(node).backgroundColor"
    ours = card(page).locator("tr[data-run=wide] span[aria-hidden]").first.evaluate(color)
    page.locator("[data-testid=run-row]").filter(has_text="wide").hover()
    settle(page)
    table = (
        page.locator("[data-testid=run-row]").filter(has_text="wide").locator("[class*=swatch]").first.evaluate(color)
    )

    assert ours == table


def test_full_screen_has_every_threshold(driver: PageDriver, board: BoardProcess) -> None:
    """A table that the pointer and the mark go through, and how average precision went; Esc closes it."""
    page = opened(driver, board, "&threshold=0.5")
    card(page).hover()
    card(page).get_by_role("button", name="Full screen").click()
    full = page.get_by_test_id("fullscreen")
    row = full.locator("tr[aria-current]")
    expect(row).to_have_attribute("data-threshold", "0.5")
    settle(page)
    one = curves(board)["baseline"]
    counts = [one[name][63] for name in ("true_positives", "false_positives", "true_negatives", "false_negatives")]
    assert row.locator("td").all_inner_texts()[4:] == [f"{count:g}" for count in counts]
    assert full.locator("table").last.get_attribute("aria-rowcount") == "128"
    press(page, "Escape")

    expect(full).to_be_hidden()


def test_numbers_that_are_taken_away_are_those_of_the_api(
    driver: PageDriver, board: BoardProcess, tmp_path: pathlib.Path
) -> None:
    """CSV and JSON of a card, to the last digit."""
    page = opened(driver, board, "&pin=3000,")
    expect(card(page).locator("tr[data-run=wide]")).to_have_attribute("data-step", "3000")
    rows = list(csv.DictReader(io.StringIO(take(page, card(page), "All points as CSV", tmp_path))))
    told = json.loads(take(page, card(page), "All points as JSON", tmp_path))
    wanted = curves(board, step=3000)

    assert {one["run"]: one for one in told["curves"]} == {run: {**one, "run": run} for run, one in wanted.items()}
    assert [(row["run"], float(row["threshold"]), float(row["precision"]), float(row["tp"])) for row in rows] == [
        (run, *numbers)
        for run, one in wanted.items()
        for numbers in zip(one["thresholds"], one["precision"], one["true_positives"], strict=True)
    ]


def test_the_picture_names_what_it_shows(driver: PageDriver, board: BoardProcess, tmp_path: pathlib.Path) -> None:
    """SVG with title, axes and a line for each run, whatever the tag is called."""
    page = opened(driver, board)
    found = svg_texts(take(page, card(page, curve_logs.ODD_TAG), "Image as SVG", tmp_path))

    assert {curve_logs.ODD_TAG, "Recall", "Precision"} <= set(found)
    assert [line.split(" · ")[0] for line in found if " AP " in line] == list(curves(board))


@pytest.mark.parametrize("mode", ["pr", "threshold"])
def test_axe_finds_nothing(driver: PageDriver, board: BoardProcess, mode: str) -> None:
    """On the page and full screen, in both themes."""
    page = opened(driver, board, f"&curves={mode}&threshold=0.5")
    assert find_violations_in_both_themes(page) == {}
    card(page).hover()
    card(page).get_by_role("button", name="Full screen").click()
    expect(page.locator("tr[aria-current]")).to_be_visible()
    assert find_violations_in_both_themes(page) == {}


def test_nothing_is_cut(driver: PageDriver, board: BoardProcess) -> None:
    """In any language, at any usual width, the marked threshold included."""
    page = opened(driver, board, "&lang=ru&threshold=0.5")

    assert find_page_faults(page, WIDTHS, languages=["ru", "zh"], find_untranslated=None) == {}
