"""Graphs: scopes that open and close, search, keyboard, addresses, exports."""

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
from support.onnx_models import GRAPH_FILES
from support.page_driver import PageDriver
from support.page_faults import LANGUAGES, find_page_faults
from support.profiles import PROFILES
from support.settled_pages import go_back, press, reload, settle, type_text

WIDTHS = [1440, 1024, 390]
ON = "&graphs=run=transformer"
LAYER = "encoder/layer_0"
COLOURS = """(canvas) => { const { width, height } = canvas;
    const copy = Object.assign(document.createElement('canvas'), { width, height });
    const paper = copy.getContext('2d', { willReadFrequently: true });
    paper.drawImage(canvas, 0, 0);
    const { data } = paper.getImageData(0, 0, width, height);
    const found = {};
    for (let at = 0; at < data.length; at += 4) {
        if (data[at + 3] < 250) continue;
        const key = [data[at], data[at + 1], data[at + 2]].join();
        found[key] = (found[key] ?? 0) + 1;
    }
    return Object.entries(found).sort((a, b) => b[1] - a[1])[0][0]; }"""
"""The most frequent opaque colour of a canvas: what boxes are filled with."""
ALL_COLOURS = COLOURS[: COLOURS.index("return Object")] + "return Object.keys(found); }"
"""All opaque colours of a canvas."""
COMPARED = "&graphs=run=deeper;base=base,__run_graph__,op"
REMOVED = "&graphs=run=base;base=deeper,__run_graph__,op"
"""Comparisons of two layers with three: one layer is added, or removed."""


@pytest.fixture(scope="module")
def graphs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardProcess]:
    """Two runs: a transformer of six layers, a chain."""
    yield from serve_logs(tmp_path_factory.mktemp("graphs") / "runs", graph_logs.models)


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


@pytest.fixture(scope="module")
def versions(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardProcess]:
    """Two runs of one model: of two layers, and of three."""

    def write(folder: pathlib.Path) -> None:
        graph_logs.transformer(folder / "base", 2)
        graph_logs.transformer(folder / "deeper", 3)

    yield from serve_logs(tmp_path_factory.mktemp("versions") / "runs", write)


def opened(driver: PageDriver, board: BoardProcess, query: str = ON, **more: object) -> Page:
    """The page, once the graph is drawn."""
    page = driver.open(board, f"{query}#graphs", **more)  # type: ignore[arg-type]
    expect(page.locator("[data-testid=graphs][data-state=ready]")).to_be_visible()
    settle(page)
    return page


def box(page: Page, path: str, side: str = "graph") -> Locator:
    """The item of a box in the outline: that of the graph, or that of the one that it is compared with ("base")."""
    return page.locator(f'[data-side={side}] [role=treeitem][data-path="{path}"]')


def boxes(page: Page) -> list[str]:
    """Paths of all boxes shown, in the order of the outline."""
    found: list[str] = page.get_by_role("treeitem").evaluate_all("(all) => all.map((each) => each.dataset.path)")
    return found


def place(page: Page, path: str) -> tuple[float, float]:
    """Where the name of a box is on the page."""
    settle(page)
    host = page.get_by_test_id("graph")
    x, y, scale = map(float, (host.get_attribute("data-camera") or "").split(","))
    left, top, width, height = map(float, (box(page, path).get_attribute("data-rect") or "").split(","))
    around = host.bounding_box()
    assert around is not None
    down = min(height / 2, 15)
    across = min(width / 2, 40) if height > 60 else width / 2 - 8
    return (
        around["x"] + around["width"] / 2 + (left + across - x) * scale,
        around["y"] + around["height"] / 2 + (top + down - y) * scale,
    )


def is_fitted(page: Page, path: str) -> bool:
    """Whether all of a box is in view."""
    host = page.get_by_test_id("graph")
    x, y, scale = map(float, (host.get_attribute("data-camera") or "").split(","))
    left, top, width, height = map(float, (box(page, path).get_attribute("data-rect") or "").split(","))
    around = host.bounding_box()
    assert around is not None
    return (
        abs(left - x) * scale < around["width"] / 2
        and abs(left + width - x) * scale < around["width"] / 2
        and abs(top - y) * scale < around["height"] / 2
        and abs(top + height - y) * scale < around["height"] / 2
    )


