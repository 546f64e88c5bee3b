"""Images: every step, exact pixels, comparisons, hostile images."""

import io
import pathlib
import re
from collections.abc import Iterator
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from support import image_logs
from support.accessibility import find_violations_in_both_themes
from support.board_process import BoardProcess, serve_logs
from support.page_driver import PageDriver
from support.page_faults import LANGUAGES, find_page_faults
from support.settled_pages import press, settle

GENERATED = "samples/generated"
ONLY = f"&tagFilter={GENERATED}"
SWATCHES = """(parts) => parts.map((part) => [part.dataset.run,
    getComputedStyle(part.querySelector('[class*=swatch]')).backgroundColor])"""


@pytest.fixture(scope="module")
def images(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardProcess]:
    """Three runs of images at their own steps."""
    yield from serve_logs(tmp_path_factory.mktemp("gallery") / "runs", image_logs.gallery)


@pytest.fixture(scope="module")
def liars(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardProcess]:
    """One run of images that are not what they seem."""
    yield from serve_logs(tmp_path_factory.mktemp("lies") / "runs", image_logs.lies)


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardProcess]:
    """One run with an odd name, and a tag with another."""
    yield from serve_logs(tmp_path_factory.mktemp("odd") / "runs", image_logs.odd)


@pytest.fixture(scope="module")
def longest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardProcess]:
    """One image of a tag of 64 KiB."""
    yield from serve_logs(tmp_path_factory.mktemp("longest") / "runs", image_logs.long_named)


@pytest.fixture(scope="module")
def twins(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardProcess]:
    """Two runs with long names."""
    yield from serve_logs(tmp_path_factory.mktemp("twins") / "runs", image_logs.twins)


def card(page: Page, tag: str = GENERATED) -> Locator:
    """The card of a tag, scrolled to."""
    found = page.locator(f'[data-testid=card][data-tag="{tag}"]')
    found.scroll_into_view_if_needed()
    settle(page)
    expect(found).to_have_attribute("data-state", "ready")
    return found


def image(page: Page, run: str, tag: str = GENERATED, sample: int = 0) -> Locator:
    """One image of a run."""
    return card(page, tag).locator(f'[data-testid=image][data-run="{run}"][data-sample="{sample}"]')


def pixels_of(locator: Locator) -> Any:
    """What is seen, as RGB."""
    return Image.open(io.BytesIO(locator.screenshot())).convert("RGB")


# Steps


def test_one_slider_moves_the_images_of_all_runs(driver: PageDriver, images: BoardProcess) -> None:
    """Check 31: to any stored step; a run without it shows its nearest and says so."""
    page = driver.open(images, f"{ONLY}#images")
    expect(image(page, "baseline")).to_have_attribute("data-step", "8000")
    page.get_by_role("slider", name="Step").focus()
    press(page, "Home")
    for run in image_logs.RUNS:
        expect(image(page, run)).to_have_attribute("data-step", "0")
    press(page, "ArrowRight", "ArrowRight")
    expect(image(page, "baseline")).to_have_attribute("data-step", "1000")
    expect(image(page, "seed0")).to_have_attribute("data-step", "950")
    expect(card(page).locator('section[data-run="seed0"]')).to_contain_text("≈\u2009950")
    expect(page).to_have_url(re.compile(r"pin=1000,"))


def test_the_step_is_that_of_the_charts(driver: PageDriver, images: BoardProcess) -> None:
    """Check 9: a pinned step is the step of the images; a step of the images is pinned on the charts."""
    page = driver.open(images, f"&pin=3000,baseline{ONLY}#images")
    expect(image(page, "lr_1e-3")).to_have_attribute("data-step", "3000")
    page.get_by_role("slider", name="Step").focus()
    press(page, "End")
    page.get_by_test_id("tab-timeseries").click()
    expect(page).to_have_url(re.compile(r"pin=8000,"))


