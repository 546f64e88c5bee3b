"""Graphs: scopes that open and close, search, keyboard, addresses, values of files, totals."""

import json
import pathlib
import re
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from lightboard.query.graphs import EMPTY_TRACE
from lightboard.testing.event_files import (
    STRING,
    histogram_value,
    scalar_record,
    summary_metadata,
    summary_record,
    tensor,
    tensor_record,
    version_record,
    write_events,
)
from support import graph_logs
from support.accessibility import find_violations_in_both_themes
from support.board_process import BoardProcess, BoardStarter, LightboardProcess, serve_logs
from support.framework_environment import NEURO_LOG
from support.graph_pages import (
    ALL_COLOURS,
    COLOURS,
    TRANSFORMER,
    box,
    boxes,
    double_click,
    is_fitted,
    opened,
    place,
)
from support.onnx_models import GRAPH_FILES
from support.page_driver import PageDriver
from support.page_faults import LANGUAGES, find_page_faults
from support.profiles import PROFILES
from support.settled_pages import go_back, press, reload, settle, type_text

WIDTHS = [1440, 1024, 390]
LAYER = "encoder/layer_0"
LOGS = pathlib.Path(__file__).parents[1] / "data" / "logs"


@pytest.fixture(scope="module")
def model_file() -> Iterator[LightboardProcess]:
    """The board of one ONNX model."""
    with LightboardProcess("graph", str(GRAPH_FILES / "torch_traced.onnx"), "--port", "0") as board:
        yield board


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardProcess]:
    """Two runs, one of them with model files."""

    def write(folder: pathlib.Path) -> None:
        graph_logs.models(folder)
        for name in ("torch_traced.onnx", "a_model_with_a_long_name.onnx"):
            shutil.copy(GRAPH_FILES / "torch_traced.onnx", folder / "chain" / name)

    yield from serve_logs(tmp_path_factory.mktemp("files") / "runs", write)


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardProcess]:
    """A run with a capture of JAX, in which small programs come before the step."""

    def write(folder: pathlib.Path) -> None:
        shutil.copytree(PROFILES / "jax", folder / "train")
        (folder / "train" / "events.out.tfevents.1750000000.host").write_bytes(version_record())

    yield from serve_logs(tmp_path_factory.mktemp("programs") / "runs", write)


def test_a_graph_opens_with_its_scopes(driver: PageDriver, graphs: BoardProcess) -> None:
    """From the inputs down."""
    page = opened(driver, graphs)
    assert boxes(page) == ["tokens", "embedding", "encoder", "head", "loss"]


def test_e_t1_a_trace_without_a_folder_says_so(
    driver: PageDriver, start_board: BoardStarter, tmp_path: pathlib.Path
) -> None:
    """And how to give it one; the run has no other graph."""
    trace = tensor_record("model_trace", 0, tensor(STRING, [b""]), 5.0, summary_metadata("graph_run_metadata"))
    write_events(tmp_path / "a" / "events.out.tfevents.1", [trace])
    page = driver.open(start_board(tmp_path), "#graphs")

    expect(page.get_by_role("alert")).to_have_text(EMPTY_TRACE + "Retry")
    driver.console_errors.clear()  # the browser reports every answer of 422


def test_c24_a_double_click_opens_a_scope_and_fits_it(driver: PageDriver, graphs: BoardProcess) -> None:
    """Equal layers are one box; another double click closes it, and Back undoes that."""
    page = opened(driver, graphs)
    double_click(page, "encoder")
    expect(box(page, LAYER)).to_have_text("layer_[0–5] × 6, 348 nodes · 151K parameters")
    assert is_fitted(page, "encoder")
    double_click(page, "encoder")
    expect(box(page, LAYER)).to_have_count(0)
    go_back(page)
    expect(box(page, LAYER)).to_have_count(1)


def test_c24_a_node_of_the_program_with_the_confusion_matrix_shows_what_is_inside(
    driver: PageDriver, start_board: BoardStarter
) -> None:
    """A model of few layers is open at first: a double click closes it, and another one shows its layers again."""
    page = driver.open(start_board(NEURO_LOG, "--reload_task", "blocking"))
    page.get_by_role("link", name="Graphs").click()
    expect(page.locator("[data-testid=graphs][data-state=ready]")).to_be_visible()
    double_click(page, "sequential")
    assert boxes(page) == ["sequential"]
    double_click(page, "sequential")
    assert boxes(page) == [
        "sequential",
        *(f"sequential/{layer}" for layer in ("input_layer", "flatten", "dense", "dense_1")),
    ]