def double_click(page: Page, path: str) -> None:
    """On the name of a box."""
    page.mouse.dblclick(*place(page, path))
    settle(page)


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


def test_a_stack_opens_as_one_member_of_choice(driver: PageDriver, graphs: BoardProcess) -> None:
    """What was open in one member is open in the next."""
    page = opened(driver, graphs, f"{ON};open={LAYER}/mlp;selected={LAYER}")
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
    page = opened(driver, graphs, f"{ON};selected=nowhere/at/all")
    expect(page.get_by_test_id("graph-details").get_by_role("alert")).to_contain_text("nowhere")
    assert "encoder" in boxes(page)


def test_the_picture_is_exported(driver: PageDriver, graphs: BoardProcess, tmp_path: pathlib.Path) -> None:
    """With its names as text."""
    page = opened(driver, graphs)
    with page.expect_download() as taken:
        page.get_by_role("button", name="Export").click()
        page.get_by_role("menuitem", name="SVG").click()
    taken.value.save_as(tmp_path / "graph.svg")
    text = (tmp_path / "graph.svg").read_text()
    assert all(f">{name}</text>" in text for name in ("tokens", "embedding", "encoder", "head", "loss"))


def test_an_exported_picture_has_its_legend(driver: PageDriver, versions: BoardProcess, tmp_path: pathlib.Path) -> None:
    """Signs of differences, and widths of lines, below the picture and inside of the page."""
    page = opened(driver, versions, COMPARED)
    with page.expect_download() as taken:
        page.get_by_role("button", name="Export").click()
        page.get_by_role("menuitem", name="SVG").click()
    taken.value.save_as(tmp_path / "graph.svg")
    page.goto((tmp_path / "graph.svg").as_uri())
    expect(page.locator("text").last).to_have_text("8.19K elements")
    texts = page.locator("text").all_text_contents()
    assert texts[-4:] == ["+ 58 added", "~ 1 changed", "128 elements", "8.19K elements"]
    inside = page.locator("text").last.evaluate(
        "(text) => { const [box, all] = [text, text.ownerSVGElement].map((each) => each.getBoundingClientRect());"
        " return box.right <= all.right && box.bottom <= all.bottom; }"
    )
    assert inside
    driver.requests.clear()


def test_the_picture_is_saved_as_a_page_that_needs_no_server(
    driver: PageDriver, versions: BoardProcess, tmp_path: pathlib.Path
) -> None:
    """In both themes, with full names, the legend, and a wheel that zooms."""
    page = opened(driver, versions, f"{COMPARED};open=encoder")
    with page.expect_download() as taken:
        page.get_by_role("button", name="Export").click()
        page.get_by_role("menuitem", name="Web page (HTML)").click()
    saved = tmp_path / "graph.html"
    taken.value.save_as(saved)
    driver.requests.clear()
    page.goto(saved.as_uri())
    expect(page).to_have_title("deeper · __run_graph__")
    expect(page.locator("svg > text").filter(has_text="layer_[0–2]")).to_have_count(1)
    expect(page.get_by_role("listitem")).to_have_text(["+ 58 added", "~ 1 changed", "128 elements", "8.19K elements"])
    assert "encoder/layer_0" in page.locator("rect > title").all_text_contents()
    picture = page.locator("svg")
    whole = picture.get_attribute("viewBox") or ""
    for scheme, paper in (("light", "rgb(255, 255, 255)"), ("dark", "rgb(21, 24, 30)")):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        expect(page.locator("body")).to_have_css("background-color", paper)
    picture.hover()
    page.mouse.wheel(0, -200)
    expect(picture).not_to_have_attribute("viewBox", whole)
    picture.press("0")
    expect(picture).to_have_attribute("viewBox", whole)
    assert driver.requests == [saved.as_uri()]
    driver.requests.clear()


@pytest.mark.parametrize(("item", "name", "start"), [("DOT", ".dot", "digraph {"), ("Model Explorer", ".json", "{")])
def test_the_whole_graph_is_saved_for_other_programs(
    driver: PageDriver, graphs: BoardProcess, item: str, name: str, start: str
) -> None:
    page = opened(driver, graphs)
    with page.expect_download() as taken:
        page.get_by_role("button", name="Export").click()
        page.get_by_role("menuitem", name=item).click()
    assert taken.value.suggested_filename == f"transformer-__run_graph__{name}"
    text = pathlib.Path(taken.value.path()).read_text()
    assert (text.startswith(start), "norm_2" in text) == (True, True)