def test_a_run_has_its_colour(driver: PageDriver, images: BoardProcess) -> None:
    """Check 5: that of the run table."""
    page = driver.open(images, f"{ONLY}#images")
    expect(image(page, "seed0")).to_be_visible()
    rows = dict(page.locator("[data-testid=run-row]").evaluate_all(SWATCHES))
    assert dict(card(page).locator("section[data-run]").evaluate_all(SWATCHES)) == rows


def test_all_steps_of_a_run_stand_in_a_film(driver: PageDriver, images: BoardProcess) -> None:
    """In their order; a click goes to a step on all pages."""
    page = driver.open(images, f"&images=film&imageSize=small{ONLY}#images")
    frames = card(page).locator('section[data-run="baseline"] [data-testid=image]')
    expect(frames.first).to_have_attribute("data-step", "0")
    frames.nth(2).click()
    expect(page).to_have_url(re.compile(r"pin=2000,"))
    expect(card(page).locator('[aria-current="step"]')).to_have_count(3)


# Pixels


def test_pixels_are_squares_of_one_size(driver: PageDriver, images: BoardProcess) -> None:
    """Chart rule 8: above two times in whole multiples, unblurred; what is seen is what was written."""
    page = driver.open(images, "&pin=4000,&tagFilter=digits#images")
    drawn = image(page, "baseline", "samples/digits").locator("img")
    expect(drawn).to_have_css("image-rendering", "pixelated")
    width, height = drawn.evaluate("(each) => [each.width, each.height]")
    assert [width % 28, height, width >= 2 * 28] == [0, width, True]
    large = driver.open(images, "&pin=4000,&tagFilter=digits&imageSize=large#images")
    shown = image(large, "baseline", "samples/digits", 1).locator("img")
    scale = shown.evaluate("(each) => each.width / each.naturalWidth")
    seen, stored = pixels_of(shown), image_logs.digit(4, 0, 1)
    spots = [(14, 14), (12, 12), (5, 11), (2, 2)]
    middle = [(int((x + 0.5) * scale), int((y + 0.5) * scale)) for x, y in spots]
    assert [seen.getpixel(at)[0] for at in middle] == [int(stored[y, x]) for x, y in spots]


def test_true_size_is_a_pixel_for_a_pixel(driver: PageDriver, images: BoardProcess) -> None:
    """Large and small; the choice is in the address."""
    page = driver.open(images, "&tagFilter=figure#images")
    page.get_by_role("button", name="Actual size").click()
    shown = image(page, "baseline", "figure").locator("img")
    expect(page).to_have_url(re.compile("trueSize=true"))
    settle(page)
    assert shown.evaluate("(each) => [each.width, each.height]") == [900, 600]


def test_brightness_and_contrast_are_for_all_images_and_in_the_address(
    driver: PageDriver, images: BoardProcess
) -> None:
    """And can be taken back."""
    page = driver.open(images, f"{ONLY}#images")
    page.get_by_role("button", name="Brightness and contrast").click()
    page.get_by_role("slider", name="Brightness").fill("1.5")
    shown = image(page, "baseline").locator("img")
    expect(shown).to_have_css("filter", "brightness(1.5)")
    expect(page).to_have_url(re.compile("brightness=1.5"))
    page.get_by_role("button", name="Reset").click()
    expect(shown).to_have_css("filter", "none")


def test_a_batch_is_a_sheet_and_many_images_come_in_parts(
    driver: PageDriver, images: BoardProcess, liars: BoardProcess
) -> None:
    """Each image of a step can be reached."""
    page = driver.open(images, "&tagFilter=digits#images")
    expect(card(page, "samples/digits").locator('[data-testid=image][data-run="seed0"]')).to_have_count(4)
    many = driver.open(liars, "&tagFilter=many#images")
    expect(card(many, "lies/many").get_by_test_id("image")).to_have_count(12)
    for _ in range(3):
        many.get_by_role("button", name="Next images").click()
    expect(card(many, "lies/many")).to_contain_text("Images 37–40 of 40")
    expect(card(many, "lies/many").get_by_test_id("image")).to_have_count(4)


# Comparisons


