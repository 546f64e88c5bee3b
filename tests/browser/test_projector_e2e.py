"""The projector page (check 35): points, colours, navigation, selection, exports."""

import csv
import io
import json
import pathlib
import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from support import embedding_logs
from support.accessibility import find_violations_in_both_themes
from support.board_process import BoardProcess
from support.embedding_logs import MANY, NAMES, WORDS
from support.layout_faults import find_layout_faults
from support.page_driver import PageDriver
from support.page_faults import LANGUAGES, find_page_faults
from support.settled_pages import go_back, press, reload, settle

LOGS = pathlib.Path(__file__).parents[1] / "data" / "logs"
WIDTHS = [1440, 1280, 1024, 390]
MAX_MS = 60_000
"""The first look at many points, where other things are done too."""
NEAR = 8
"""How far apart two colours may be that are the same but for rounding, of 255."""
LAYOUT_MS = 180_000
"""A layout that a process of its own works on, behind everything else."""


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardProcess]:
    """600 points with a label, a name, a number and a picture each."""
    folder = tmp_path_factory.mktemp("embeddings") / "runs"
    embedding_logs.words(folder)
    with BoardProcess(folder) as board:
        yield board


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardProcess]:
    """F7: 100,000 points of 64 dimensions."""
    folder = tmp_path_factory.mktemp("f7") / "runs"
    embedding_logs.many(folder)
    with BoardProcess(folder) as board:
        yield board


def opened(driver: PageDriver, board: BoardProcess, query: str = "", **more: object) -> Page:
    """The page, once its points are drawn and coloured."""
    page = driver.open(board, f"{query}#projector", settled=False, **more)  # type: ignore[arg-type]
    expect(page.locator("[data-testid=projector][data-state=ready]")).to_be_visible(timeout=MAX_MS)
    expect(points(page)).to_have_attribute("data-count", re.compile("[1-9]"), timeout=MAX_MS)
    settle(page)
    return page


def points(page: Page) -> Locator:
    """Where the points are drawn; what was drawn stands in its attributes."""
    return page.get_by_test_id("points")


def camera(page: Page) -> list[float]:
    """x, y, span, yaw, pitch."""
    return [float(part) for part in (points(page).get_attribute("data-camera") or "").split(",")]


def legend(page: Page) -> list[tuple[str, int]]:
    """Labels and counts, as they stand there."""
    expect(page.get_by_test_id("legend-item").first).to_be_visible()
    items: list[list[str]] = page.get_by_test_id("legend-item").evaluate_all(
        "all => all.map(({dataset}) => [dataset.label, dataset.count])"
    )
    return [(label, int(held)) for label, held in items]


def drag(page: Page, way: list[tuple[float, float]], key: str | None = None) -> None:
    """Drag over the points along places told as parts of the width and height, with a key held."""
    settle(page)
    box = points(page).bounding_box()
    assert box is not None
    places = [(box["x"] + box["width"] * x, box["y"] + box["height"] * y) for x, y in way]
    if key:
        page.keyboard.down(key)
    page.mouse.move(*places[0])
    page.mouse.down()
    for place in places[1:]:
        page.mouse.move(*place, steps=3)
    page.mouse.up()
    if key:
        page.keyboard.up(key)


def selected(page: Page) -> int:
    """How many points are selected, once some are."""
    expect(page.get_by_test_id("selection")).to_be_visible()
    settle(page)
    return int(page.get_by_test_id("selection").get_attribute("data-count") or "0")


def select_one(page: Page, name: str) -> None:
    """Select one point by its name."""
    page.get_by_role("searchbox", name="Find points").fill(name)
    page.get_by_role("button", name="Regular expression").click()
    expect(page.get_by_test_id("selection")).to_have_attribute("data-count", "1")


def look_at(page: Page, name: str) -> None:
    """Go to one point by its name."""
    select_one(page, name)
    page.get_by_text("Selected points").click()
    page.get_by_test_id("selection").get_by_role("button", name=name.strip("^$"), exact=True).click()


