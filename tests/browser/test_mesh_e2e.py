"""Meshes: runs side by side, shared camera and step, invalid data, no WebGL."""

import os
import pathlib
import re
import struct
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from support import mesh_logs
from support.board_process import BoardProcess, serve_logs
from support.chromium import CHROMIUM_FLAGS, find_browser
from support.page_driver import PageDriver
from support.settled_pages import press, settle

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
def meshes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardProcess]:
    """Two runs of solids and clouds."""
    yield from serve_logs(tmp_path_factory.mktemp("meshes") / "runs", mesh_logs.meshes)


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardProcess]:
    """What cannot be drawn, or not all of it."""
    yield from serve_logs(tmp_path_factory.mktemp("broken") / "runs", mesh_logs.broken)


def view(page: Page, run: str, name: str = SOLID) -> Locator:
    """The mesh of one run, scrolled to and drawn."""
    card = page.locator(f'[data-item="{name}"]')
    card.scroll_into_view_if_needed()
    found = card.locator(f'section[data-run="{run}"]')
    found.scroll_into_view_if_needed()
    settle(page)
    return found


def drawn(section: Locator) -> list[int]:
    """What is on the canvas once all that was asked for before is, see `PIXELS`."""
    settle(section.page)
    expect(section.locator("canvas[data-drawn]")).to_be_visible()
    found: list[int] = section.locator("canvas").evaluate(PIXELS)
    return found


def test_runs_stand_beside_each_other_in_their_colours(driver: PageDriver, meshes: BoardProcess) -> None:
    """At the last step, with what is drawn said below; the swatches are those of the run table."""
    page = driver.open(meshes, "#mesh")
    baseline, other = (view(page, run) for run in mesh_logs.RUNS)
    assert drawn(other)[0] > drawn(baseline)[0] > 1000
    expect(baseline).to_contain_text("4 faces, 4 vertices")
    expect(baseline.locator("[data-step]")).to_have_attribute("data-step", "20")
    rows = dict(page.locator("[data-testid=run-row]").evaluate_all(SWATCHES))
    card = page.locator(f'[data-testid=card][data-tag="{SOLID}"]')
    assert dict(card.locator("section[data-run]").evaluate_all(SWATCHES)) == rows


def test_a_solid_shows_the_colours_of_its_vertices(driver: PageDriver, meshes: BoardProcess) -> None:
    """And what has none that of its run."""
    page = driver.open(meshes, "#mesh")
    red, green = drawn(view(page, "baseline"))[2:]
    assert min(red, green) > 100


def test_one_slider_moves_all_meshes_and_every_page(driver: PageDriver, meshes: BoardProcess) -> None:
    """What has none there shows its nearest and says so; a mesh that grows is seen to grow."""
    page = driver.open(meshes, "#mesh")
    baseline, other = (view(page, run) for run in mesh_logs.RUNS)
    large = drawn(baseline)[0]
    page.get_by_role("slider", name="Step").focus()
    press(page, "Home")
    expect(baseline.locator("[data-step]")).to_have_attribute("data-step", "0")
    expect(other.locator("[data-step]")).to_contain_text("≈\u200910")
    assert drawn(baseline)[0] < large / 2
    expect(page).to_have_url(re.compile(r"pin=0,#mesh"))


def test_one_camera_for_all_moved_by_keys(driver: PageDriver, meshes: BoardProcess) -> None:
    """It turns, moves aside, comes nearer, and goes back; it stands in the address."""
    page = driver.open(meshes, "#mesh")
    views = [view(page, run) for run in mesh_logs.RUNS]
    before = [drawn(each) for each in views]
    stage = views[0].get_by_test_id("mesh-view")
    seen = [before]
    for key in ("ArrowRight", "Shift+ArrowUp", "+"):
        address = page.url
        stage.focus()
        press(page, key)
        expect(page).not_to_have_url(address)
        seen.append([drawn(each) for each in views])
    for at in (0, 1):
        assert len({tuple(one[at]) for one in seen}) == 4
    expect(page).to_have_url(re.compile(r"mesh=camera=[-\d.:]+#mesh"))
    again = driver.open(meshes, "&" + page.url.split("?test=1&")[1])
    assert [drawn(view(again, run)) for run in mesh_logs.RUNS] == seen[-1]
    stage.focus()
    press(page, "0")
    assert [drawn(each) for each in views] == before