def test_a_stack_opens_as_one_member_of_choice(driver: PageDriver, graphs: BoardProcess) -> None:
    """What was open in one member is open in the next."""
    page = opened(driver, graphs, f"{TRANSFORMER};open={LAYER}/mlp;selected={LAYER}")
    expect(box(page, f"{LAYER}/mlp/gelu")).to_have_count(1)
    slider = page.get_by_test_id("graph-details").get_by_role("slider")
    expect(slider).to_have_attribute("aria-valuetext", "1 of 6")
    slider.focus()
    press(page, "ArrowRight")
    expect(box(page, "encoder/layer_1/mlp/gelu")).to_have_count(1)
    expect(page.get_by_test_id("graph-details")).to_have_attribute("data-path", "encoder/layer_1")


def test_search_opens_the_way_to_a_node(driver: PageDriver, graphs: BoardProcess) -> None:
    """Into the right member of a stack."""
    page = opened(driver, graphs)
    page.get_by_test_id("graph-search").locator("input").focus()
    type_text(page, "layer_4 softmax")
    hits = page.get_by_role("option")
    hits.filter(has_text=re.compile("Softmax$")).first.click()
    expect(box(page, "encoder/layer_4/attention/scores/Softmax")).to_have_attribute("aria-selected", "true")
    settle(page)
    assert is_fitted(page, "encoder/layer_4/attention/scores/Softmax")


def test_the_keys_follow_the_picture(driver: PageDriver, graphs: BoardProcess) -> None:
    """Down, into a scope, out of it, and Enter."""
    page = opened(driver, graphs)
    tree = page.get_by_role("tree")
    tree.focus()

    def active() -> str | None:
        return page.evaluate(
            """() => { const tree = document.querySelector('[role=tree]');
            return document.getElementById(tree.getAttribute('aria-activedescendant')).dataset.path; }"""
        )

    press(page, "ArrowDown", "ArrowDown")
    assert active() == "encoder"
    press(page, "ArrowRight")
    expect(box(page, "encoder")).to_have_attribute("aria-expanded", "true")
    press(page, "ArrowRight")
    assert active() == LAYER
    press(page, "ArrowLeft", "ArrowLeft")
    expect(box(page, "encoder")).to_have_attribute("aria-expanded", "false")
    press(page, "Home", "Enter")
    expect(page.get_by_test_id("graph-details")).to_have_attribute("data-path", "tokens")


def test_a_click_shows_what_a_node_is_connected_to(driver: PageDriver, graphs: BoardProcess) -> None:
    """A click on an input goes there."""
    page = opened(driver, graphs)
    page.mouse.click(*place(page, "head"))
    details = page.get_by_test_id("graph-details")
    expect(details.get_by_role("heading", name="Inputs")).to_be_visible()
    details.get_by_role("button", name="encoder/layer_5/norm_2/shift").first.click()
    expect(box(page, "encoder/layer_5/norm_2/shift")).to_have_attribute("aria-selected", "true")


def test_the_address_has_what_is_open(driver: PageDriver, graphs: BoardProcess) -> None:
    """And what is selected."""
    page = opened(driver, graphs)
    double_click(page, "head")
    assert "open=head;selected=head" in page.url
    shown = boxes(page)
    reload(page)
    expect(box(page, "head/logits")).to_have_count(1)
    assert boxes(page) == shown


def test_all_scopes_open_to_a_depth(driver: PageDriver, graphs: BoardProcess) -> None:
    """And close again."""
    page = opened(driver, graphs)
    page.get_by_role("radio", name="2").click(force=True)
    expect(box(page, "head/logits")).to_have_count(1)
    expect(box(page, LAYER)).to_have_attribute("aria-expanded", "false")
    page.get_by_role("radio", name="1").click(force=True)
    expect(box(page, "head/logits")).to_have_count(0)


def test_each_run_has_its_graph(driver: PageDriver, graphs: BoardProcess) -> None:
    """A small one is open at once."""
    page = opened(driver, graphs)
    page.get_by_label("Run", exact=True).select_option("chain")
    expect(box(page, "first/MatMul")).to_have_count(1)


def test_the_bare_address_of_a_model_file_opens_its_graph(driver: PageDriver, model_file: LightboardProcess) -> None:
    page = driver.open(model_file)
    expect(box(page, "embedding")).to_have_count(1)
    page.get_by_role("link", name="Time Series").click()
    expect(page).to_have_url(re.compile("#timeseries$"))
    go_back(page)
    expect(box(page, "embedding")).to_have_count(1)


