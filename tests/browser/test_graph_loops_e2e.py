"""The edge of a node to itself, as cycles of TensorFlow 1 have: drawn, pointed at, and in files."""

import pathlib
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from lightboard.testing.event_files import graph_record, version_record, write_events
from support.board_process import BoardProcess, serve_logs
from support.graph_defs import graph_def, node_def, shapes_attribute, type_attribute
from support.graph_pages import opened, point_at_corner
from support.page_driver import PageDriver

LOOPED = "&graphs=run=a"
AROUND_CORNER = """(text) => {
    const own = text.getBBox();
    const holds = (each) => each.x <= own.x && each.y <= own.y &&
        each.x + each.width >= own.x + own.width && each.y + each.height >= own.y + own.height;
    const all = [...text.ownerSVGElement.querySelectorAll('path')].map((each) => each.getBBox()).filter(holds);
    const box = all.sort((a, b) => a.width - b.width)[0];
    const [right, bottom] = [box.x + box.width, box.y + box.height];
    const isOn = ({ x, y }) => Math.abs(x - right) < 1 && y < bottom + 1 && y > box.y ||
        Math.abs(y - bottom) < 1 && x < right + 1 && x > box.x;
    return [...text.ownerSVGElement.querySelectorAll('path[fill=none]')].filter((path) => {
        const [from, to] = [0, path.getTotalLength()].map((at) => path.getPointAtLength(at));
        return isOn(from) && isOn(to);
    }).length; }"""
"""How many lines begin and end at the right and lower sides of the box with this name."""


@pytest.fixture(scope="module")
def looped(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardProcess]:
    """A node that is its own input, between two others."""

    def write(folder: pathlib.Path) -> None:
        shapes = shapes_attribute((8, 64)) + type_attribute("T")
        nodes = [
            node_def("x", "Placeholder", (), shapes),
            node_def("state", "Merge", ("x", "state"), shapes),
            node_def("y", "Sigmoid", ("state",), shapes),
        ]
        records = [version_record(), graph_record(graph_def(*nodes))]
        write_events(folder / "a" / "events.out.tfevents.1750000000.host", records, version=None)

    yield from serve_logs(tmp_path_factory.mktemp("looped") / "runs", write)


def test_the_pointer_finds_the_loop_of_a_node(driver: PageDriver, looped: BoardProcess) -> None:
    """And is told both of its ends, which are the same, and what flows along it."""
    page = opened(driver, looped, LOOPED)
    point_at_corner(page, "state", 4)
    expect(page.get_by_test_id("graph-tip")).to_have_text("state → statefloat32 8×64 · 512 elements")


def test_an_exported_picture_has_the_loop_of_a_node(
    driver: PageDriver, looped: BoardProcess, tmp_path: pathlib.Path
) -> None:
    """At its own box and at no other."""
    page = opened(driver, looped, LOOPED)
    with page.expect_download() as taken:
        page.get_by_role("button", name="Export").click()
        page.get_by_role("menuitem", name="SVG").click()
    taken.value.save_as(tmp_path / "graph.svg")
    page.goto((tmp_path / "graph.svg").as_uri())
    names = page.locator("text")
    expect(names.first).to_be_visible()
    loops = {name: names.filter(has_text=name).first.evaluate(AROUND_CORNER) for name in ("state", "Sigmoid")}
    driver.requests.clear()
    assert loops == {"state": 1, "Sigmoid": 0}


def test_a_whole_graph_for_graphviz_has_the_edge_of_a_node_to_itself(driver: PageDriver, looped: BoardProcess) -> None:
    page = opened(driver, looped, LOOPED)
    with page.expect_download() as taken:
        page.get_by_role("button", name="Export").click()
        page.get_by_role("menuitem", name="DOT").click()
    lines = pathlib.Path(taken.value.path()).read_text().splitlines()
    assert [line.strip() for line in lines if "n0_1 -> n0_1" in line] == ['n0_1 -> n0_1 [label="float32 8×64"];']