def test_torch_embeddings_open_and_are_coloured_at_once(driver: PageDriver, start_board: object) -> None:
    """As `add_embedding` writes them: the first column with few values is the colour, its classes are counted."""
    board: BoardProcess = start_board(LOGS / "torch_kinds" / "embedding")  # type: ignore[operator]
    page = opened(driver, board)
    expect(points(page)).to_have_attribute("data-count", "16")
    expect(page.get_by_test_id("projector")).to_have_attribute("data-color", "class")
    rows = (LOGS / "torch_kinds" / "embedding" / "00000" / "default" / "metadata.tsv").read_text().splitlines()[1:]
    assert dict(legend(page)) == Counter(row.split("\t")[1] for row in rows)


def test_a_hundred_thousand_points(driver: PageDriver, many: BoardProcess) -> None:
    """All of them are drawn, in the colours of the first column with few values, which are those of the board."""
    page = opened(driver, many)
    expect(points(page)).to_have_attribute("data-in-sight", "100000")
    counts = np.bincount(MANY.clusters, minlength=10)
    assert legend(page) == [(f"class {number}", int(count)) for number, count in enumerate(counts)]
    expect(page.get_by_test_id("foot")).to_contain_text("100,000 of 100,000 points · 64 dimensions")
    colors = page.get_by_test_id("legend-item").evaluate_all("all => all.map(each => each.dataset.color)")
    assert colors[:3] == ["#466bf4", "#6b4300", "#207963"]


def test_a_hundred_thousand_points_are_dragged_and_enclosed(driver: PageDriver, many: BoardProcess) -> None:
    """A pan moves them out of sight, all that are in sight can be selected."""
    page = opened(driver, many)
    expect(points(page)).to_have_attribute("data-in-sight", "100000")
    drag(page, [(0.2, 0.5), (0.8, 0.5)])
    expect(points(page)).not_to_have_attribute("data-in-sight", "100000")
    points(page).focus()
    press(page, "Home")
    expect(points(page)).to_have_attribute("data-in-sight", "100000")
    drag(page, [(0.05, 0.01), (0.99, 0.01), (0.99, 0.99), (0.05, 0.99), (0.01, 0.5)], key="Shift")
    expect(page.get_by_test_id("selection")).to_have_attribute("data-count", "100000")


def test_neighbours_are_the_nearest_of_all(driver: PageDriver, words: BoardProcess) -> None:
    """By cosine distance, then by Euclidean, as NumPy finds them; a neighbour leads on to its own."""
    page = opened(driver, words)
    look_at(page, "^point 7$")
    vectors = WORDS.vectors.astype(np.float64)
    lengths = np.linalg.norm(vectors, axis=1)
    cosine = 1 - vectors @ vectors[7] / lengths / lengths[7]
    near = page.get_by_test_id("neighbor")
    expect(near).to_have_count(20)
    settle(page)
    rows = near.evaluate_all("all => all.map(each => Number(each.dataset.row))")
    assert rows == np.argsort(cosine)[1:21].tolist()
    page.get_by_label("Distance").select_option("euclidean")
    nearest = int(np.argsort(np.linalg.norm(vectors - vectors[7], axis=1))[1])
    expect(near.first).to_have_attribute("data-row", str(nearest))
    near.first.focus()
    press(page, "Enter")
    expect(page.get_by_test_id("neighbors")).to_have_attribute("data-row", str(nearest))


def test_a_line_around_points_selects_them(driver: PageDriver, words: BoardProcess) -> None:
    """They are counted by label, can be shown alone, and all again."""
    page = opened(driver, words)
    drag(page, [(0.1, 0.1), (0.6, 0.05), (0.6, 0.6), (0.1, 0.6)], key="Shift")
    count = selected(page)
    assert 0 < count < 600
    counts = page.get_by_test_id("label-count").evaluate_all("all => all.map(each => Number(each.dataset.count))")
    assert sum(counts) == count
    assert counts == sorted(counts, reverse=True)
    page.get_by_role("button", name="Isolate").click()
    expect(page.get_by_test_id("foot")).to_have_attribute("data-shown", str(count))
    expect(points(page)).to_have_attribute("data-in-sight", str(count))
    page.get_by_role("button", name="Show all", exact=True).click()
    expect(points(page)).to_have_attribute("data-in-sight", "600")