def test_a_drag_turns_and_a_step_back_undoes_it(driver: PageDriver, meshes: BoardProcess) -> None:
    """One drag is one step."""
    page = driver.open(meshes, "#mesh")
    baseline = view(page, "baseline")
    before = drawn(baseline)
    box = baseline.get_by_test_id("mesh-view").bounding_box()
    assert box
    page.mouse.move(box["x"] + 100, box["y"] + 100)
    page.mouse.down()
    page.mouse.move(box["x"] + 130, box["y"] + 110, steps=4)
    page.mouse.up()
    assert drawn(baseline) != before
    press(page, "Control+z")
    assert drawn(baseline) == before


def test_a_camera_of_its_own(driver: PageDriver, meshes: BoardProcess) -> None:
    """Where the camera is not shared, only the view that is turned turns."""
    page = driver.open(meshes, "&mesh=share=false#mesh")
    baseline, other = (view(page, run) for run in mesh_logs.RUNS)
    before = drawn(baseline), drawn(other)
    baseline.get_by_test_id("mesh-view").focus()
    press(page, "ArrowLeft")
    assert drawn(baseline) != before[0]
    assert drawn(other) == before[1]
    page.get_by_role("button", name="Fit").click()
    assert (drawn(baseline), drawn(other)) == before


def test_the_wheel_scrolls_the_page_until_one_is_at_work(driver: PageDriver, meshes: BoardProcess) -> None:
    """Then it comes nearer."""
    page = driver.open(meshes, "#mesh", height=600)
    baseline = view(page, "baseline")
    before = drawn(baseline)
    baseline.get_by_test_id("mesh-view").hover()
    page.mouse.wheel(0, -40)
    assert drawn(baseline) == before
    baseline.get_by_test_id("mesh-view").focus()
    page.mouse.wheel(0, -40)
    expect(page).to_have_url(re.compile("camera="))
    assert drawn(baseline) != before


@pytest.mark.parametrize(("name", "field"), [("Wireframe", "wire"), ("Axes", "axes")])
def test_other_looks(driver: PageDriver, meshes: BoardProcess, name: str, field: str) -> None:
    """Edges instead of faces; a box with its ranges."""
    page = driver.open(meshes, "#mesh")
    baseline = view(page, "baseline")
    before = drawn(baseline)
    page.get_by_role("checkbox", name=name).check()
    assert drawn(baseline) != before
    expect(page).to_have_url(re.compile(f"{field}=true"))


def test_points_of_any_size_and_each_of_a_batch(driver: PageDriver, meshes: BoardProcess) -> None:
    """Larger points cover more; the second of a batch is another cloud."""
    page = driver.open(meshes, "#mesh")
    pair = view(page, "baseline", "pair")
    before = drawn(pair)
    page.get_by_role("slider", name="Point size").focus()
    press(page, "End")
    larger = drawn(pair)
    assert larger[0] > before[0]
    page.locator('[data-testid=card][data-tag="pair"]').get_by_role("button", name="Next mesh in the batch").click()
    expect(page.get_by_test_id("mesh-sample")).to_contain_text("2 of 2")
    assert drawn(pair)[1] != larger[1]


def test_a_mesh_can_be_taken_away(driver: PageDriver, meshes: BoardProcess, tmp_path: pathlib.Path) -> None:
    """All of it as PLY, its picture, the bytes of the log."""
    page = driver.open(meshes, "#mesh")
    baseline = view(page, "baseline")
    drawn(baseline)
    for item in ("Full mesh as PLY", "Image as PNG", "Raw vertices from the log"):
        baseline.get_by_role("button", name="Export baseline").click()
        with page.expect_download() as taken:
            page.get_by_role("menuitem", name=item).click()
        taken.value.save_as(tmp_path / item)
    ply = (tmp_path / "Full mesh as PLY").read_bytes()
    first = struct.unpack_from("<3f3B", ply, ply.index(b"end_header\n") + 11)
    assert first == (2.0, 2.0, 2.0, 255, 0, 0)
    assert (tmp_path / "Image as PNG").read_bytes().startswith(b"\x89PNG")
    assert b"shapes/solid_VERTEX" in (tmp_path / "Raw vertices from the log").read_bytes()


