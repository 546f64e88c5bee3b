"""Divergence: NaN in groups and statuses, spikes, exact numbers and durations."""

import urllib.parse

from playwright.sync_api import Locator, Page, expect

from support.accessibility import find_violations_in_both_themes
from support.board_process import BoardProcess
from support.chart_cards import data_number, find_card, hover
from support.page_driver import PageDriver
from support.scalar_logs import DATASETS
from support.settled_pages import press, settle

VIT = "imagenet1k/vit_base_patch16/lr0.003_wd0.05"
GROUPS = "&group=" + urllib.parse.quote("mean,sd,folder")
TABLE = "&table=" + urllib.parse.quote(
    "metric:train/loss:last,metric:optimizer/loss_scale:last,info:status,info:duration"
)
BY_RATE = "&group=" + urllib.parse.quote("mean,sd,config:lr")
DIVERGED = [f"{dataset}/vit_base_patch16/lr0.003_wd0.05/seed{seed}" for dataset in DATASETS for seed in (0, 2)]


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


def test_a_group_tells_which_of_its_runs_diverged(driver: PageDriver, nested_sweep: BoardProcess) -> None:
    """Also beside a metric in which none did: a list of them, from which step on, that one can do without."""
    page = driver.open(nested_sweep, f"{BY_RATE}&table=metric:optimizer/loss_scale:last,info:status&smoothing=0#runs")
    group = page.locator('[data-testid="group-row"][data-group="lr=3e-3"]')
    mark = group.get_by_role("button", name="4 of 12 runs diverged")
    expect(page.get_by_test_id("group-diverged")).to_have_count(1)
    expect(group.locator('[data-cell="info:status"]')).to_have_text("Finished 8, Ended in NaN 4")

    mark.click()
    settle(page)
    popover = page.get_by_role("dialog", name="4 of 12 runs diverged")
    assert sorted(popover.get_by_role("listitem").all_inner_texts()) == sorted(
        f"{run}\nNaN from step 3\u2009310" for run in DIVERGED
    )
    assert find_violations_in_both_themes(page) == {}
    popover.get_by_role("button", name="Leave out diverged runs").click()
    expect(group).to_have_attribute("data-count", "8")
    expect(page.get_by_role("combobox", name="Filter runs")).to_have_value("-status:diverged")


def test_diverged_runs_are_shown_alone(driver: PageDriver, nested_sweep: BoardProcess) -> None:
    """By keys; the list closes and the mark has the keyboard again."""
    page = driver.open(nested_sweep, f"{BY_RATE}#runs")
    page.get_by_test_id("group-diverged").focus()
    press(page, "Enter")
    page.get_by_role("button", name="Show only these in charts").focus()
    press(page, "Enter")

    expect(page.get_by_text("4 of 24 shown in charts")).to_be_visible()
    expect(page.get_by_test_id("group-diverged")).to_be_focused()


def test_a_line_of_a_group_counts_diverged_runs(driver: PageDriver, nested_sweep: BoardProcess) -> None:
    """In the tip of a metric that does not show it."""
    page = driver.open(nested_sweep, f"{BY_RATE}&tagFilter=loss_scale")
    hover(page, find_card(page, "optimizer/loss_scale"), 0.9)

    expect(page.get_by_test_id("tip")).to_contain_text("lr=3e-3 (12, 4 NaN)")


def test_the_side_bar_shows_a_metric_of_groups(driver: PageDriver, nested_sweep: BoardProcess) -> None:
    """The mean of the loss and its spread; of a group with diverged runs how many are in the mean."""
    page = driver.open(nested_sweep, BY_RATE)
    column = '[data-cell="metric:train/loss:last"]'

    expect(page.locator(f'[data-group="lr=1e-3"] {column}')).to_contain_text("\u00b1")
    expect(page.locator(f'[data-group="lr=3e-3"] {column}')).to_contain_text("8/12")


def test_folders_with_diverged_runs_keep_their_metric(driver: PageDriver, nested_sweep: BoardProcess) -> None:
    """The side bar has room for the number of such runs and for the value."""
    page = driver.open(nested_sweep)

    expect(page.get_by_test_id("group-diverged").first).to_have_text("2")
    expect(page.locator('[role="columnheader"][data-column="metric:train/loss:last"]')).to_be_visible()