def test_an_edge_is_dragged_between_two_runs(driver: PageDriver, images: BoardProcess) -> None:
    """Check 31: the left one at its left, the right one at its right."""
    page = driver.open(images, f"&images=compare&sides=baseline,last,lr_1e-3,last{ONLY}#images")
    stage = page.get_by_test_id("stage")
    box = stage.bounding_box()
    assert box
    at = (int(box["width"] * 0.4), int(box["height"] * 0.3))
    edge = page.get_by_role("slider", name="Divider position")
    stored = [image_logs.drawn(96, 8, number) for number in (0, 1)]
    colours = [tuple(int(c) for c in pixels[int(0.3 * 96), int(0.4 * 96)]) for pixels in stored]
    found = []
    for key in ("End", "Home"):
        edge.focus()
        press(page, key)
        page.mouse.move(0, 0)
        settle(page)
        found.append(pixels_of(stage).getpixel(at))
    assert found == colours
    stage.drag_to(stage, source_position={"x": 10, "y": 10}, target_position={"x": box["width"] * 0.75, "y": 10})
    expect(edge).to_have_attribute("aria-valuenow", re.compile("7[45]"))


def test_the_difference_of_equal_images_is_black(driver: PageDriver, images: BoardProcess) -> None:
    """And that of others is not; figures say how far they are apart."""
    page = driver.open(images, f"&images=compare&blend=difference&sides=baseline,last,baseline,last{ONLY}#images")
    expect(page.get_by_test_id("distance")).to_have_text("All pixels are identical")
    page.mouse.move(0, 0)
    settle(page)
    inside = pixels_of(page.get_by_test_id("stage")).crop((8, 8, 300, 300))
    assert inside.getextrema() == ((0, 0), (0, 0), (0, 0))
    page.get_by_role("combobox", name="Right: Step").select_option("first")
    expect(page.get_by_test_id("distance")).to_contain_text("of pixels differ")


def test_two_images_blink(driver: PageDriver, images: BoardProcess) -> None:
    """A press shows the other one where nothing moves by itself."""
    page = driver.open(images, f"&images=compare&blend=blink{ONLY}#images")
    stage = page.get_by_test_id("stage")
    expect(stage.locator("[data-layer=right]")).to_be_hidden()
    page.get_by_role("button", name="Blink").click()
    expect(stage.locator("[data-layer=right]")).to_be_visible()


def test_the_loupe_tells_the_very_pixel(driver: PageDriver, images: BoardProcess) -> None:
    """Place and colour, in both images, whatever the brightness; by keys too."""
    page = driver.open(images, f"&images=compare&brightness=2&blend=side&sides=baseline,last,seed0,last{ONLY}#images")
    expect(page.get_by_test_id("distance")).to_be_visible()
    left = page.locator("[data-layer=left] img")
    box = left.bounding_box()
    assert box
    left.hover(position={"x": (30 + 0.5) * box["width"] / 96, "y": (60 + 0.5) * box["height"] / 96})
    loupe = page.get_by_test_id("loupe")
    for number in (0, 2):
        red, green, blue = (int(channel) for channel in image_logs.drawn(96, 8, number)[60, 30])
        expect(loupe).to_contain_text(f"rgb {red} {green} {blue}")
    page.get_by_test_id("stage").focus()
    press(page, "ArrowRight")
    expect(loupe).to_contain_text("x 31 · y 60")


# Closer, and away


def test_full_screen_goes_through_steps_and_runs_by_arrows(driver: PageDriver, images: BoardProcess) -> None:
    """The step is that of all pages; Escape leads back."""
    page = driver.open(images, f"&pin=2000,{ONLY}#images")
    image(page, "baseline").get_by_role("button", name="Full screen").click()
    full = page.get_by_test_id("full-image")
    expect(full).to_have_attribute("aria-label", f"{GENERATED}, baseline, step 2\u2009000")
    press(page, "ArrowRight")
    expect(full).to_have_attribute("aria-label", f"{GENERATED}, baseline, step 3\u2009000")
    press(page, "ArrowDown")
    expect(full).to_have_attribute("aria-label", f"{GENERATED}, lr_1e-3, step 3\u2009000")
    press(page, "Escape")
    expect(full).to_have_count(0)
    expect(image(page, "seed0")).to_have_attribute("data-step", "2850")


