"""Divergence: NaN in groups and statuses, spikes, exact numbers and durations."""

import urllib.parse

from playwright.sync_api import Locator, Page, expect

from support.board_process import BoardProcess
from support.chart_cards import data_number, find_card
from support.page_driver import PageDriver
from support.settled_pages import press, settle

VIT = "imagenet1k/vit_base_patch16/lr0.003_wd0.05"
GROUPS = "&group=" + urllib.parse.quote("mean,sd,folder")
TABLE = "&table=" + urllib.parse.quote(
    "metric:train/loss:last,metric:optimizer/loss_scale:last,info:status,info:duration"
)


def cell(page: Page, run: str, column: str) -> Locator:
    """What the table says of a run."""
    return page.locator(f'[data-run="{run}"] [data-cell="{column}"]')


def test_groups_count_diverged_members(driver: PageDriver, nested_sweep: BoardProcess) -> None:
    """With one remaining seed there is no ±."""
    page = driver.open(nested_sweep, f"{GROUPS}{TABLE}#runs")
    group = page.locator(f'[data-testid="group-row"][data-group="{VIT}/"]')
    loss = group.locator('[data-cell="metric:train/loss:last"]')

    expect(loss).to_contain_text("1 of 3 (2 NaN)")
    expect(loss).to_have_attribute("data-lost", "true")
    expect(loss).not_to_contain_text("\u00b1")
    healthy = page.locator(f'[data-group="{VIT.replace("0.003", "0.001")}/"] [data-cell="metric:train/loss:last"]')
    expect(healthy).to_contain_text("\u00b1")


def test_runs_ending_in_nan_are_not_finished(driver: PageDriver, nested_sweep: BoardProcess) -> None:
    """They show since when."""
    page = driver.open(nested_sweep, f"{TABLE}&tree=false#runs")

    expect(cell(page, f"{VIT}/seed0", "info:status")).to_have_text("NaN from step 3\u2009310")
    expect(cell(page, f"{VIT}/seed1", "info:status")).to_have_text("Finished")


def test_integers_and_durations_are_exact(driver: PageDriver, nested_sweep: BoardProcess) -> None:
    """A loss scale to its last digit; of a converted log the time its scalars span."""
    page = driver.open(nested_sweep, f"{TABLE}&tree=false#runs")

    expect(cell(page, f"{VIT}/seed1", "metric:optimizer/loss_scale:last")).to_have_text("32\u2009768")
    expect(cell(page, f"{VIT}/seed1", "info:duration")).to_have_text("29 m 57 s")


def test_loss_scale_is_not_a_default_column(driver: PageDriver, nested_sweep: BoardProcess) -> None:
    """The loss is."""
    page = driver.open(nested_sweep, "#runs")

    expect(page.locator('[role="columnheader"][data-column="metric:train/loss:last"]')).to_be_visible()
    expect(page.locator('[data-column="metric:optimizer/loss_scale:last"]')).to_have_count(0)


def test_zooming_to_a_spike_shows_it(driver: PageDriver, pretraining: BoardProcess) -> None:
    """The y range fits all points in the zoom."""
    page = driver.open(pretraining, "&smoothing=0&zoom=110000,127000")

    for tag, height in (("train/lm_loss", 4.5), ("train/grad_norm", 8)):
        assert data_number(find_card(page, tag), "ymax") > height


def test_loss_spikes_are_visible_by_default(driver: PageDriver, pretraining: BoardProcess) -> None:
    """Gradient spikes are cut off, with a button to show them."""
    page = driver.open(pretraining)
    loss, norms = find_card(page, "train/lm_loss"), find_card(page, "train/grad_norm")

    assert data_number(loss, "ymax") > 4.5
    assert data_number(norms, "ymax") < 1
    norms.get_by_role("button", name="above: show these points").click()
    expect(norms.locator("[data-clipped=above]")).to_have_count(0)
    settle(page)
    assert data_number(norms, "ymax") > 8


def test_full_screen_counts_remaining_members(driver: PageDriver, nested_sweep: BoardProcess) -> None:
    """Without a change, which would be that of the survivor."""
    page = driver.open(nested_sweep, f"{GROUPS}&smoothing=0&tagFilter=train/loss")
    find_card(page, "train/loss").get_by_role("img").focus()
    press(page, "Enter")
    group = page.locator(f'[data-testid=value-table] [data-run="{VIT}/"]')
    healthy = page.locator(f'[data-testid=value-table] [data-run="{VIT.replace("0.003", "0.001")}/"]')

    expect(group.locator("[data-column=end]")).to_contain_text("1 of 3 (2 NaN)")
    expect(group.locator("[data-column=percent]")).to_have_text("\u2013")
    expect(healthy.locator("[data-column=percent]")).to_contain_text("%")