@pytest.mark.parametrize("tag", ["torch_traced.onnx", "a_model_with_a_long_name.onnx"])
def test_the_bar_is_one_line_on_a_small_laptop(driver: PageDriver, files: BoardProcess, tag: str) -> None:
    page = opened(driver, files, f"&graphs=run=chain;tag={tag}", width=1024, height=768)
    middles = page.get_by_role("toolbar", name="Graph settings").evaluate(
        "(bar) => [...bar.children].map((each) => each.getBoundingClientRect()).filter(({ height }) => height > 0)"
        ".map(({ top, bottom }) => Math.round((top + bottom) / 2))"
    )
    assert (len(middles) > 3, len(set(middles))) == (True, 1)


def test_a_capture_opens_at_its_step(driver: PageDriver, programs: BoardProcess) -> None:
    """Not at the first of the small programs that ran beside it."""
    page = opened(driver, programs, "")
    shown = {path.partition("/")[0] for path in boxes(page)}
    scopes = {"jvp(layer1)", "jvp(layer2)", "transpose(jvp(layer1))", "transpose(jvp(layer2))"}
    assert {path for path in shown if "(" in path} == scopes


def test_a_path_that_is_gone_is_said(driver: PageDriver, graphs: BoardProcess) -> None:
    """The picture stays."""
    driver.expect_error("404")
    page = opened(driver, graphs, f"{TRANSFORMER};selected=nowhere/at/all")
    expect(page.get_by_test_id("graph-details").get_by_role("alert")).to_contain_text("nowhere")
    assert "encoder" in boxes(page)


def open_values(page: Page, file: pathlib.Path, content: str) -> None:
    """Choose a file with values for nodes."""
    file.write_text(content)
    page.get_by_test_id("graph-data-input").set_input_files(file)


def test_values_of_a_file_colour_the_nodes(driver: PageDriver, graphs: BoardProcess, tmp_path: pathlib.Path) -> None:
    """The panel has them, of a scope the largest one; closing the file brings the other colours back."""
    page = opened(driver, graphs, f"{TRANSFORMER};open=head;selected=head")
    results = {
        "head/logits/MatMul": {"value": 2.5},
        "loss/mean": {"value": 1, "bgColor": "#12ab34"},
        "gone": {"value": 9},
    }
    open_values(page, tmp_path / "times.json", json.dumps({"main": {"results": results}}))
    part = page.get_by_test_id("graph-data")
    expect(part).to_contain_text("times.json2 nodes have values. 1 more is not in this graph.")
    expect(page.get_by_role("combobox", name="Color by")).to_have_value("data")
    expect(page.get_by_test_id("graph-details")).to_contain_text("Value2.5")
    settle(page)
    canvas = page.get_by_test_id("graph").locator("canvas")
    tinted = canvas.evaluate(ALL_COLOURS)
    part.get_by_role("button", name="Close file").click()
    expect(page.get_by_role("combobox", name="Color by")).to_have_value("structure")
    settle(page)
    assert set(tinted) - set(canvas.evaluate(ALL_COLOURS)) != set()


MISFITS = {
    "{": "values.json is not JSON",
    '{"nodes": []}': 'values.json has no values for nodes: "results" is missing',
    '{"results": {"conv1": {"value": 1}}}': (
        "values.json is for another graph: this one has none of its nodes, such as conv1"
    ),
}
"""Files of values, and why each is refused."""


def test_a_file_that_does_not_fit_is_refused(driver: PageDriver, graphs: BoardProcess, tmp_path: pathlib.Path) -> None:
    page = opened(driver, graphs)
    for content, reason in MISFITS.items():
        open_values(page, tmp_path / "values.json", content)
        expect(page.get_by_text(reason)).to_be_visible()
        expect(page.get_by_test_id("graph-data"), content).to_have_count(0)


@pytest.fixture(scope="module")
def logged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardProcess]:
    """A run with a graph, and scalars of which two are named after its first layer; a histogram of another run."""

    def write(folder: pathlib.Path) -> None:
        graph_logs.models(folder)
        values = [scalar_record(tag, 1, 0.5, 1.0) for tag in ("first.kernel_norm", "grads/first", "second_loss")]
        write_events(folder / "chain" / "events.out.tfevents.1750000001.host", values)
        histogram = histogram_value("grads/encoder.layer_3.attention", [0.0, 1.0], [1.0, 2.0])
        write_events(folder / "transformer" / "events.out.tfevents.1750000001.host", [summary_record([histogram])])

    yield from serve_logs(tmp_path_factory.mktemp("logged") / "runs", write)


