"""Comparing runs (check 24) and the page of one run."""

import json
import pathlib
import urllib.parse
import urllib.request

import logs
from playwright.sync_api import Locator, Page, expect
from served import Board, Serving
from visitor import Visitor

TWO = "&compare=baseline,big/seed0#compare"


def table(page: Page) -> Locator:
    """The comparison, once its figures are there."""
    found = page.get_by_test_id("compare-table")
    expect(found.locator("[data-part=metrics] tr[data-key]").first).to_be_visible()
    return found


def cells(table: Locator, key: str) -> list[str]:
    """The cells of a row, with plain spaces and a plain minus."""
    texts = table.locator(f'tr[data-key="{key}"] td').all_inner_texts()
    return [" ".join(text.replace("\u2212", "-").split()) for text in texts]


def stats(board: Board, tag: str) -> dict[str, dict[str, float]]:
    """Statistics of a tag by name of run, from the API."""
    with urllib.request.urlopen(f"{board.url}api/v1/runs") as answer:
        names = {run["id"]: run["name"] for run in json.load(answer)["runs"]}
    question = urllib.request.Request(
        f"{board.url}api/v1/scalars/stats",
        data=json.dumps({"tags": [tag], "runs": None}).encode(),
        headers={"content-type": "application/json"},
    )
    with urllib.request.urlopen(question) as answer:
        return {names[each["run"]]: each for each in json.load(answer)["stats"]}


def test_what_differs_is_listed_first_and_alone(visitor: Visitor, sweep: Board) -> None:
    """The differing hyper-parameters of two runs, and how many are equal."""
    page = visitor.open(sweep, TWO, ready=False)
    found = table(page)

    keys = found.locator("[data-part=config] tr[data-key]").evaluate_all("rows => rows.map((row) => row.dataset.key)")

    assert keys == ["batch_size", "lr"]
    assert cells(found, "batch_size") == ["32", "128"]
    assert cells(found, "lr") == ["3e-4", "1e-4"]
    expect(found.get_by_role("button", name="3 equal rows")).to_be_visible()


def test_equal_rows_unfold(visitor: Visitor, sweep: Board) -> None:
    """They are there for who asks."""
    page = visitor.open(sweep, TWO, ready=False)
    found = table(page)
    found.get_by_role("button", name="3 equal rows").click()

    assert cells(found, "opt") == ["adamw", "adamw"]


def test_swapping_the_baseline_changes_the_signs(visitor: Visitor, sweep: Board) -> None:
    """Check 24: the difference is measured from the other run, so it is the negative."""
    page = visitor.open(sweep, TWO, ready=False)
    found = table(page)
    of = stats(sweep, "eval/loss")
    apart = of["big/seed0"]["min_value"] - of["baseline"]["min_value"]
    before = cells(found, "eval/loss")[1]

    found.get_by_role("button", name="Use as baseline").click()
    after = cells(found, "eval/loss")[0]

    assert f"{apart:+.3g}" in before
    assert f"{-apart:+.3g}" in after


def test_values_are_those_of_the_server(visitor: Visitor, sweep: Board) -> None:
    """Last values of a metric, to the digits shown and all of them in the tip."""
    page = visitor.open(sweep, TWO, ready=False)
    found = table(page)
    page.get_by_role("radio", name="Last").click()
    of = stats(sweep, "train/lr")

    shown = found.locator('tr[data-key="train/lr"] td').evaluate_all("cells => cells.map((cell) => +cell.title)")

    assert shown == [of[name]["last_value"] for name in ("baseline", "big/seed0")]


def test_key_c_compares_what_is_on_show(visitor: Visitor, sweep: Board) -> None:
    """All six runs, each with its own colour and its curve."""
    page = visitor.open(sweep)
    page.keyboard.press("c")

    expect(table(page).locator("thead th[data-run]")).to_have_count(6)
    expect(page.locator("[data-testid=card][data-tag='eval/loss']")).to_have_attribute("data-state", "ready")


def test_the_page_of_a_run_tells_its_figures(visitor: Visitor, sweep: Board) -> None:
    """Last, least and greatest of each tag; status; hyper-parameters."""
    page = visitor.open(sweep, "#run/lr_1e-3", ready=False)
    row = page.locator('[data-testid=run-tags] tr[data-tag="eval/loss"]')
    of = stats(sweep, "eval/loss")["lr_1e-3"]
    expect(row.locator("td").first).not_to_be_empty()

    told = row.locator("td").evaluate_all("cells => cells.slice(0, 4).map((cell) => +cell.title)")

    assert told == [of["last_value"], of["min_value"], of["max_value"], of["mean"]]
    expect(page.get_by_role("main")).to_contain_text("Failed")
    expect(page.get_by_role("main")).to_contain_text("1e-3")


def test_a_run_that_is_not_there_is_said_so(visitor: Visitor, sweep: Board) -> None:
    """A link may outlive its run."""
    page = visitor.open(sweep, "#run/" + urllib.parse.quote("gone/run"), ready=False)

    expect(page.get_by_role("main")).to_contain_text("“gone/run” is not in these logs now.")


def test_a_long_value_leaves_room_for_the_other_runs(
    visitor: Visitor, tmp_path: pathlib.Path, serving: Serving
) -> None:
    """It is shown whole, on several lines."""
    for second, (name, path) in enumerate({"a": "x" * 300, "b": "short"}.items()):
        logs.write_run(tmp_path / name, {"h": logs.hparams({"path": path})}, second=second)
    page = visitor.open(serving(tmp_path), "&compare=a,b#compare", ready=False)
    cell = page.locator('tr[data-key="path"] td').first
    expect(cell).to_have_text("x" * 300)
    box = cell.bounding_box()
    assert box is not None

    assert box["width"] < 400


def test_a_long_name_is_whole_on_the_page_of_its_run(
    visitor: Visitor, tmp_path: pathlib.Path, serving: Serving
) -> None:
    """On a phone too, where nothing can be pointed at."""
    name = "lr=0.0003_" * 20
    logs.write_run(tmp_path / name, {"h": logs.hparams({"lr": 0.0003})})
    page = visitor.open(serving(tmp_path), f"#run/{name}", ready=False, width=390, height=844)
    heading = page.get_by_role("heading", name=name)
    expect(heading).to_be_visible()

    assert heading.evaluate("element => element.scrollWidth <= element.clientWidth")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_run_page_lists_its_event_files(visitor: Visitor, serving: Serving, tmp_path: pathlib.Path) -> None:
    """The folder once, the last ones first; the others come when asked for."""
    for second in range(8):
        logs.write_run(tmp_path / "run", {"lr": logs.hparams({"lr": 0.1})}, second=second)
    page = visitor.open(serving(tmp_path, "--reload_task", "blocking"), "#run/run", ready=False)
    files = page.get_by_test_id("run-files").get_by_role("listitem")
    expect(files).to_have_count(3)
    expect(page.get_by_role("region", name="Event files").first).to_contain_text(f"{tmp_path}/run/")
    page.get_by_role("button", name="All 8 files").click()

    expect(files).to_have_count(8)
    on_disk = sorted((tmp_path / "run").iterdir())
    expect(files.last).to_contain_text(on_disk[0].name)
    expect(files.first).to_contain_text(f"{on_disk[-1].stat().st_size} B, last event")