def open_values(page: Page, file: pathlib.Path, content: str) -> None:
    """Choose a file with values for nodes."""
    file.write_text(content)
    page.get_by_test_id("graph-data-input").set_input_files(file)


def test_values_of_a_file_colour_the_nodes(driver: PageDriver, graphs: BoardProcess, tmp_path: pathlib.Path) -> None:
    """The panel has them, of a scope the largest one; closing the file brings the other colours back."""
    page = opened(driver, graphs, f"{ON};open=head;selected=head")
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


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("{", "values.json is not JSON"),
        ('{"nodes": []}', 'values.json has no values for nodes: "results" is missing'),
        (
            '{"results": {"conv1": {"value": 1}}}',
            "values.json is for another graph: this one has none of its nodes, such as conv1",
        ),
    ],
)
def test_a_file_that_does_not_fit_is_refused(
    driver: PageDriver, graphs: BoardProcess, tmp_path: pathlib.Path, content: str, reason: str
) -> None:
    page = opened(driver, graphs)
    open_values(page, tmp_path / "values.json", content)
    expect(page.get_by_text(reason)).to_be_visible()
    expect(page.get_by_test_id("graph-data")).to_have_count(0)


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
    page = opened(driver, graphs, f"{ON};totals=1")
    page.get_by_test_id("graph-totals").get_by_role("searchbox").focus()
    type_text(page, "layer_4/mlp")
    expect(total_row(page, "encoder/layer_4/mlp")).to_be_visible()
    total_row(page, "encoder/layer_4/mlp").get_by_role("button", name="mlp", exact=True).click()
    expect(box(page, "encoder/layer_4/mlp")).to_have_attribute("aria-selected", "true")
    expect(total_row(page, "encoder/layer_4/mlp")).to_have_attribute("data-selected", "true")


def test_totals_are_sorted_and_exported(driver: PageDriver, graphs: BoardProcess) -> None:
    """By a click on a heading; the file has all rows."""
    page = opened(driver, graphs, f"{ON};totals=1")
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
        "scope,op,nodes,parameters,trainable,bytes,flops,partial",
    )
    assert any(line.startswith("encoder/layer_3/mlp,,") for line in lines)


def test_totals_are_intact_translated_and_accessible(driver: PageDriver, graphs: BoardProcess) -> None:
    page = opened(driver, graphs, f"{ON};open={LAYER};totals=1&lang={LANGUAGES[0]}")
    expect(total_row(page, "encoder")).to_be_visible()

    assert find_page_faults(page, WIDTHS, accessible=[1440, 390]) == {}


def difference(page: Page, path: str) -> Locator:
    """The line of a node or scope in the list of differences."""
    return page.locator(f'[data-testid=graph-diff] li[data-path="{path}"]')


def test_a_graph_is_compared_with_another(driver: PageDriver, versions: BoardProcess) -> None:
    """By default with that of the other run; each difference leads to its box."""
    page = opened(driver, versions, "&graphs=run=deeper")
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_label("Compare with")).to_have_value(re.compile('"base"'))
    lines = page.locator("[data-testid=graph-diff] li")
    expect(lines).to_have_text(["+ layer_2 58 nodes", "~ MatMul MatMul · inputs"], use_inner_text=True)
    assert "base=base" in page.url
    difference(page, "head/logits/MatMul").get_by_role("button").click()
    expect(box(page, "head/logits/MatMul")).to_have_attribute("aria-selected", "true")


def test_differences_are_hidden_by_kind_and_turned_round_by_the_other_run(
    driver: PageDriver, versions: BoardProcess
) -> None:
    """What is removed leads to its box in the other graph, and its panel says what it was."""
    page = opened(driver, versions, "&graphs=run=base;base=deeper,__run_graph__,op")
    diff = page.get_by_test_id("graph-diff")
    expect(diff.locator("li")).to_have_text(["− layer_2 58 nodes", "~ MatMul MatMul · inputs"], use_inner_text=True)
    diff.get_by_role("button", name="1 changed", exact=True).click()
    expect(diff.locator("li")).to_have_count(1)
    difference(page, "encoder/layer_2").get_by_role("button").click()
    expect(box(page, LAYER, "base")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_test_id("graph-details")).to_contain_text("encoder/layer_2Collapse")


