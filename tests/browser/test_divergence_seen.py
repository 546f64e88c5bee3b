"""What went wrong in a run is seen: NaN in groups and states, spikes in charts, numbers and durations as they are."""

import urllib.parse

from cards import card, number
from playwright.sync_api import Locator, Page, expect
from served import Board
from visitor import Visitor

VIT = "imagenet1k/vit_base_patch16/lr0.003_wd0.05"
GROUPS = "&group=" + urllib.parse.quote("mean,sd,folder")
TABLE = "&table=" + urllib.parse.quote(
    "metric:train/loss:last,metric:optimizer/loss_scale:last,info:status,info:duration"
)


def cell(page: Page, run: str, column: str) -> Locator:
    """What the table says of a run."""
    return page.locator(f'[data-run="{run}"] [data-cell="{column}"]')


def test_a_group_says_how_many_of_its_members_diverged(visitor: Visitor, nested_sweep: Board) -> None:
    """One seed of three has a value: no \u00b1, the count, and what the others are."""
    page = visitor.open(nested_sweep, f"{GROUPS}{TABLE}#runs", ready=False)
    group = page.locator(f'[data-testid="group-row"][data-group="{VIT}/"]')
    loss = group.locator('[data-cell="metric:train/loss:last"]')

    expect(loss).to_contain_text("1 of 3 (2 NaN)")
    expect(loss).to_have_attribute("data-lost", "true")
    expect(loss).not_to_contain_text("\u00b1")
    healthy = page.locator(f'[data-group="{VIT.replace("0.003", "0.001")}/"] [data-cell="metric:train/loss:last"]')
    expect(healthy).to_contain_text("\u00b1")


def test_a_run_that_ended_in_nan_has_not_finished(visitor: Visitor, nested_sweep: Board) -> None:
    """It says since when; one that went well says that it finished."""
    page = visitor.open(nested_sweep, f"{TABLE}&tree=false#runs", ready=False)

    expect(cell(page, f"{VIT}/seed0", "info:status")).to_have_text("NaN from step 3\u2009310")
    expect(cell(page, f"{VIT}/seed1", "info:status")).to_have_text("Finished")


def test_whole_numbers_and_durations_are_as_they_are(visitor: Visitor, nested_sweep: Board) -> None:
    """A loss scale to its last digit; of a converted log the time its scalars span."""
    page = visitor.open(nested_sweep, f"{TABLE}&tree=false#runs", ready=False)

    expect(cell(page, f"{VIT}/seed1", "metric:optimizer/loss_scale:last")).to_have_text("32\u2009768")
    expect(cell(page, f"{VIT}/seed1", "info:duration")).to_have_text("29 m 57 s")


def test_a_loss_scale_is_no_column_unless_asked_for(visitor: Visitor, nested_sweep: Board) -> None:
    """The loss is."""
    page = visitor.open(nested_sweep, "#runs", ready=False)

    expect(page.locator('[role="columnheader"][data-column="metric:train/loss:last"]')).to_be_visible()
    expect(page.locator('[data-column="metric:optimizer/loss_scale:last"]')).to_have_count(0)


def test_zooming_to_a_spike_shows_it(visitor: Visitor, pretraining: Board) -> None:
    """The height of what is dragged over is that of all that is there."""
    page = visitor.open(pretraining, "&smoothing=0&zoom=110000,127000")

    for tag, height in (("train/lm_loss", 4.5), ("train/grad_norm", 8)):
        expect(card(page, tag)).to_have_attribute("data-state", "ready")
        assert number(card(page, tag), "ymax") > height


def test_spikes_are_seen_by_default(visitor: Visitor, pretraining: Board) -> None:
    """Those of the loss whole; those of the gradients run off the top, where a button shows them."""
    page = visitor.open(pretraining)
    loss, norms = card(page, "train/lm_loss"), card(page, "train/grad_norm")

    assert number(loss, "ymax") > 4.5
    assert number(norms, "ymax") < 1
    norms.get_by_role("button", name="above: show these points").click()
    expect(norms.locator("[data-clipped=above]")).to_have_count(0)
    assert number(norms, "ymax") > 8


def test_full_screen_says_how_many_of_a_group_are_left(visitor: Visitor, nested_sweep: Board) -> None:
    """And no change, which would be that of the survivor."""
    page = visitor.open(nested_sweep, f"{GROUPS}&smoothing=0&tagFilter=train/loss")
    card(page, "train/loss").get_by_role("img").focus()
    page.keyboard.press("Enter")
    group = page.locator(f'[data-testid=value-table] [data-run="{VIT}/"]')
    healthy = page.locator(f'[data-testid=value-table] [data-run="{VIT.replace("0.003", "0.001")}/"]')

    expect(group.locator("[data-column=end]")).to_contain_text("1 of 3 (2 NaN)")
    expect(group.locator("[data-column=percent]")).to_have_text("\u2013")
    expect(healthy.locator("[data-column=percent]")).to_contain_text("%")
