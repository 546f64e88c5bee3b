"""The dot of a card whose picture is not the whole truth."""

import pathlib

import logs
from cards import card, number
from playwright.sync_api import expect
from served import Board, Serving
from visitor import Visitor


def test_a_thinned_card_says_what_it_draws_and_what_is_held(visitor: Visitor, fifty_runs: Board) -> None:
    """50 x 10,000 points do not fit; the click tells the numbers."""
    page = visitor.open(fifty_runs)
    mark = card(page, "loss").get_by_test_id("fidelity")
    expect(mark).to_have_attribute("data-why", "thinned")
    mark.click()
    sheet = page.get_by_role("dialog", name="Numbers of loss")

    expect(sheet.locator("[data-fact=held]")).to_have_text("500\u2009000")
    drawn = sheet.locator("[data-fact=drawn]").inner_text().replace("\u2009", "")
    assert int(drawn) == number(card(page, "loss"), "drawn")


def test_a_card_that_draws_every_point_has_no_dot(visitor: Visitor, sweep: Board) -> None:
    """Nothing at rest where there is nothing to say."""
    page = visitor.open(sweep)
    card(page, "train/loss")

    expect(page.get_by_test_id("fidelity")).to_have_count(0)


def test_damage_is_said(visitor: Visitor, serving: Serving, tmp_path: pathlib.Path) -> None:
    """A run whose file is torn marks the cards that draw it."""
    logs.damaged(tmp_path)
    page = visitor.open(serving(tmp_path))
    mark = card(page, "loss").get_by_test_id("fidelity")
    expect(mark).to_have_attribute("data-why", "skipped")
    mark.click()

    expect(page.get_by_role("dialog").locator("[data-fact=skipped]")).to_contain_text("1 run")
