"""Charts of many lines: what the page offers to make them readable."""

import itertools
import pathlib
from collections.abc import Iterator

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from support import scalar_logs
from support.accessibility import find_violations_in_both_themes
from support.board_process import BoardProcess, serve_logs
from support.chart_cards import fetch_series, find_card
from support.page_driver import PageDriver
from support.settled_pages import press, reload, settle

RATES, MODELS, SEEDS = (1e-4, 3e-4, 1e-3, 3e-3), ("vit_base_patch16", "resnet50d", "convnext_tiny"), (0, 1, 2)


def write_seeds(root: pathlib.Path) -> None:
    """36 runs of one sweep, three folders deep: three seeds of each setting."""
    settings = itertools.product(MODELS, RATES, SEEDS)
    for run, (model, rate, seed) in enumerate(settings):
        losses = scalar_logs.decay(run % 7, run, 50)
        session = scalar_logs.hparams({"arch": model, "lr": rate, "seed": seed, "dataset": "imagenet1k"}, status=1)
        tags = {"eval/loss": scalar_logs.scalars("eval/loss", range(50), scalar_logs.START + np.arange(50), losses)}
        scalar_logs.write_run(
            root / f"imagenet1k_{model}" / f"lr{rate:g}_wd0.05" / f"seed{seed}",
            {**tags, scalar_logs.SESSION_START: session},
        )


@pytest.fixture(scope="module")
def many_seeds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardProcess]:
    """A board over these runs."""
    yield from serve_logs(tmp_path_factory.mktemp("many_seeds") / "runs", write_seeds)


def offers(page: Page) -> Locator:
    """The line above the cards."""
    return page.get_by_role("region", name="lines in a chart")


def test_many_lines_are_grouped_by_one_click(driver: PageDriver, many_seeds: BoardProcess) -> None:
    """By folder or by what the sweep was about, not by seed; undo brings the lines back, and the offers."""
    page = driver.open(many_seeds)
    assert offers(page).get_by_role("button").all_inner_texts() == [
        "Group by folder (12)",
        "Group by lr (4)",
        "Group by arch (3)",
        "Color by eval/loss",
        "Best 10 by eval/loss",
    ]
    assert find_violations_in_both_themes(page, widths=(390, 1024, 1440)) == {}

    page.get_by_role("button", name="Group by lr (4)").click()
    expect(page.get_by_test_id("group-row")).to_have_count(4)
    expect(offers(page)).to_have_count(0)
    settle(page)
    press(page, "Control+z")
    expect(offers(page)).to_be_visible()


def test_the_best_runs_are_shown_alone(driver: PageDriver, many_seeds: BoardProcess) -> None:
    """Those whose loss was the least, as the API has it."""
    page = driver.open(many_seeds, height=1700)
    runs: list[dict[str, str]] = many_seeds.json("/api/v1/runs")["runs"]
    least = {
        run["name"]: min(value for _, _, value in fetch_series(many_seeds, run["name"], "eval/loss")) for run in runs
    }
    page.get_by_role("button", name="Best 10 by eval/loss").click()

    expect(find_card(page, "eval/loss")).to_contain_text("10 runs")
    settle(page)
    shown: list[str] = page.locator("[data-testid=run-row]:not([data-off])").evaluate_all(
        "rows => rows.map((row) => row.dataset.run)"
    )
    assert sorted(shown) == sorted(sorted(least, key=lambda run: least[run])[:10])


def test_the_offers_are_closed_for_good(driver: PageDriver, many_seeds: BoardProcess) -> None:
    """Also in the next visit."""
    page = driver.open(many_seeds)
    page.get_by_role("button", name="Close").click()
    expect(offers(page)).to_have_count(0)
    reload(page)

    expect(find_card(page, "eval/loss")).to_be_visible()
    expect(offers(page)).to_have_count(0)