def test_both_graphs_mark_what_differs(driver: PageDriver, versions: BoardProcess) -> None:
    """Scopes and stacks say how much of them; what is hidden in the list is not marked."""
    page = opened(driver, versions, f"{COMPARED};open=encoder,head,head/logits")
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


def test_what_both_graphs_have_opens_in_both(driver: PageDriver, versions: BoardProcess) -> None:
    """From either side, and so does closing; what only one has opens there."""
    page = opened(driver, versions, COMPARED)
    expect(box(page, "head", "base")).to_be_attached()
    page.get_by_role("tree").nth(1).focus()
    press(page, "End", "ArrowUp", "ArrowRight")
    for side in ("graph", "base"):
        expect(box(page, "head/logits", side)).to_be_attached()
    page.get_by_role("tree").nth(0).focus()
    press(page, "End", "ArrowUp", "ArrowUp", "ArrowLeft")
    for side in ("graph", "base"):
        expect(box(page, "head/logits", side)).not_to_be_attached()


def test_both_graphs_move_together(driver: PageDriver, versions: BoardProcess) -> None:
    """So that the box in the middle of one is in the middle of the other."""
    page = opened(driver, versions, COMPARED)
    expect(box(page, "tokens", "base")).to_be_attached()
    page.get_by_test_id("graph").hover()
    page.mouse.wheel(0, -300)
    settle(page)
    cameras = [page.get_by_test_id(name).get_attribute("data-camera") for name in ("graph", "graph-base")]
    assert cameras[0] == cameras[1]


def test_a_narrow_page_shows_one_of_two_graphs(driver: PageDriver, versions: BoardProcess) -> None:
    """That which has what was looked for, or that of choice."""
    page = opened(driver, versions, REMOVED, width=390, height=844)
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
    driver: PageDriver, versions: BoardProcess, scheme: str, colour: str
) -> None:
    page = opened(driver, versions, f"{COMPARED};open=encoder,{LAYER};members=2:{LAYER}", scheme=scheme)
    expect(box(page, LAYER)).to_have_text("layer_2, 3 of 3, 58 added")
    settle(page)
    assert colour in page.get_by_test_id("graph").locator("canvas").evaluate(ALL_COLOURS)


def test_nothing_of_differences_is_cut(driver: PageDriver, versions: BoardProcess) -> None:
    page = opened(driver, versions, f"&graphs=run=deeper;base=base,__run_graph__,op&lang={LANGUAGES[0]}")
    expect(difference(page, "encoder/layer_2")).to_be_visible()

    assert find_page_faults(page, WIDTHS) == {}


def test_differences_have_no_violations(driver: PageDriver, versions: BoardProcess) -> None:
    page = opened(driver, versions, "&graphs=run=deeper;base=base,__run_graph__,op;selected=encoder/layer_2")
    expect(difference(page, "encoder/layer_2")).to_be_visible()
    assert find_violations_in_both_themes(page, [1440, 390]) == {}


@pytest.mark.parametrize(("scheme", "paper"), [("light", "255,255,255"), ("dark", "21,24,30")])
def test_the_picture_has_the_colours_of_the_theme(
    driver: PageDriver, graphs: BoardProcess, scheme: str, paper: str
) -> None:
    """Boxes have the colour of cards."""
    page = opened(driver, graphs, "&graphs=run=chain;open=first,second", scheme=scheme)
    assert page.get_by_test_id("graph").locator("canvas").evaluate(COLOURS) == paper


def test_the_page_has_no_violations(driver: PageDriver, graphs: BoardProcess) -> None:
    """With an open scope and a selected node."""
    page = opened(driver, graphs, f"{ON};open={LAYER};selected={LAYER}/add")
    assert find_violations_in_both_themes(page, [1440, 390]) == {}


def test_nothing_is_cut(driver: PageDriver, graphs: BoardProcess) -> None:
    """At any width, in any language."""
    page = opened(driver, graphs, f"{ON};open={LAYER};selected={LAYER}&lang={LANGUAGES[0]}")

    assert find_page_faults(page, WIDTHS) == {}