def test_full_screen_opens_by_its_key(driver: PageDriver, images: BoardProcess) -> None:
    """`f`, on the card of the focus."""
    page = driver.open(images, f"{ONLY}#images")
    image(page, "baseline").get_by_role("link").focus()
    press(page, "f")
    expect(page.get_by_test_id("full-image")).to_be_visible()


def test_the_very_bytes_are_taken_away(driver: PageDriver, images: BoardProcess, tmp_path: pathlib.Path) -> None:
    """Check 39: the file is the image as it was written, under a name that tells what it is."""
    page = driver.open(images, f"&pin=1000,{ONLY}#images")
    with page.expect_download() as taken:
        image(page, "baseline").get_by_role("link").click()
    assert taken.value.suggested_filename == "baseline-samples_generated-1000-0.png"
    taken.value.save_as(tmp_path / "image.png")
    assert (tmp_path / "image.png").read_bytes() == image_logs.encoded(image_logs.drawn(96, 1, 0))


def test_odd_names_are_whole(driver: PageDriver, odd: BoardProcess, tmp_path: pathlib.Path) -> None:
    """Check 30: in the title, on the image, in what is taken away; steps may be negative or large."""
    page = driver.open(odd, "#images")
    shown = image(page, image_logs.ODD_RUN, image_logs.ODD_TAG)
    expect(card(page, image_logs.ODD_TAG).locator("h3")).to_have_text(image_logs.ODD_TAG)
    expect(shown.locator("img")).to_have_js_property("naturalWidth", 16)
    page.get_by_role("slider", name="Step").focus()
    press(page, "Home")
    expect(shown).to_have_attribute("data-step", "-5")
    with page.expect_download() as taken:
        shown.get_by_role("link").click()
    taken.value.save_as(tmp_path / "image.png")
    assert (tmp_path / "image.png").read_bytes() == image_logs.encoded(image_logs.drawn(16, 0, 0))


def test_an_image_of_the_longest_tag_is_seen_and_saved(
    driver: PageDriver, longest: BoardProcess, tmp_path: pathlib.Path
) -> None:
    """An address has no room for its name."""
    page = driver.open(longest, "#images")
    shown = page.locator("[data-testid=image]")
    expect(shown.locator("img")).to_have_js_property("naturalWidth", 16)
    with page.expect_download() as taken:
        shown.get_by_role("link").click()
    taken.value.save_as(tmp_path / "image.png")
    assert (tmp_path / "image.png").read_bytes() == image_logs.encoded(image_logs.drawn(16, 0, 0))


# Lies


def test_an_image_of_ten_milliard_pixels_is_not_decoded(driver: PageDriver, liars: BoardProcess) -> None:
    """The claim is told; nothing is fetched until somebody asks for it."""
    page = driver.open(liars, "&tagFilter=huge#images")
    expect(card(page, "lies/huge")).to_contain_text("Reported size 100\u2009000 × 100\u2009000 pixels")
    assert [url for url in driver.requests if "images/data" in url] == []
    with page.expect_request(re.compile("images/data")):
        card(page, "lies/huge").get_by_role("button", name="Show anyway").click()


def test_what_is_no_image_is_told_and_can_be_saved(
    driver: PageDriver, liars: BoardProcess, tmp_path: pathlib.Path
) -> None:
    """SVG is not shown, opened or run; an empty batch says so; a torn image says so."""
    page = driver.open(liars, "#images")
    expect(card(page, "lies/svg")).to_contain_text("Unsupported image format")
    assert card(page, "lies/svg").locator("img").count() == 0
    with page.expect_download() as taken:
        card(page, "lies/svg").get_by_role("link").click()
    taken.value.save_as(tmp_path / "value.bin")
    assert (tmp_path / "value.bin").read_bytes() == image_logs.SVG
    expect(card(page, "lies/empty")).to_contain_text("No image here")
    expect(card(page, "lies/cut")).to_contain_text("Incomplete")
    assert page.evaluate("window.hacked") is None


