"""Comparing runs (check 24) and the run page."""

import json
import pathlib
import urllib.parse
import urllib.request

from playwright.sync_api import Locator, Page, expect

from support import scalar_logs
from support.board_process import BoardProcess, BoardStarter
from support.page_driver import PageDriver
from support.settled_pages import press, settle

TWO = "&compare=baseline,big/seed0#compare"


def table(page: Page) -> Locator:
    """The comparison."""
    return page.get_by_test_id("compare-table")


def cells(table: Locator, key: str) -> list[str]:
    """The cells of a row, with plain spaces and a plain minus."""
    settle(table.page)
    texts = table.locator(f'tr[data-key="{key}"] td').all_inner_texts()
    return [" ".join(text.replace("\u2212", "-").split()) for text in texts]


def stats(board: BoardProcess, tag: str) -> dict[str, dict[str, float]]:
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


def test_differing_hyperparameters_are_listed(driver: PageDriver, sweep: BoardProcess) -> None:
    """With the number of equal ones."""
    page = driver.open(sweep, TWO)
    found = table(page)

    keys = found.locator("[data-part=config] tr[data-key]").evaluate_all("rows => rows.map((row) => row.dataset.key)")

    assert keys == ["batch_size", "lr"]
    assert cells(found, "batch_size") == ["32", "128"]
    assert cells(found, "lr") == ["3e-4", "1e-4"]
    expect(found.get_by_role("button", name="3 identical rows")).to_be_visible()


def test_equal_rows_can_be_expanded(driver: PageDriver, sweep: BoardProcess) -> None:
    """They are there for who asks."""
    page = driver.open(sweep, TWO)
    found = table(page)
    found.get_by_role("button", name="3 identical rows").click()

    assert cells(found, "opt") == ["adamw", "adamw"]


def test_swapping_the_baseline_changes_the_signs(driver: PageDriver, sweep: BoardProcess) -> None:
    """Check 24."""
    page = driver.open(sweep, TWO)
    found = table(page)
    of = stats(sweep, "eval/loss")
    apart = of["big/seed0"]["min_value"] - of["baseline"]["min_value"]
    before = cells(found, "eval/loss")[1]

    found.get_by_role("button", name="Use as baseline").click()
    after = cells(found, "eval/loss")[0]

    assert f"{apart:+.3g}" in before
    assert f"{-apart:+.3g}" in after


def test_compared_values_equal_the_api(driver: PageDriver, sweep: BoardProcess) -> None:
    """Rounded, with all digits in the tooltip."""
    page = driver.open(sweep, TWO)
    found = table(page)
    page.get_by_role("radio", name="Last").click()
    settle(page)
    of = stats(sweep, "train/lr")

    shown = found.locator('tr[data-key="train/lr"] td').evaluate_all("cells => cells.map((cell) => +cell.title)")

    assert shown == [of[name]["last_value"] for name in ("baseline", "big/seed0")]


def test_key_c_compares_visible_runs(driver: PageDriver, sweep: BoardProcess) -> None:
    """With colours and charts."""
    page = driver.open(sweep)
    press(page, "c")

    expect(table(page).locator("thead th[data-run]")).to_have_count(6)
    expect(page.locator("[data-testid=card][data-tag='eval/loss']")).to_have_attribute("data-state", "ready")


def test_the_run_page_shows_statistics(driver: PageDriver, sweep: BoardProcess) -> None:
    """Per tag, with status and hyperparameters."""
    page = driver.open(sweep, "#run/lr_1e-3")
    row = page.locator('[data-testid=run-tags] tr[data-tag="eval/loss"]')
    of = stats(sweep, "eval/loss")["lr_1e-3"]

    told = row.locator("td").evaluate_all("cells => cells.slice(0, 4).map((cell) => +cell.title)")

    assert told == [of["last_value"], of["min_value"], of["max_value"], of["mean"]]
    expect(page.get_by_role("main")).to_contain_text("Failed")
    expect(page.get_by_role("main")).to_contain_text("1e-3")


def test_missing_runs_are_reported(driver: PageDriver, sweep: BoardProcess) -> None:
    """Links may be old."""
    page = driver.open(sweep, "#run/" + urllib.parse.quote("gone/run"))

    expect(page.get_by_role("main")).to_contain_text("“gone/run” is not in these logs.")


def test_long_values_wrap(driver: PageDriver, tmp_path: pathlib.Path, start_board: BoardStarter) -> None:
    """It is shown whole, on several lines."""
    for second, (name, path) in enumerate({"a": "x" * 300, "b": "short"}.items()):
        scalar_logs.write_run(tmp_path / name, {"h": scalar_logs.hparams({"path": path})}, second=second)
    page = driver.open(start_board(tmp_path), "&compare=a,b#compare")
    cell = page.locator('tr[data-key="path"] td').first
    expect(cell).to_have_text("x" * 300)
    box = cell.bounding_box()
    assert box is not None

    assert box["width"] < 400


def test_long_names_are_whole_on_the_run_page(
    driver: PageDriver, tmp_path: pathlib.Path, start_board: BoardStarter
) -> None:
    """On phones too."""
    name = "lr=0.0003_" * 20
    scalar_logs.write_run(tmp_path / name, {"h": scalar_logs.hparams({"lr": 0.0003})})
    page = driver.open(start_board(tmp_path), f"#run/{name}", width=390, height=844)
    heading = page.get_by_role("heading", name=name)
    expect(heading).to_be_visible()

    assert heading.evaluate("element => element.scrollWidth <= element.clientWidth")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_run_page_lists_its_event_files(
    driver: PageDriver, start_board: BoardStarter, tmp_path: pathlib.Path
) -> None:
    """The latest first, the rest on request."""
    for second in range(8):
        scalar_logs.write_run(tmp_path / "run", {"lr": scalar_logs.hparams({"lr": 0.1})}, second=second)
    page = driver.open(start_board(tmp_path, "--reload_task", "blocking"), "#run/run")
    files = page.get_by_test_id("run-files").get_by_role("listitem")
    expect(files).to_have_count(3)
    expect(page.get_by_role("region", name="Event files").first).to_contain_text(f"{tmp_path}/run/")
    page.get_by_role("button", name="All 8 files").click()

    expect(files).to_have_count(8)
    on_disk = sorted((tmp_path / "run").iterdir())
    expect(files.last).to_contain_text(on_disk[0].name)
    expect(files.first).to_contain_text(f"{on_disk[-1].stat().st_size} B, last event")
