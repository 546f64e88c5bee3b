"""Graphs beside each other: two runs, or two steps of a tag."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from support import graph_logs
from support.accessibility import find_violations_in_both_themes
from support.board_process import BoardProcess, serve_logs
from support.graph_pages import ALL_COLOURS, COMPARED, box, opened
from support.page_driver import PageDriver
from support.page_faults import LANGUAGES, find_page_faults
from support.settled_pages import press, reload, settle

WIDTHS = [1440, 1024, 390]
LAYER = "encoder/layer_0"
REMOVED = "&graphs=run=base;base=deeper,__run_graph__,op"
"""The other way round: one layer is removed."""


def difference(page: Page, path: str) -> Locator:
    """The line of a node or scope in the list of differences."""
    return page.locator(f'[data-testid=graph-diff] li[data-path="{path}"]')


def test_a_graph_is_compared_with_another(driver: PageDriver, graph_versions: BoardProcess) -> None:
    """By default with that of the other run; each difference leads to its box."""
    page = opened(driver, graph_versions, "&graphs=run=deeper")
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_label("Compare with")).to_have_value(re.compile('"base"'))
    lines = page.locator("[data-testid=graph-diff] li")
    expect(lines).to_have_text(["+ layer_2 58 nodes", "~ MatMul MatMul · inputs"], use_inner_text=True)
    assert "base=base" in page.url
    difference(page, "head/logits/MatMul").get_by_role("button").click()
    expect(box(page, "head/logits/MatMul")).to_have_attribute("aria-selected", "true")


def test_differences_are_hidden_by_kind_and_turned_round_by_the_other_run(
    driver: PageDriver, graph_versions: BoardProcess
) -> None:
    """What is removed leads to its box in the other graph, and its panel says what it was."""
    page = opened(driver, graph_versions, "&graphs=run=base;base=deeper,__run_graph__,op")
    diff = page.get_by_test_id("graph-diff")
    expect(diff.locator("li")).to_have_text(["− layer_2 58 nodes", "~ MatMul MatMul · inputs"], use_inner_text=True)
    diff.get_by_role("button", name="1 changed", exact=True).click()
    expect(diff.locator("li")).to_have_count(1)
    difference(page, "encoder/layer_2").get_by_role("button").click()
    expect(box(page, LAYER, "base")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_test_id("graph-details")).to_contain_text("encoder/layer_2Collapse")


def test_both_graphs_mark_what_differs(driver: PageDriver, graph_versions: BoardProcess) -> None:
    """Scopes and stacks say how much of them; what is hidden in the list is not marked."""
    page = opened(driver, graph_versions, f"{COMPARED};open=encoder,head,head/logits")
    marked = "[data-side={}] [role=treeitem]:is([data-path^=encoder], [data-path^=head])"
    expect(page.locator(marked.format("graph"))).to_have_text(
        [
            "encoder, 174 nodes · 75.6K parameters, 58 added",
            "layer_[0–2] × 3, 174 nodes · 75.6K parameters, 58 added",
            "head, 4 nodes · 4.16K parameters, 1 changed",
            "logits, 4 nodes · 4.16K parameters, 1 changed",
            "MatMul, MatMul, 1 changed",
            "BiasAdd, BiasAdd",
            "kernel, VariableV2",
            "bias, VariableV2",
        ]
    )
    expect(box(page, "encoder", "base")).to_have_text("encoder, 116 nodes · 50.4K parameters, 58 added")
    expect(box(page, LAYER, "base")).to_have_text("layer_0, 58 nodes · 25.2K parameters")
    page.get_by_test_id("graph-diff").get_by_role("button", name="58 added", exact=True).click()
    expect(box(page, "encoder")).to_have_text("encoder, 174 nodes · 75.6K parameters")


def test_what_both_graphs_have_opens_in_both(driver: PageDriver, graph_versions: BoardProcess) -> None:
    """From either side, and so does closing; what only one has opens there."""
    page = opened(driver, graph_versions, COMPARED)
    expect(box(page, "head", "base")).to_be_attached()
    page.get_by_role("tree").nth(1).focus()
    press(page, "End", "ArrowUp", "ArrowRight")
    for side in ("graph", "base"):
        expect(box(page, "head/logits", side)).to_be_attached()
    page.get_by_role("tree").nth(0).focus()
    press(page, "End", "ArrowUp", "ArrowUp", "ArrowLeft")
    for side in ("graph", "base"):
        expect(box(page, "head/logits", side)).not_to_be_attached()


def test_both_graphs_move_together(driver: PageDriver, graph_versions: BoardProcess) -> None:
    """So that the box in the middle of one is in the middle of the other."""
    page = opened(driver, graph_versions, COMPARED)
    expect(box(page, "tokens", "base")).to_be_attached()
    page.get_by_test_id("graph").hover()
    page.mouse.wheel(0, -300)
    settle(page)
    cameras = [page.get_by_test_id(name).get_attribute("data-camera") for name in ("graph", "graph-base")]
    assert cameras[0] == cameras[1]


def test_a_narrow_page_shows_one_of_two_graphs(driver: PageDriver, graph_versions: BoardProcess) -> None:
    """That which has what was looked for, or that of choice."""
    page = opened(driver, graph_versions, REMOVED, width=390, height=844)
    hosts = [page.get_by_test_id(name) for name in ("graph", "graph-base")]
    expect(hosts[0]).to_be_visible()
    expect(hosts[1]).to_be_hidden()
    difference(page, "encoder/layer_2").get_by_role("button").click()
    expect(hosts[1]).to_be_visible()
    expect(hosts[0]).to_be_hidden()
    page.get_by_role("radio", name="This graph").click(force=True)
    expect(hosts[0]).to_be_visible()


@pytest.fixture(scope="module")
def steps(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardProcess]:
    """One run whose graph was written three times."""
    yield from serve_logs(
        tmp_path_factory.mktemp("steps") / "runs", lambda folder: graph_logs.growing(folder / "train")
    )


def test_each_step_of_a_graph_is_shown(driver: PageDriver, steps: BoardProcess) -> None:
    """The last one first; what is open stays so, as far as the step has it, and the address names the step."""
    page = opened(driver, steps, "&graphs=open=encoder/layer_0;selected=encoder/layer_0")
    shown = page.get_by_role("toolbar").get_by_label("Step")
    expect(shown.locator("option")).to_have_text(["step 0", "step 100", "step 200"])
    expect(box(page, LAYER)).to_have_text("layer_0, 1 of 3")
    shown.select_option(label="step 100")
    expect(box(page, "encoder/layer_1")).to_be_attached()
    reload(page)
    expect(shown.locator("option:checked")).to_have_text("step 100")
    expect(box(page, LAYER)).to_have_attribute("aria-selected", "true")


def test_two_steps_of_a_graph_are_compared(driver: PageDriver, steps: BoardProcess) -> None:
    """By default with the step before; the step that is shown itself is no choice."""
    page = opened(driver, steps, "")
    page.get_by_role("button", name="Compare").click()
    diff = page.get_by_test_id("graph-diff")
    base = diff.get_by_label("Step")
    expect(base.locator("option")).to_have_text(["step 0", "step 100"])
    expect(base.locator("option:checked")).to_have_text("step 100")
    expect(diff.locator("li")).to_have_text(["+ layer_2 58 nodes", "~ MatMul MatMul · inputs"], use_inner_text=True)
    base.select_option(label="step 0")
    expect(diff.locator("li").first).to_have_text("+ layer_1 58 nodes", use_inner_text=True)
    reload(page)
    expect(page.get_by_role("heading", name="train · __run_graph__ · step 0")).to_be_visible()
    expect(page.get_by_role("heading", name="train · __run_graph__ · step 200")).to_be_visible()


def test_the_choice_of_steps_is_intact_translated_and_accessible(driver: PageDriver, steps: BoardProcess) -> None:
    page = opened(driver, steps, f"&lang={LANGUAGES[0]}")
    page.locator("[role=toolbar] button[aria-pressed]").last.click()
    expect(difference(page, "encoder/layer_2")).to_be_visible()
    assert find_page_faults(page, WIDTHS) == {}
    assert find_violations_in_both_themes(page, [1440, 390]) == {}


@pytest.mark.parametrize(("scheme", "colour"), [("light", "47,91,234"), ("dark", "124,155,255")])
def test_added_boxes_have_the_colour_of_the_list(
    driver: PageDriver, graph_versions: BoardProcess, scheme: str, colour: str
) -> None:
    page = opened(driver, graph_versions, f"{COMPARED};open=encoder,{LAYER};members=2:{LAYER}", scheme=scheme)
    expect(box(page, LAYER)).to_have_text("layer_2, 3 of 3, 58 added")
    settle(page)
    assert colour in page.get_by_test_id("graph").locator("canvas").evaluate(ALL_COLOURS)


def test_nothing_of_differences_is_cut(driver: PageDriver, graph_versions: BoardProcess) -> None:
    page = opened(driver, graph_versions, f"&graphs=run=deeper;base=base,__run_graph__,op&lang={LANGUAGES[0]}")
    expect(difference(page, "encoder/layer_2")).to_be_visible()

    assert find_page_faults(page, WIDTHS) == {}


def test_differences_have_no_violations(driver: PageDriver, graph_versions: BoardProcess) -> None:
    page = opened(driver, graph_versions, "&graphs=run=deeper;base=base,__run_graph__,op;selected=encoder/layer_2")
    expect(difference(page, "encoder/layer_2")).to_be_visible()
    assert find_violations_in_both_themes(page, [1440, 390]) == {}