# Among the charts


def test_images_stand_among_the_charts_by_choice(driver: PageDriver, images: BoardProcess) -> None:
    """All kinds at first, one if chosen; the choice is in the address."""
    page = driver.open(images)
    expect(page.locator("[data-testid=card]")).to_have_count(6)
    expect(page.locator("[data-kind=images]").first).to_be_visible()
    kinds = page.get_by_role("combobox", name="Card kinds")
    kinds.select_option("scalars")
    expect(page.locator("[data-testid=card]")).to_have_count(1)
    kinds.select_option("images")
    expect(page.locator("[data-testid=card]")).to_have_count(5)
    expect(page).to_have_url(re.compile("kinds=images"))


def test_images_take_no_chart_from_its_place(driver: PageDriver, images: BoardProcess) -> None:
    """They come when the charts are drawn and read: sections of their own stand behind those of charts."""
    page = driver.open(images)
    expect(page.locator("[data-testid=card]")).to_have_count(6)

    names = page.locator("main h2").evaluate_all("heads => heads.map((head) => head.querySelector('bdi').textContent)")
    assert names == ["train", "Ungrouped", "samples"]


def test_a_kind_that_the_logs_lack_leaves_a_way_back(driver: PageDriver, images: BoardProcess) -> None:
    """It is said, and one press shows all kinds again."""
    page = driver.open(images, "&kinds=histograms")
    expect(page.get_by_role("heading", name="These logs have no data of the selected kinds")).to_be_visible()
    page.get_by_role("button", name="All kinds").click()
    expect(page.locator("[data-testid=card]")).to_have_count(6)


def test_a_card_of_images_is_as_high_as_a_chart(driver: PageDriver, images: BoardProcess) -> None:
    """With every run at the shared step, and a slider."""
    page = driver.open(images, "&pin=4000,")
    expect(card(page).locator("[data-testid=image]")).to_have_count(3)
    expect(image(page, "seed0")).to_have_attribute("data-step", "3800")
    heights = page.locator("[data-testid=card]").evaluate_all("(all) => all.map((each) => each.offsetHeight)")
    assert len(set(heights)) == 1
    card(page).get_by_role("slider", name="Step").focus()
    press(page, "Home")
    expect(page).to_have_url(re.compile(r"pin=0,"))


# For everyone

ADDRESSES = ["#images", "&images=film#images", "&images=compare#images", "&images=compare&blend=side#images"]


@pytest.mark.parametrize("address", [*ADDRESSES, "&kinds=images"])
def test_pages_are_intact_translated_and_accessible(driver: PageDriver, images: BoardProcess, address: str) -> None:
    """Checks 4, 27 and 29, data aside, at any width; in English in both themes. A film is a row that scrolls."""
    page = driver.open(images, f"&lang={LANGUAGES[0]}{address}")
    expect(page.locator("[data-testid=card] img").first).to_be_visible()

    assert find_page_faults(page, [1440, 1280, 1024, 390], accessible=[1440, 390], allowed="div film") == {}


def test_axe_finds_nothing_in_full_screen(driver: PageDriver, images: BoardProcess) -> None:
    """The same of one image over the window."""
    page = driver.open(images, f"{ONLY}#images")
    image(page, "baseline").get_by_role("button", name="Full screen").click()
    expect(page.get_by_test_id("full-image").locator("img")).to_be_visible()
    assert find_violations_in_both_themes(page) == {}


def test_a_long_name_is_seen_whole(driver: PageDriver, twins: BoardProcess) -> None:
    """Under a narrow image too, in several lines."""
    page = driver.open(twins, "#images")

    for run in image_logs.TWINS:
        name = card(page, "digits").locator("bdi").filter(has_text=run)
        assert name.evaluate("(name) => name.closest('[title]').scrollWidth <= name.closest('[title]').clientWidth")
        assert name.inner_text() == run