def test_isolated_points_are_laid_out_by_themselves(driver: PageDriver, words: BoardProcess) -> None:
    """The layout has only them, each in its own colour; shown all, it has all again."""
    page = opened(driver, words)
    page.locator("[data-testid=legend-item][data-label=cat]").click()
    cats = selected(page)
    page.get_by_role("button", name="Isolate").click()
    page.get_by_role("button", name="Project only these").click()
    expect(points(page)).to_have_attribute("data-count", str(cats))
    drag(page, [(0.98, 0.02), (0.98, 0.98), (0.01, 0.98), (0.06, 0.02)], key="Shift")
    expect(page.locator("[data-testid=label-count]")).to_have_count(1)
    expect(page.locator("[data-testid=label-count][data-label=cat]")).to_have_attribute("data-count", str(cats))
    page.get_by_role("button", name="Show all", exact=True).click()
    expect(points(page)).to_have_attribute("data-count", "600")


def test_steps_of_a_tensor_follow_each_other(driver: PageDriver, start_board: object) -> None:
    """As Keras's `embeddings_freq` keeps them: the last one at first."""
    board: BoardProcess = start_board(LOGS / "keras_kinds")  # type: ignore[operator]
    page = opened(driver, board)
    expect(page.get_by_label("Step", exact=True)).to_have_value(
        "layer_with_weights-0/embeddings/.ATTRIBUTES/VARIABLE_VALUE:00002"
    )
    expect(points(page)).to_have_attribute("data-count", "20")
    before = points(page).get_attribute("data-camera")
    page.get_by_label("Step", exact=True).select_option(label="0")
    expect(points(page)).not_to_have_attribute("data-camera", before or "")
    expect(page).to_have_url(re.compile("VARIABLE_VALUE:00000"))


def test_a_box_selects_with_its_tool(driver: PageDriver, words: BoardProcess) -> None:
    """Without a key held; a click beside all points lets go."""
    page = opened(driver, words)
    page.get_by_role("button", name="Box select").click()
    drag(page, [(0.98, 0.02), (0.01, 0.98)])
    expect(page.get_by_test_id("selection")).to_have_attribute("data-count", "600")
    settle(page)
    box = points(page).bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] - 3, box["y"] + 3)
    expect(page.get_by_test_id("selection")).to_have_count(0)


def test_a_category_of_the_legend_selects_its_points(driver: PageDriver, words: BoardProcess) -> None:
    """Pressed again it lets them go."""
    page = opened(driver, words)
    horse = page.locator("[data-testid=legend-item][data-label=horse]")
    horse.click()
    expect(horse).to_have_attribute("aria-pressed", "true")
    assert selected(page) == int((WORDS.clusters == NAMES.index("horse")).sum())
    horse.click()
    expect(page.get_by_test_id("selection")).to_have_count(0)


def test_points_are_found_by_text_and_by_pattern(driver: PageDriver, words: BoardProcess) -> None:
    """In the column that is chosen; a wrong pattern says what is wrong."""
    page = opened(driver, words)
    find = page.get_by_role("searchbox", name="Find points")
    find.fill("point 59")
    expect(page.get_by_role("status").filter(has_text="11 found")).to_be_visible()
    assert selected(page) == 11
    page.get_by_label("Column to search").select_option("label")
    page.get_by_role("button", name="Regular expression").click()
    find.fill("^(cat|dog)$")
    expect(page.get_by_test_id("selection")).to_have_attribute("data-count", str(int((WORDS.clusters < 2).sum())))
    find.fill("(")
    expect(page.get_by_role("alert")).to_contain_text("regular expression")
    driver.console_errors.clear()  # the browser names every answer that is an error


def test_groups_made_by_hand_are_colours(driver: PageDriver, words: BoardProcess) -> None:
    """What is selected becomes a group with a colour, the rest is one too."""
    page = opened(driver, words)
    page.locator("[data-testid=legend-item][data-label=ship]").click()
    page.get_by_role("button", name="Color selection").click()
    ships = int((WORDS.clusters == NAMES.index("ship")).sum())
    expect(page.locator('[data-testid=legend-item][data-label="Group 1"]')).to_be_visible()
    settle(page)
    assert legend(page) == [("Group 1", ships), ("other", 600 - ships)]