def test_a_scope_leads_to_what_was_logged_under_its_name(driver: PageDriver, logged: BoardProcess) -> None:
    """Only where there is something."""
    page = opened(driver, logged, "&graphs=run=chain;selected=x")
    expect(page.get_by_test_id("graph-details")).to_have_attribute("data-path", "x")
    expect(page.get_by_test_id("graph-related")).to_have_count(0)
    page.mouse.click(*place(page, "first"))
    page.get_by_test_id("graph-related").get_by_role("button", name="2 scalars").click()
    expect(page).to_have_url(re.compile("#timeseries$"))
    expect(page.get_by_test_id("card")).to_have_count(2)


def open_card_menu(card: Locator) -> None:
    """The menu at the head of a card."""
    card.hover()
    card.get_by_role("button", name="More actions").click()
    settle(card.page)


def test_a_card_leads_to_the_scope_that_its_tag_is_named_after(driver: PageDriver, logged: BoardProcess) -> None:
    """Only where a graph of its run has such a scope."""
    page = driver.open(logged, "#timeseries")
    item = page.get_by_role("menuitem", name="Show in graph")
    for tag, found in (("grads/first", 1), ("second_loss", 0)):
        card = page.locator(f'[data-testid=card][data-tag="{tag}"]')
        open_card_menu(card)
        expect(item).to_have_count(found)
        press(page, "Escape")
    open_card_menu(page.locator('[data-testid=card][data-tag="grads/first"]'))
    item.click()
    expect(box(page, "first")).to_have_attribute("aria-selected", "true")
    assert "#graphs" in page.url


def test_a_histogram_leads_to_a_scope_inside_of_a_stack(driver: PageDriver, logged: BoardProcess) -> None:
    """What is around it opens, with the member that it is in."""
    page = driver.open(logged, "#histograms")
    open_card_menu(page.get_by_test_id("card"))
    page.get_by_role("menuitem", name="Show in graph").click()
    expect(box(page, "encoder/layer_3/attention")).to_have_attribute("aria-selected", "true")
    assert is_fitted(page, "encoder/layer_3/attention")


def total_rows(page: Page) -> list[str]:
    """Paths of the rows of the table of totals."""
    found: list[str] = page.locator("[data-testid=graph-totals] tbody tr").evaluate_all(
        "(all) => all.map((each) => each.dataset.path)"
    )
    return found


def total_row(page: Page, path: str) -> Locator:
    """The row of a scope in the table of totals."""
    return page.locator(f'[data-testid=graph-totals] tr[data-path="{path}"]')


def test_totals_open_and_close_in_step_with_the_picture(driver: PageDriver, graphs: BoardProcess) -> None:
    """From either side; the address has the table."""
    page = opened(driver, graphs)
    page.get_by_role("button", name="Totals").click()
    expect(total_row(page, "encoder").get_by_role("cell")).to_have_text(["151,296", "–", "605 kB", "40.9M"])
    assert "totals=1" in page.url
    total_row(page, "encoder").get_by_role("button", name="Expand encoder").click()
    expect(box(page, "encoder")).to_have_attribute("aria-expanded", "true")
    expect(total_row(page, f"{LAYER}")).to_be_visible()
    double_click(page, "encoder")
    expect(total_row(page, f"{LAYER}")).to_have_count(0)


def test_what_was_opened_is_fitted_again_beside_the_totals(driver: PageDriver, graphs: BoardProcess) -> None:
    """They take half of the height."""
    page = opened(driver, graphs)
    double_click(page, "encoder")
    page.get_by_role("button", name="Totals").click()
    expect(total_row(page, "encoder")).to_be_visible()
    settle(page)
    assert is_fitted(page, "encoder")


def test_a_wide_graph_opens_where_it_can_be_read(
    driver: PageDriver, start_board: BoardStarter, tmp_path: pathlib.Path
) -> None:
    """On a phone: whole chains from their inputs on, and a map of the rest. All of it is shown on request."""
    graph_logs.wide(tmp_path / "wide")
    page = opened(driver, start_board(tmp_path), "&graphs=run=wide", width=390)
    shown = [path for path in boxes(page) if is_fitted(page, path)]
    chains = {path.partition("_")[0] for path in shown}
    assert 0 < len(chains) < 10
    assert sorted(shown) == sorted(f"{name}_{part}" for name in chains for part in ("input", "hidden", "loss"))
    expect(page.get_by_test_id("graph-map")).to_be_visible()
    page.get_by_role("button", name="Fit to view").click()
    settle(page)
    assert all(is_fitted(page, path) for path in boxes(page))
    expect(page.get_by_test_id("graph-map")).to_be_hidden()


