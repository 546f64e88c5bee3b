"""The page of meshes: runs beside each other, one camera and one step for all, what cannot be drawn, no WebGL."""

import os
import pathlib
import re
import struct
from collections.abc import Iterator

import mesh_logs
import pytest
from chromium import QUIET, find_browser
from playwright.sync_api import Browser, Locator, Page, expect
from served import Board
from visitor import Visitor

from conftest import serve

SOLID = "shapes/solid"
SWATCHES = """(parts) => parts.map((part) => [part.dataset.run,
    getComputedStyle(part.querySelector('[class*=swatch]')).backgroundColor])"""
PIXELS = """(canvas) => { const { width, height } = canvas;
    const copy = Object.assign(document.createElement('canvas'), { width, height });
    const paper = copy.getContext('2d', { willReadFrequently: true });
    paper.drawImage(canvas, 0, 0);
    const { data } = paper.getImageData(0, 0, width, height);
    let sum = 0, ink = 0, red = 0, green = 0;
    for (let at = 0; at < data.length; at += 4) {
        if (!data[at + 3]) continue;
        ink++;
        sum = (sum * 31 + at + data[at]) % 1e9;
        if (data[at] > 2 * data[at + 1]) red++;
        if (data[at + 1] > 2 * data[at]) green++;
    }
    return [ink, sum, red, green]; }"""
"""How much is on a canvas, a number that changes with it, and how much of that is red and green."""


@pytest.fixture(scope="module")
def meshes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    """Two runs of solids and clouds."""
    yield from serve(tmp_path_factory.mktemp("meshes") / "runs", mesh_logs.meshes)


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    """What cannot be drawn, or not all of it."""
    yield from serve(tmp_path_factory.mktemp("broken") / "runs", mesh_logs.broken)


def view(page: Page, run: str, name: str = SOLID) -> Locator:
    """The mesh of one run, scrolled to and drawn."""
    card = page.locator(f'[data-item="{name}"]')
    card.scroll_into_view_if_needed()
    found = card.locator(f'section[data-run="{run}"]')
    found.scroll_into_view_if_needed()
    return found


def drawn(section: Locator) -> list[int]:
    """What is on the canvas, see `PIXELS`."""
    expect(section.locator("canvas[data-drawn]")).to_be_visible()
    # What was asked for before is on the canvas two frames later.
    section.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    found: list[int] = section.locator("canvas").evaluate(PIXELS)
    return found


def test_runs_stand_beside_each_other_in_their_colours(visitor: Visitor, meshes: Board) -> None:
    """At the last step, with what is drawn said below; the swatches are those of the run table."""
    page = visitor.open(meshes, "#mesh")
    baseline, other = (view(page, run) for run in mesh_logs.RUNS)
    assert drawn(other)[0] > drawn(baseline)[0] > 1000
    expect(baseline).to_contain_text("4 faces, 4 vertices")
    expect(baseline.locator("[data-step]")).to_have_attribute("data-step", "20")
    rows = dict(page.locator("[data-testid=run-row]").evaluate_all(SWATCHES))
    card = page.locator(f'[data-testid=card][data-tag="{SOLID}"]')
    assert dict(card.locator("section[data-run]").evaluate_all(SWATCHES)) == rows


def test_a_solid_shows_the_colours_of_its_vertices(visitor: Visitor, meshes: Board) -> None:
    """And what has none that of its run."""
    page = visitor.open(meshes, "#mesh")
    red, green = drawn(view(page, "baseline"))[2:]
    assert min(red, green) > 100


def test_one_slider_moves_all_meshes_and_every_page(visitor: Visitor, meshes: Board) -> None:
    """What has none there shows its nearest and says so; a mesh that grows is seen to grow."""
    page = visitor.open(meshes, "#mesh")
    baseline, other = (view(page, run) for run in mesh_logs.RUNS)
    large = drawn(baseline)[0]
    page.get_by_role("slider", name="Step").press("Home")
    expect(baseline.locator("[data-step]")).to_have_attribute("data-step", "0")
    expect(other.locator("[data-step]")).to_contain_text("≈\u200910")
    expect(baseline).not_to_have_attribute("aria-busy", "true")
    assert drawn(baseline)[0] < large / 2
    expect(page).to_have_url(re.compile(r"pin=0,#mesh"))