def test_points_of_three_dimensions_are_turned(driver: PageDriver, words: BoardProcess) -> None:
    """By a drag and by keys; in two dimensions these move the picture."""
    page = opened(driver, words)
    before = camera(page)
    drag(page, [(0.5, 0.5), (0.6, 0.5)])
    expect(points(page)).not_to_have_attribute("data-camera", ",".join(map(str, before)))
    settle(page)
    assert camera(page)[3:] == [0, 0]
    page.get_by_role("radio", name="3D").first.check()
    expect(points(page)).not_to_have_attribute("data-camera", ",".join(map(str, before)))
    page.wait_for_function("document.querySelector('[data-testid=points]').dataset.camera.split(',')[3] !== '0'")
    settle(page)
    yaw = camera(page)[3]
    points(page).focus()
    press(page, "ArrowLeft")
    page.wait_for_function(
        "yaw => Number(document.querySelector('[data-testid=points]').dataset.camera.split(',')[3]) !== yaw", arg=yaw
    )


def test_the_wheel_and_keys_come_closer(driver: PageDriver, words: BoardProcess) -> None:
    """Home shows all again."""
    page = opened(driver, words)
    span = camera(page)[2]
    points(page).hover()
    page.mouse.wheel(0, -300)
    closer = "span => Number(document.querySelector('[data-testid=points]').dataset.camera.split(',')[2]) < span"
    page.wait_for_function(closer, arg=span)
    settle(page)
    between = camera(page)[2]
    points(page).focus()
    press(page, "+")
    page.wait_for_function(closer, arg=between)
    press(page, "Home")
    page.wait_for_function(closer.replace("< span", "=== span"), arg=span)


def test_the_view_is_in_the_address(driver: PageDriver, words: BoardProcess) -> None:
    """Tensor, dimensions, colour and names are as they were for whoever opens the link; Back takes a choice back."""
    page = opened(driver, words)
    page.get_by_label("Color", exact=True).first.select_option("norm")
    page.get_by_role("radio", name="3D").first.check()
    expect(page.get_by_test_id("projector")).to_have_attribute("data-color", "norm")
    settle(page)
    address = page.url.split("?", 1)[1].removeprefix("test=1")
    again = opened(driver, words, address.split("#")[0])
    expect(again.get_by_test_id("projector")).to_have_attribute("data-color", "norm")
    expect(again.get_by_role("radio", name="3D").first).to_be_checked()
    go_back(page)
    expect(page.get_by_role("radio", name="2D").first).to_be_checked()


def test_a_tensor_without_metadata(driver: PageDriver, words: BoardProcess) -> None:
    """One colour, no legend; points are called by their numbers."""
    page = opened(driver, words)
    page.get_by_label("Tensor").select_option(label="bare")
    expect(points(page)).to_have_attribute("data-count", "40")
    expect(page.get_by_test_id("legend")).to_have_count(0)
    page.get_by_role("button", name="Box select").click()
    drag(page, [(0.98, 0.02), (0.01, 0.98)])
    page.get_by_text("Selected points").click()
    expect(page.get_by_test_id("selection").get_by_role("button", name="#0", exact=True)).to_be_visible()


def test_a_slow_layout_is_followed_and_cancelled(driver: PageDriver, words: BoardProcess) -> None:
    """While it is made the page answers; cancelled it stops, run again it ends, at other places than before."""
    page = opened(driver, words)
    before = camera(page)
    page.get_by_role("radio", name="t-SNE").first.check()
    progress = page.get_by_test_id("layout-progress")
    expect(progress).to_be_visible()
    page.locator("[data-testid=legend-item][data-label=cat]").click()
    assert selected(page) > 0
    progress.get_by_role("button", name="Cancel").click()
    expect(page.get_by_test_id("foot")).to_have_attribute("data-state", "cancelled")
    page.get_by_role("button", name="Run again").click()
    expect(page.get_by_test_id("foot")).to_have_attribute("data-state", "done", timeout=LAYOUT_MS)
    expect(progress).to_have_count(0)
    settle(page)
    assert camera(page) != before


def test_own_axes_lie_between_labels(driver: PageDriver, words: BoardProcess) -> None:
    """The points whose names match stand at the ends; until something is said, the page says what to say."""
    page = opened(driver, words)
    page.get_by_role("radio", name="Custom").first.check()
    expect(page.get_by_text("for the labels left, right, up and down").first).to_be_visible()
    page.get_by_role("button", name="Method and appearance").click()
    page.get_by_label("Label by").select_option("label")
    page.get_by_role("textbox", name="Left").fill("/^cat$/")
    page.get_by_role("textbox", name="Right").fill("dog")
    page.get_by_role("textbox", name="Right").press("Enter")
    expect(page).to_have_url(re.compile("right=dog"))
    expect(page.get_by_test_id("foot")).to_have_attribute("data-state", "done")