def test_a_row_of_totals_leads_to_its_box(driver: PageDriver, graphs: BoardProcess) -> None:
    """Also into a member of a stack, which a search has found."""
    page = opened(driver, graphs, f"{TRANSFORMER};totals=1")
    page.get_by_test_id("graph-totals").get_by_role("searchbox").focus()
    type_text(page, "layer_4/mlp")
    expect(total_row(page, "encoder/layer_4/mlp")).to_be_visible()
    total_row(page, "encoder/layer_4/mlp").get_by_role("button", name="mlp", exact=True).click()
    expect(box(page, "encoder/layer_4/mlp")).to_have_attribute("aria-selected", "true")
    expect(total_row(page, "encoder/layer_4/mlp")).to_have_attribute("data-selected", "true")


def test_totals_are_sorted_and_exported(driver: PageDriver, graphs: BoardProcess) -> None:
    """By a click on a heading; the file has all rows."""
    page = opened(driver, graphs, f"{TRANSFORMER};totals=1")
    table = page.get_by_test_id("graph-totals")
    table.get_by_role("button", name="Parameters").click()
    expect(table.get_by_role("columnheader", name="Parameters")).to_have_attribute("aria-sort", "descending")
    assert total_rows(page)[:4] == ["", "encoder", "embedding", "head"]
    with page.expect_download() as taken:
        table.get_by_role("button", name="Export").click()
        page.get_by_role("menuitem", name="CSV", exact=True).click()
    lines = pathlib.Path(taken.value.path()).read_text().splitlines()
    assert (taken.value.suggested_filename, lines[0]) == (
        "transformer-__run_graph__-totals.csv",
        "scope,op,nodes,parameters,trainable,bytes,flops,time,memory,partial",
    )
    assert any(line.startswith("encoder/layer_3/mlp,,") for line in lines)


def test_totals_of_a_step_have_its_time_and_memory(driver: PageDriver, start_board: BoardStarter) -> None:
    """In columns of their own, which can be sorted by."""
    board = start_board(LOGS / "tf-v1-all", "--reload_task", "blocking")
    page = driver.open(board, "#graphs&graphs=run=.;tag=step000;form=profile;totals=1")
    table = page.get_by_test_id("graph-totals")
    table.get_by_role("button", name="Compute time").click()
    expect(table.get_by_role("columnheader")).to_have_text(
        ["Scope", "Parameters", "Trainable", "Bytes", "FLOPs", "Compute time↓", "Memory"]
    )
    assert total_row(page, "").get_by_role("cell").all_inner_texts()[4:] == ["31.0 ms", "172 B"]


def test_totals_are_intact_translated_and_accessible(driver: PageDriver, graphs: BoardProcess) -> None:
    page = opened(driver, graphs, f"{TRANSFORMER};open={LAYER};totals=1&lang={LANGUAGES[0]}")
    expect(total_row(page, "encoder")).to_be_visible()

    assert find_page_faults(page, WIDTHS, accessible=[1440, 390]) == {}


@pytest.mark.parametrize(("scheme", "paper"), [("light", "255,255,255"), ("dark", "21,24,30")])
def test_the_picture_has_the_colours_of_the_theme(
    driver: PageDriver, graphs: BoardProcess, scheme: str, paper: str
) -> None:
    """Boxes have the colour of cards."""
    page = opened(driver, graphs, "&graphs=run=chain;open=first,second", scheme=scheme)
    assert page.get_by_test_id("graph").locator("canvas").evaluate(COLOURS) == paper


def test_the_page_has_no_violations(driver: PageDriver, graphs: BoardProcess) -> None:
    """With an open scope and a selected node."""
    page = opened(driver, graphs, f"{TRANSFORMER};open={LAYER};selected={LAYER}/add")
    assert find_violations_in_both_themes(page, [1440, 390]) == {}


def test_nothing_is_cut(driver: PageDriver, graphs: BoardProcess) -> None:
    """At any width, in any language."""
    page = opened(driver, graphs, f"{TRANSFORMER};open={LAYER};selected={LAYER}&lang={LANGUAGES[0]}")

    assert find_page_faults(page, WIDTHS) == {}