def test_one_camera_for_all_moved_by_keys(visitor: Visitor, meshes: Board) -> None:
    """It turns, moves aside, comes nearer, and goes back; it stands in the address."""
    page = visitor.open(meshes, "#mesh")
    views = [view(page, run) for run in mesh_logs.RUNS]
    before = [drawn(each) for each in views]
    stage = views[0].get_by_test_id("mesh-view")
    seen = [before]
    for key in ("ArrowRight", "Shift+ArrowUp", "+"):
        stage.press(key)
        seen.append([drawn(each) for each in views])
    for at in (0, 1):
        assert len({tuple(one[at]) for one in seen}) == 4
    expect(page).to_have_url(re.compile(r"mesh=camera=[-\d.:]+#mesh"))
    again = visitor.open(meshes, "&" + page.url.split("?test=1&")[1])
    assert [drawn(view(again, run)) for run in mesh_logs.RUNS] == seen[-1]
    stage.press("0")
    assert [drawn(each) for each in views] == before


def test_a_drag_turns_and_a_step_back_undoes_it(visitor: Visitor, meshes: Board) -> None:
    """One drag is one step."""
    page = visitor.open(meshes, "#mesh")
    baseline = view(page, "baseline")
    before = drawn(baseline)
    box = baseline.get_by_test_id("mesh-view").bounding_box()
    assert box
    page.mouse.move(box["x"] + 100, box["y"] + 100)
    page.mouse.down()
    page.mouse.move(box["x"] + 130, box["y"] + 110, steps=4)
    page.mouse.up()
    assert drawn(baseline) != before
    page.keyboard.press("Control+z")
    assert drawn(baseline) == before


def test_a_camera_of_its_own(visitor: Visitor, meshes: Board) -> None:
    """Where the camera is not shared, only the view that is turned turns."""
    page = visitor.open(meshes, "&mesh=share=false#mesh")
    baseline, other = (view(page, run) for run in mesh_logs.RUNS)
    before = drawn(baseline), drawn(other)
    baseline.get_by_test_id("mesh-view").press("ArrowLeft")
    assert drawn(baseline) != before[0]
    assert drawn(other) == before[1]
    page.get_by_role("button", name="Fit").click()
    assert (drawn(baseline), drawn(other)) == before


def test_the_wheel_scrolls_the_page_until_one_is_at_work(visitor: Visitor, meshes: Board) -> None:
    """Then it comes nearer."""
    page = visitor.open(meshes, "#mesh", height=600)
    baseline = view(page, "baseline")
    before = drawn(baseline)
    baseline.get_by_test_id("mesh-view").hover()
    page.mouse.wheel(0, -40)
    assert drawn(baseline) == before
    baseline.get_by_test_id("mesh-view").focus()
    page.mouse.wheel(0, -40)
    expect(page).to_have_url(re.compile("camera="))
    assert drawn(baseline) != before


@pytest.mark.parametrize("name", ["Wire", "Axes"])
def test_other_looks(visitor: Visitor, meshes: Board, name: str) -> None:
    """Edges instead of faces; a box with its ranges."""
    page = visitor.open(meshes, "#mesh")
    baseline = view(page, "baseline")
    before = drawn(baseline)
    page.get_by_role("checkbox", name=name).check()
    assert drawn(baseline) != before
    expect(page).to_have_url(re.compile(f"{name.lower()}=true"))


def test_points_of_any_size_and_each_of_a_batch(visitor: Visitor, meshes: Board) -> None:
    """Larger points cover more; the second of a batch is another cloud."""
    page = visitor.open(meshes, "#mesh")
    pair = view(page, "baseline", "pair")
    before = drawn(pair)
    page.get_by_role("slider", name="Point size").press("End")
    larger = drawn(pair)
    assert larger[0] > before[0]
    page.locator('[data-testid=card][data-tag="pair"]').get_by_role("button", name="Next mesh of the batch").click()
    expect(page.get_by_test_id("mesh-sample")).to_contain_text("2 of 2")
    expect(pair).not_to_have_attribute("aria-busy", "true")
    assert drawn(pair)[1] != larger[1]