def test_bookmarks_are_saved_gone_to_and_taken_away(
    driver: PageDriver, words: BoardProcess, tmp_path: pathlib.Path
) -> None:
    """With what is selected and the camera; also from a file of TensorBoard."""
    page = opened(driver, words)
    page.locator("[data-testid=legend-item][data-label=cat]").click()
    cats = selected(page)
    page.get_by_role("button", name="Bookmarks").click()
    page.get_by_role("textbox", name="Bookmark name").fill("кошки")
    page.get_by_role("button", name="Save", exact=True).click()
    with page.expect_download() as taken:
        page.get_by_role("button", name="Save to file").click()
    taken.value.save_as(tmp_path / "bookmarks.json")
    assert json.loads((tmp_path / "bookmarks.json").read_text())["bookmarks"][0]["name"] == "кошки"
    theirs = [
        {"label": "theirs", "selectedProjection": "pca", "pcaComponentDimensions": [0, 1, 2], "selectedPoints": [3]}
    ]
    (tmp_path / "theirs.txt").write_text(json.dumps(theirs))
    page.locator("input[type=file]").set_input_files(tmp_path / "theirs.txt")
    page.get_by_role("button", name="theirs", exact=True).click()
    expect(page.get_by_test_id("selection")).to_have_attribute("data-count", "1")
    expect(page.get_by_role("radio", name="3D").first).to_be_checked()
    page.get_by_role("button", name="кошки", exact=True).click()
    expect(page.get_by_test_id("selection")).to_have_attribute("data-count", str(cats))
    expect(page.get_by_role("radio", name="2D").first).to_be_checked()


def test_selected_points_are_taken_away_with_their_vectors(
    driver: PageDriver, words: BoardProcess, tmp_path: pathlib.Path
) -> None:
    """Row, columns and numbers as they are in the files."""
    page = opened(driver, words)
    page.locator("[data-testid=legend-item][data-label=cat]").click()
    expect(page.get_by_test_id("selection")).to_be_visible()
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as taken:
        page.get_by_role("menuitem", name="Selected points with vectors").click()
    taken.value.save_as(tmp_path / "rows.csv")
    with (tmp_path / "rows.csv").open(newline="") as file:
        head, *rows = csv.reader(file)
    assert head[:4] == ["row", "label", "name", "norm"]
    wanted = np.flatnonzero(WORDS.clusters == 0)
    assert [row[:3] for row in rows] == [[str(row), "cat", f"point {row}"] for row in wanted]
    assert np.array_equal(np.array([row[4:] for row in rows], np.float32), WORDS.vectors[wanted])


def test_the_picture_is_taken_away(driver: PageDriver, words: BoardProcess, tmp_path: pathlib.Path) -> None:
    """As SVG with title, legend and every point; as PNG."""
    page = opened(driver, words)
    taken = []
    for name in ("SVG", "PNG"):
        page.get_by_role("button", name="Export").click()
        with page.expect_download() as download:
            page.get_by_role("menuitem", name=name).click()
        taken.append(tmp_path / download.value.suggested_filename)
        download.value.save_as(taken[-1])
    svg = ET.fromstring(taken[0].read_text())
    texts = [each.text for each in svg.iter("{http://www.w3.org/2000/svg}text")]
    counts = Counter(NAMES[number] for number in WORDS.clusters.tolist())
    assert texts == ["words · PCA", "label", *(f"{name} {counts[name]}" for name in sorted(NAMES))]
    assert len(list(svg.iter("{http://www.w3.org/2000/svg}path"))) == 600 + 10
    assert taken[1].read_bytes().startswith(b"\x89PNG")


def test_what_the_pointer_is_on_is_told(driver: PageDriver, words: BoardProcess) -> None:
    """Its name, its picture, its colour's value; gone when the pointer leaves."""
    page = opened(driver, words)
    select_one(page, "^point 7$")
    page.get_by_role("button", name="Isolate").click()
    expect(points(page)).to_have_attribute("data-in-sight", "1")
    page.get_by_role("searchbox", name="Find points").fill("")
    settle(page)
    tip = page.get_by_test_id("tip")
    page.mouse.move(*find_color(page, NAMES[WORDS.clusters[7]]))
    expect(tip).to_contain_text("point 7")
    expect(tip.locator("canvas")).to_be_visible()
    page.mouse.move(5, 5)
    expect(tip).to_have_count(0)