def test_odd_names_are_whole(driver: PageDriver, meshes: BoardProcess) -> None:
    """In any script."""
    page = driver.open(meshes, "#mesh")
    name = "имя/训练 🚀/עברית"
    view(page, "baseline", name)
    expect(page.locator(f'[data-testid=card][data-tag="{name}"] h3')).to_have_text(name)


def test_what_cannot_be_drawn_is_said(driver: PageDriver, broken: BoardProcess) -> None:
    """The rest is drawn, nothing runs, and what is refused can be downloaded."""
    page = driver.open(broken, "#mesh")
    said = {
        "part/vertices": "4 faces, 5 vertices1 vertex has no position3 faces with missing vertices",
        "nothing": "4 vertices have no position",
        "a gigabyte": "MB, more than is shown",
        "colours": "Colors not shown: their number does not match the vertices",
    }
    for name, words in said.items():
        expect(view(page, "run", name)).to_contain_text(words)
    assert drawn(view(page, "run", "part/vertices"))[0] > 1000
    assert drawn(view(page, "run", "scene"))[0] > 0
    driver.console_errors.clear()  # the browser reports every answer of 422


def test_what_cannot_be_drawn_is_asked_for_once(driver: PageDriver, broken: BoardProcess) -> None:
    """The answer would be the same: nobody is offered another try; who waits for it sees an empty frame."""
    page = driver.open(broken, "&tagFilter=gigabyte#mesh")
    expect(view(page, "run", "a gigabyte")).to_contain_text("MB, more than is shown")
    expect(view(page, "run", "a gigabyte").get_by_role("button", name="Retry")).to_have_count(0)
    driver.console_errors.clear()  # the browser reports every answer of 422

    assert len([url for url in driver.requests if "gigabyte" in url and "/meshes" in url]) == 1


def test_very_many_points_are_thinned_and_said(driver: PageDriver, broken: BoardProcess) -> None:
    """With how many there are."""
    page = driver.open(broken, "&tagFilter=cloud#mesh")
    cloud = view(page, "run", "cloud")
    expect(cloud).to_contain_text("200,000 of 200,001 points")
    assert drawn(cloud)[0] > 1000


@pytest.fixture
def without_webgl(browser: Browser) -> Iterator[PageDriver]:
    """Somebody whose browser has no WebGL."""
    executable, env, arguments = find_browser()
    bare = browser.browser_type.launch(
        executable_path=executable, args=[*CHROMIUM_FLAGS, "--disable-webgl", *arguments], env={**os.environ, **env}
    )
    driver = PageDriver(bare)
    yield driver
    bare.close()
    assert driver.console_errors == []


def test_without_webgl_the_points_are_shown_and_that_is_said(meshes: BoardProcess, without_webgl: PageDriver) -> None:
    """Drawn on the processor, moved by the same keys."""
    page = without_webgl.open(meshes, "#mesh")
    baseline = view(page, "baseline")
    before = drawn(baseline)
    expect(baseline).to_contain_text("Points only: this browser does not support WebGL")
    assert 0 < before[0] < 1000
    baseline.get_by_test_id("mesh-view").focus()
    press(page, "ArrowRight")
    assert drawn(baseline) != before


def test_the_step_of_another_page_is_that_of_this_one(driver: PageDriver, meshes: BoardProcess) -> None:
    """In either theme."""
    page = driver.open(meshes, "&pin=10,#mesh")
    for shade in ("light", "dark"):
        page.emulate_media(color_scheme=shade)
        expect(page.locator("html")).to_have_attribute("data-theme", shade)
        expect(view(page, "baseline").locator("[data-step]")).to_have_attribute("data-step", "10")
        assert drawn(view(page, "lr_1e-3"))[0] > 1000