def test_a_mesh_can_be_taken_away(visitor: Visitor, meshes: Board, tmp_path: pathlib.Path) -> None:
    """All of it as PLY, its picture, the bytes of the log."""
    page = visitor.open(meshes, "#mesh")
    baseline = view(page, "baseline")
    drawn(baseline)
    for item in ("Whole mesh as PLY", "Picture as PNG", "Vertices as they lie in the log"):
        baseline.get_by_role("button", name="Take baseline away").click()
        with page.expect_download() as taken:
            page.get_by_role("menuitem", name=item).click()
        taken.value.save_as(tmp_path / item)
    ply = (tmp_path / "Whole mesh as PLY").read_bytes()
    first = struct.unpack_from("<3f3B", ply, ply.index(b"end_header\n") + 11)
    assert first == (2.0, 2.0, 2.0, 255, 0, 0)
    assert (tmp_path / "Picture as PNG").read_bytes().startswith(b"\x89PNG")
    assert b"shapes/solid_VERTEX" in (tmp_path / "Vertices as they lie in the log").read_bytes()


def test_odd_names_are_whole(visitor: Visitor, meshes: Board) -> None:
    """In any script."""
    page = visitor.open(meshes, "#mesh")
    name = "имя/训练 🚀/עברית"
    view(page, "baseline", name)
    expect(page.locator(f'[data-testid=card][data-tag="{name}"] h3')).to_have_text(name)


def test_what_cannot_be_drawn_is_said(visitor: Visitor, broken: Board) -> None:
    """The rest is drawn, nothing runs, and what is refused can be downloaded."""
    page = visitor.open(broken, "#mesh")
    said = {
        "part/vertices": "4 faces, 5 vertices1 vertex is nowhere3 faces without their vertices",
        "nothing": "4 vertices are nowhere",
        "a gigabyte": "MB, more than is shown",
        "colours": "The colours are not as many as the vertices and are left out",
    }
    for name, words in said.items():
        expect(view(page, "run", name)).to_contain_text(words)
    assert drawn(view(page, "run", "part/vertices"))[0] > 1000
    assert drawn(view(page, "run", "scene"))[0] > 0
    visitor.complaints.clear()  # the browser reports every answer of 422


def test_what_cannot_be_drawn_is_asked_for_once(visitor: Visitor, broken: Board) -> None:
    """The answer would be the same: nobody is offered another try; who waits for it sees an empty frame."""
    page = visitor.open(broken, "&tagFilter=gigabyte#mesh", ready=False)
    expect(view(page, "run", "a gigabyte")).to_contain_text("MB, more than is shown")
    expect(view(page, "run", "a gigabyte").get_by_role("button", name="Retry")).to_have_count(0)
    visitor.complaints.clear()  # the browser reports every answer of 422

    assert len([url for url in visitor.requests if "gigabyte" in url and "/meshes" in url]) == 1


def test_very_many_points_are_thinned_and_said(visitor: Visitor, broken: Board) -> None:
    """With how many there are."""
    page = visitor.open(broken, "&tagFilter=cloud#mesh")
    cloud = view(page, "run", "cloud")
    expect(cloud).to_contain_text("200,000 of 200,001 points")
    assert drawn(cloud)[0] > 1000


@pytest.fixture
def without_webgl(browser: Browser) -> Iterator[Visitor]:
    """Somebody whose browser has no WebGL."""
    executable, env, arguments = find_browser()
    bare = browser.browser_type.launch(
        executable_path=executable, args=[*QUIET, "--disable-webgl", *arguments], env={**os.environ, **env}
    )
    visitor = Visitor(bare)
    yield visitor
    bare.close()
    assert visitor.complaints == []


def test_without_webgl_the_points_are_shown_and_that_is_said(meshes: Board, without_webgl: Visitor) -> None:
    """Drawn on the processor, moved by the same keys."""
    page = without_webgl.open(meshes, "#mesh")
    baseline = view(page, "baseline")
    before = drawn(baseline)
    expect(baseline).to_contain_text("Points only: this browser has no WebGL")
    assert 0 < before[0] < 1000
    baseline.get_by_test_id("mesh-view").press("ArrowRight")
    assert drawn(baseline) != before


@pytest.mark.parametrize("shade", ["light", "dark"])
def test_the_step_of_another_page_is_that_of_this_one(visitor: Visitor, meshes: Board, shade: str) -> None:
    """In either theme."""
    page = visitor.open(meshes, "&pin=10,#mesh", scheme=shade)
    expect(view(page, "baseline").locator("[data-step]")).to_have_attribute("data-step", "10")
    assert drawn(view(page, "lr_1e-3"))[0] > 1000