def find_color(page: Page, label: str) -> tuple[float, float]:
    """Where in the window the points have the colour of a label."""
    color = page.locator(f"[data-testid=legend-item][data-label={label}]").get_attribute("data-color") or ""
    box = points(page).bounding_box()
    assert box is not None
    with Image.open(io.BytesIO(points(page).screenshot())) as picture:
        pixels = np.asarray(picture.convert("RGB"), np.int16)
    down, across = np.nonzero(np.abs(pixels - list(bytes.fromhex(color[1:]))).max(axis=2) <= NEAR)
    return box["x"] + float(np.median(across)), box["y"] + float(np.median(down))


def test_fingers_move_and_zoom(driver: PageDriver, words: BoardProcess) -> None:
    """One moves the picture, two come closer."""
    page = opened(driver, words, width=390, height=844, has_touch=True, is_mobile=True, reused=False)
    box = points(page).bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    session = page.context.new_cdp_session(page)

    def touch(kind: str, *places: tuple[float, float]) -> None:
        told = [{"x": left, "y": top, "id": number} for number, (left, top) in enumerate(places)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": told})

    before = camera(page)
    touch("touchStart", (x, y))
    touch("touchMove", (x + 40, y))
    touch("touchMove", (x + 80, y))
    touch("touchEnd")
    moved = "at => Number(document.querySelector('[data-testid=points]').dataset.camera.split(',')[at[0]]) < at[1]"
    page.wait_for_function(moved, arg=[0, before[0]])
    touch("touchStart", (x - 20, y), (x + 20, y))
    touch("touchMove", (x - 80, y), (x + 80, y))
    touch("touchEnd")
    page.wait_for_function(moved, arg=[2, before[2]])


def test_odd_names_are_shown_as_they_are(driver: PageDriver, start_board: object, tmp_path: pathlib.Path) -> None:
    """Tensors, columns and labels: no markup, nothing lost, nothing breaks the address."""
    embedding_logs.odd(tmp_path / "logs")
    board: BoardProcess = start_board(tmp_path / "logs")  # type: ignore[operator]
    page = opened(driver, board)
    labels = [label for label, _ in legend(page) if label]
    assert sorted(labels) == sorted(["<b>bold</b>", "مرحبا", "猫 🐱", "a" * 200, "x;y,z=1&w"])
    expect(page.get_by_test_id("legend")).to_contain_text("класс <i>")
    page.get_by_role("radio", name="3D").first.check()
    settle(page)
    reload(page)
    expect(page.locator("[data-testid=projector][data-state=ready]")).to_be_visible()
    assert find_layout_faults(page, [1440]) == {}


def test_a_tensor_that_cannot_be_read_says_why(driver: PageDriver, start_board: object, tmp_path: pathlib.Path) -> None:
    """And the rest of the page stands."""
    run = tmp_path / "logs" / "run"
    run.mkdir(parents=True)
    config = 'embeddings { tensor_name: "out" tensor_path: "../../secret.tsv" }\n'
    (run / "projector_config.pbtxt").write_text(config)
    (tmp_path / "secret.tsv").write_text("1\t2\n")
    board: BoardProcess = start_board(tmp_path / "logs")  # type: ignore[operator]
    page = driver.open(board, "#projector")
    expect(page.locator("[data-testid=projector][data-state=error]").get_by_role("alert")).to_contain_text("secret.tsv")


def test_axe_finds_nothing(driver: PageDriver, words: BoardProcess) -> None:
    """Points, legend, selection, neighbours, in both themes, wide and on a phone."""
    page = opened(driver, words)
    look_at(page, "^point 7$")
    expect(page.get_by_test_id("neighbor").first).to_be_visible()
    assert find_violations_in_both_themes(page, [1440, 390]) == {}
    page.get_by_role("button", name="Method and appearance").click()
    assert find_violations_in_both_themes(page, [1440, 390]) == {}


def test_nothing_is_cut_overlapping_or_in_another_language(driver: PageDriver, words: BoardProcess) -> None:
    """With a category selected, at four widths."""
    page = opened(driver, words, f"&lang={LANGUAGES[0]}")
    page.locator("[data-testid=legend-item][data-label=cat]").click()
    expect(page.get_by_test_id("label-count").first).to_be_visible()

    assert find_page_faults(page, WIDTHS) == {}
