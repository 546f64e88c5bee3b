"""The page of images, and images among the charts: every step, true pixels, comparisons, and images that lie."""

import io
import pathlib
import re
from collections.abc import Iterator
from typing import Any

import gallery
import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect
from served import Board
from test_access import violations
from test_languages_seen import english
from test_layout_seen import FAULTS
from visitor import Visitor

from conftest import serve

GENERATED = "samples/generated"
ONLY = f"&tagFilter={GENERATED}"
SWATCHES = """(parts) => parts.map((part) => [part.dataset.run,
    getComputedStyle(part.querySelector('[class*=swatch]')).backgroundColor])"""


@pytest.fixture(scope="module")
def images(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    """Three runs of images at their own steps."""
    yield from serve(tmp_path_factory.mktemp("gallery") / "runs", gallery.gallery)


@pytest.fixture(scope="module")
def liars(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    """One run of images that are not what they seem."""
    yield from serve(tmp_path_factory.mktemp("lies") / "runs", gallery.lies)


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    """One run with an odd name, and a tag with another."""
    yield from serve(tmp_path_factory.mktemp("odd") / "runs", gallery.odd)


@pytest.fixture(scope="module")
def longest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    """One image of a tag of 64 KiB."""
    yield from serve(tmp_path_factory.mktemp("longest") / "runs", gallery.long_named)


@pytest.fixture(scope="module")
def twins(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    """Two runs with long names."""
    yield from serve(tmp_path_factory.mktemp("twins") / "runs", gallery.twins)


def card(page: Page, tag: str = GENERATED) -> Locator:
    """The card of a tag, scrolled to."""
    found = page.locator(f'[data-testid=card][data-tag="{tag}"]')
    found.scroll_into_view_if_needed()
    expect(found).to_have_attribute("data-state", "ready")
    return found


def image(page: Page, run: str, tag: str = GENERATED, sample: int = 0) -> Locator:
    """One image of a run."""
    return card(page, tag).locator(f'[data-testid=image][data-run="{run}"][data-sample="{sample}"]')


def pixels_of(locator: Locator) -> Any:
    """What is seen, as RGB."""
    return Image.open(io.BytesIO(locator.screenshot())).convert("RGB")


# Steps


def test_one_slider_moves_the_images_of_all_runs(visitor: Visitor, images: Board) -> None:
    """Check 31: to any stored step; a run without it shows its nearest and says so."""
    page = visitor.open(images, f"{ONLY}#images")
    expect(image(page, "baseline")).to_have_attribute("data-step", "8000")
    page.get_by_role("slider", name="Step").press("Home")
    for run in gallery.RUNS:
        expect(image(page, run)).to_have_attribute("data-step", "0")
    for _ in range(2):
        page.get_by_role("slider", name="Step").press("ArrowRight")
    expect(image(page, "baseline")).to_have_attribute("data-step", "1000")
    expect(image(page, "seed0")).to_have_attribute("data-step", "950")
    expect(card(page).locator('section[data-run="seed0"]')).to_contain_text("≈\u2009950")
    expect(page).to_have_url(re.compile(r"pin=1000,"))


def test_the_step_is_that_of_the_charts(visitor: Visitor, images: Board) -> None:
    """Check 9: a pinned step is the step of the images; a step of the images is pinned on the charts."""
    page = visitor.open(images, f"&pin=3000,baseline{ONLY}#images")
    expect(image(page, "lr_1e-3")).to_have_attribute("data-step", "3000")
    page.get_by_role("slider", name="Step").press("End")
    page.get_by_test_id("tab-timeseries").click()
    expect(page).to_have_url(re.compile(r"pin=8000,"))


def test_a_run_has_its_colour(visitor: Visitor, images: Board) -> None:
    """Check 5: that of the run table."""
    page = visitor.open(images, f"{ONLY}#images")
    expect(image(page, "seed0")).to_be_visible()
    rows = dict(page.locator("[data-testid=run-row]").evaluate_all(SWATCHES))
    assert dict(card(page).locator("section[data-run]").evaluate_all(SWATCHES)) == rows


def test_all_steps_of_a_run_stand_in_a_film(visitor: Visitor, images: Board) -> None:
    """In their order; a click goes to a step on all pages."""
    page = visitor.open(images, f"&images=film&imageSize=small{ONLY}#images")
    frames = card(page).locator('section[data-run="baseline"] [data-testid=image]')
    expect(frames.first).to_have_attribute("data-step", "0")
    frames.nth(2).click()
    expect(page).to_have_url(re.compile(r"pin=2000,"))
    expect(card(page).locator('[aria-current="step"]')).to_have_count(3)


# Pixels


def test_pixels_are_squares_of_one_size(visitor: Visitor, images: Board) -> None:
    """Chart rule 8: above two times in whole multiples, unblurred; what is seen is what was written."""
    page = visitor.open(images, "&pin=4000,&tagFilter=digits#images")
    drawn = image(page, "baseline", "samples/digits").locator("img")
    expect(drawn).to_have_css("image-rendering", "pixelated")
    width, height = drawn.evaluate("(each) => [each.width, each.height]")
    assert [width % 28, height, width >= 2 * 28] == [0, width, True]
    large = visitor.open(images, "&pin=4000,&tagFilter=digits&imageSize=large#images")
    shown = image(large, "baseline", "samples/digits", 1).locator("img")
    expect(shown).to_have_js_property("complete", True)
    scale = shown.evaluate("(each) => each.width / each.naturalWidth")
    seen, stored = pixels_of(shown), gallery.digit(4, 0, 1)
    spots = [(14, 14), (12, 12), (5, 11), (2, 2)]
    middle = [(int((x + 0.5) * scale), int((y + 0.5) * scale)) for x, y in spots]
    assert [seen.getpixel(at)[0] for at in middle] == [int(stored[y, x]) for x, y in spots]


def test_true_size_is_a_pixel_for_a_pixel(visitor: Visitor, images: Board) -> None:
    """Large and small; the choice is in the address."""
    page = visitor.open(images, "&tagFilter=figure#images")
    page.get_by_role("button", name="True size").click()
    shown = image(page, "baseline", "figure").locator("img")
    assert shown.evaluate("(each) => [each.width, each.height]") == [900, 600]
    expect(page).to_have_url(re.compile("trueSize=true"))


def test_brightness_and_contrast_are_for_all_images_and_in_the_address(visitor: Visitor, images: Board) -> None:
    """And can be taken back."""
    page = visitor.open(images, f"{ONLY}#images")
    page.get_by_role("button", name="Brightness and contrast").click()
    page.get_by_role("slider", name="Brightness").fill("1.5")
    shown = image(page, "baseline").locator("img")
    expect(shown).to_have_css("filter", "brightness(1.5)")
    expect(page).to_have_url(re.compile("brightness=1.5"))
    page.get_by_role("button", name="As they are").click()
    expect(shown).to_have_css("filter", "none")


def test_a_batch_is_a_sheet_and_many_images_come_in_parts(visitor: Visitor, images: Board, liars: Board) -> None:
    """Each image of a step can be reached."""
    page = visitor.open(images, "&tagFilter=digits#images")
    expect(card(page, "samples/digits").locator('[data-testid=image][data-run="seed0"]')).to_have_count(4)
    many = visitor.open(liars, "&tagFilter=many#images")
    expect(card(many, "lies/many").get_by_test_id("image")).to_have_count(12)
    for _ in range(3):
        many.get_by_role("button", name="Next images").click()
    expect(card(many, "lies/many")).to_contain_text("Images 37–40 of 40")
    expect(card(many, "lies/many").get_by_test_id("image")).to_have_count(4)


# Comparisons


def test_an_edge_is_dragged_between_two_runs(visitor: Visitor, images: Board) -> None:
    """Check 31: the left one at its left, the right one at its right."""
    page = visitor.open(images, f"&images=compare&sides=baseline,last,lr_1e-3,last{ONLY}#images")
    stage = page.get_by_test_id("stage")
    box = stage.bounding_box()
    assert box
    at = (int(box["width"] * 0.4), int(box["height"] * 0.3))
    edge = page.get_by_role("slider", name="Place of the edge")
    stored = [gallery.drawn(96, 8, number) for number in (0, 1)]
    colours = [tuple(int(c) for c in pixels[int(0.3 * 96), int(0.4 * 96)]) for pixels in stored]
    found = []
    for key in ("End", "Home"):
        edge.press(key)
        page.mouse.move(0, 0)
        found.append(pixels_of(stage).getpixel(at))
    assert found == colours
    stage.drag_to(stage, source_position={"x": 10, "y": 10}, target_position={"x": box["width"] * 0.75, "y": 10})
    expect(edge).to_have_attribute("aria-valuenow", re.compile("7[45]"))


def test_the_difference_of_equal_images_is_black(visitor: Visitor, images: Board) -> None:
    """And that of others is not; figures say how far they are apart."""
    page = visitor.open(images, f"&images=compare&blend=difference&sides=baseline,last,baseline,last{ONLY}#images")
    expect(page.get_by_test_id("distance")).to_have_text("Every pixel is the same")
    page.mouse.move(0, 0)
    inside = pixels_of(page.get_by_test_id("stage")).crop((8, 8, 300, 300))
    assert inside.getextrema() == ((0, 0), (0, 0), (0, 0))
    page.get_by_role("combobox", name="Right: Step").select_option("first")
    expect(page.get_by_test_id("distance")).to_contain_text("of the pixels differ")


def test_two_images_blink(visitor: Visitor, images: Board) -> None:
    """A press shows the other one where nothing moves by itself."""
    page = visitor.open(images, f"&images=compare&blend=blink{ONLY}#images")
    stage = page.get_by_test_id("stage")
    expect(stage.locator("[data-layer=right]")).to_be_hidden()
    page.get_by_role("button", name="Blink").click()
    expect(stage.locator("[data-layer=right]")).to_be_visible()


def test_the_loupe_tells_the_very_pixel(visitor: Visitor, images: Board) -> None:
    """Place and colour, in both images, whatever the brightness; by keys too."""
    page = visitor.open(images, f"&images=compare&brightness=2&blend=side&sides=baseline,last,seed0,last{ONLY}#images")
    expect(page.get_by_test_id("distance")).to_be_visible()
    left = page.locator("[data-layer=left] img")
    box = left.bounding_box()
    assert box
    left.hover(position={"x": (30 + 0.5) * box["width"] / 96, "y": (60 + 0.5) * box["height"] / 96})
    loupe = page.get_by_test_id("loupe")
    for number in (0, 2):
        red, green, blue = (int(channel) for channel in gallery.drawn(96, 8, number)[60, 30])
        expect(loupe).to_contain_text(f"rgb {red} {green} {blue}")
    page.get_by_test_id("stage").focus()
    page.keyboard.press("ArrowRight")
    expect(loupe).to_contain_text("x 31 · y 60")


# Closer, and away


def test_full_screen_goes_through_steps_and_runs_by_arrows(visitor: Visitor, images: Board) -> None:
    """The step is that of all pages; Escape leads back."""
    page = visitor.open(images, f"&pin=2000,{ONLY}#images")
    image(page, "baseline").get_by_role("button", name="Full screen").click()
    full = page.get_by_test_id("full-image")
    expect(full).to_have_attribute("aria-label", f"{GENERATED}, baseline, step 2\u2009000")
    page.keyboard.press("ArrowRight")
    expect(full).to_have_attribute("aria-label", f"{GENERATED}, baseline, step 3\u2009000")
    page.keyboard.press("ArrowDown")
    expect(full).to_have_attribute("aria-label", f"{GENERATED}, lr_1e-3, step 3\u2009000")
    page.keyboard.press("Escape")
    expect(full).to_have_count(0)
    expect(image(page, "seed0")).to_have_attribute("data-step", "2850")


def test_full_screen_opens_by_its_key(visitor: Visitor, images: Board) -> None:
    """`f`, on the card of the focus."""
    page = visitor.open(images, f"{ONLY}#images")
    image(page, "baseline").get_by_role("link").focus()
    page.keyboard.press("f")
    expect(page.get_by_test_id("full-image")).to_be_visible()


def test_the_very_bytes_are_taken_away(visitor: Visitor, images: Board, tmp_path: pathlib.Path) -> None:
    """Check 39: the file is the image as it was written, under a name that tells what it is."""
    page = visitor.open(images, f"&pin=1000,{ONLY}#images")
    with page.expect_download() as taken:
        image(page, "baseline").get_by_role("link").click()
    assert taken.value.suggested_filename == "baseline-samples_generated-1000-0.png"
    taken.value.save_as(tmp_path / "image.png")
    assert (tmp_path / "image.png").read_bytes() == gallery.encoded(gallery.drawn(96, 1, 0))


def test_odd_names_are_whole(visitor: Visitor, odd: Board, tmp_path: pathlib.Path) -> None:
    """Check 30: in the title, on the image, in what is taken away; steps may be negative or large."""
    page = visitor.open(odd, "#images")
    shown = image(page, gallery.ODD_RUN, gallery.ODD_TAG)
    expect(card(page, gallery.ODD_TAG).locator("h3")).to_have_text(gallery.ODD_TAG)
    expect(shown.locator("img")).to_have_js_property("naturalWidth", 16)
    page.get_by_role("slider", name="Step").press("Home")
    expect(shown).to_have_attribute("data-step", "-5")
    with page.expect_download() as taken:
        shown.get_by_role("link").click()
    taken.value.save_as(tmp_path / "image.png")
    assert (tmp_path / "image.png").read_bytes() == gallery.encoded(gallery.drawn(16, 0, 0))


def test_an_image_of_the_longest_tag_is_seen_and_saved(
    visitor: Visitor, longest: Board, tmp_path: pathlib.Path
) -> None:
    """An address has no room for its name."""
    page = visitor.open(longest, "#images")
    shown = page.locator("[data-testid=image]")
    expect(shown.locator("img")).to_have_js_property("naturalWidth", 16)
    with page.expect_download() as taken:
        shown.get_by_role("link").click()
    taken.value.save_as(tmp_path / "image.png")
    assert (tmp_path / "image.png").read_bytes() == gallery.encoded(gallery.drawn(16, 0, 0))


# Lies


def test_an_image_of_ten_milliard_pixels_is_not_decoded(visitor: Visitor, liars: Board) -> None:
    """The claim is told; nothing is fetched until somebody asks for it."""
    page = visitor.open(liars, "&tagFilter=huge#images")
    expect(card(page, "lies/huge")).to_contain_text("Claims 100\u2009000 × 100\u2009000 pixels")
    assert [url for url in visitor.requests if "images/data" in url] == []
    with page.expect_request(re.compile("images/data")):
        card(page, "lies/huge").get_by_role("button", name="Show anyway").click()


def test_what_is_no_image_is_told_and_can_be_saved(visitor: Visitor, liars: Board, tmp_path: pathlib.Path) -> None:
    """SVG is not shown, opened or run; an empty batch says so; a torn image says so."""
    page = visitor.open(liars, "#images")
    expect(card(page, "lies/svg")).to_contain_text("Not an image that is shown")
    assert card(page, "lies/svg").locator("img").count() == 0
    with page.expect_download() as taken:
        card(page, "lies/svg").get_by_role("link").click()
    taken.value.save_as(tmp_path / "value.bin")
    assert (tmp_path / "value.bin").read_bytes() == gallery.SVG
    expect(card(page, "lies/empty")).to_contain_text("No image here")
    expect(card(page, "lies/cut")).to_contain_text("Broken off")
    assert page.evaluate("window.hacked") is None


# Among the charts


def test_images_stand_among_the_charts_by_choice(visitor: Visitor, images: Board) -> None:
    """All kinds at first, one if chosen; the choice is in the address."""
    page = visitor.open(images)
    expect(page.locator("[data-testid=card]")).to_have_count(6)
    expect(page.locator("[data-kind=images]").first).to_be_visible()
    kinds = page.get_by_role("combobox", name="Kinds of cards")
    kinds.select_option("scalars")
    expect(page.locator("[data-testid=card]")).to_have_count(1)
    kinds.select_option("images")
    expect(page.locator("[data-testid=card]")).to_have_count(5)
    expect(page).to_have_url(re.compile("kinds=images"))


def test_images_take_no_chart_from_its_place(visitor: Visitor, images: Board) -> None:
    """They come when the charts are drawn and read: sections of their own stand behind those of charts."""
    page = visitor.open(images)
    expect(page.locator("[data-testid=card]")).to_have_count(6)

    names = page.locator("main h2").evaluate_all("heads => heads.map((head) => head.querySelector('bdi').textContent)")
    assert names == ["train", "Ungrouped", "samples"]


def test_a_kind_that_the_logs_lack_leaves_a_way_back(visitor: Visitor, images: Board) -> None:
    """It is said, and one press shows all kinds again."""
    page = visitor.open(images, "&kinds=histograms", ready=False)
    expect(page.get_by_role("heading", name="These logs hold none of the chosen kinds")).to_be_visible()
    page.get_by_role("button", name="All kinds").click()
    expect(page.locator("[data-testid=card]")).to_have_count(6)


def test_a_card_of_images_is_as_high_as_a_chart(visitor: Visitor, images: Board) -> None:
    """With every run at the shared step, and a slider."""
    page = visitor.open(images, "&pin=4000,")
    expect(card(page).locator("[data-testid=image]")).to_have_count(3)
    expect(image(page, "seed0")).to_have_attribute("data-step", "3800")
    heights = page.locator("[data-testid=card]").evaluate_all("(all) => all.map((each) => each.offsetHeight)")
    assert len(set(heights)) == 1
    card(page).get_by_role("slider", name="Step").press("Home")
    expect(page).to_have_url(re.compile(r"pin=0,"))


# For everyone

ADDRESSES = ["#images", "&images=film#images", "&images=compare#images", "&images=compare&blend=side#images"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 390])
@pytest.mark.parametrize("address", [*ADDRESSES, "&kinds=images"])
def test_axe_finds_nothing(visitor: Visitor, images: Board, address: str, width: int, scheme: str) -> None:
    """Check 27."""
    page = visitor.open(images, address, width=width, scheme=scheme, ready=False)
    expect(page.locator("[data-testid=card] img").first).to_be_visible(timeout=20_000)
    assert violations(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_full_screen(visitor: Visitor, images: Board, scheme: str) -> None:
    """The same of one image over the window."""
    page = visitor.open(images, f"{ONLY}#images", scheme=scheme)
    image(page, "baseline").get_by_role("button", name="Full screen").click()
    expect(page.get_by_test_id("full-image").locator("img")).to_be_visible()
    assert violations(page) == []


@pytest.mark.parametrize("language", ["en", "zh", "ru"])
@pytest.mark.parametrize("width", [1440, 1280, 1024, 390])
@pytest.mark.parametrize("address", [*ADDRESSES, "&kinds=images"])
def test_nothing_is_cut_or_overlapping(
    visitor: Visitor, images: Board, address: str, width: int, language: str
) -> None:
    """Checks 4 and 29. A film is a row that scrolls."""
    page = visitor.open(images, f"&lang={language}{address}", width=width, ready=False)
    expect(page.locator("[data-testid=card] img").first).to_be_visible(timeout=20_000)
    assert [fault for fault in page.evaluate(FAULTS) if "div film" not in fault] == []


@pytest.mark.parametrize("language", ["ru", "zh"])
@pytest.mark.parametrize("address", [*ADDRESSES, "&kinds=images"])
def test_no_english_is_left(visitor: Visitor, images: Board, address: str, language: str) -> None:
    """Check 29, data aside."""
    page = visitor.open(images, f"&lang={language}{address}", ready=False)
    expect(page.locator("[data-testid=card] img").first).to_be_visible(timeout=20_000)
    assert english(page) == []


def test_a_long_name_is_seen_whole(visitor: Visitor, twins: Board) -> None:
    """Under a narrow image too, in several lines."""
    page = visitor.open(twins, "#images", ready=False)

    for run in gallery.TWINS:
        name = card(page, "digits").locator("bdi").filter(has_text=run)
        assert name.evaluate("(name) => name.closest('[title]').scrollWidth <= name.closest('[title]').clientWidth")
        assert name.inner_text() == run
