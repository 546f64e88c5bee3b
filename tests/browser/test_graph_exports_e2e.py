"""Pictures of graphs and whole graphs as files."""

import pathlib

from playwright.sync_api import expect

from support.board_process import BoardProcess
from support.graph_pages import COMPARED, opened
from support.page_driver import PageDriver


def test_the_picture_is_exported(driver: PageDriver, graphs: BoardProcess, tmp_path: pathlib.Path) -> None:
    """With its names as text."""
    page = opened(driver, graphs)
    with page.expect_download() as taken:
        page.get_by_role("button", name="Export").click()
        page.get_by_role("menuitem", name="SVG").click()
    taken.value.save_as(tmp_path / "graph.svg")
    text = (tmp_path / "graph.svg").read_text()
    assert all(f">{name}</text>" in text for name in ("tokens", "embedding", "encoder", "head", "loss"))


def test_an_exported_picture_has_its_legend(
    driver: PageDriver, graph_versions: BoardProcess, tmp_path: pathlib.Path
) -> None:
    """Signs of differences, and widths of lines, below the picture and inside of the page."""
    page = opened(driver, graph_versions, COMPARED)
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
    driver: PageDriver, graph_versions: BoardProcess, tmp_path: pathlib.Path
) -> None:
    """In both themes, with full names, the legend, and a wheel that zooms."""
    page = opened(driver, graph_versions, f"{COMPARED};open=encoder")
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


def test_the_whole_graph_is_saved_for_other_programs(driver: PageDriver, graphs: BoardProcess) -> None:
    page = opened(driver, graphs)
    saved = {}
    for item in ("DOT", "Model Explorer"):
        with page.expect_download() as taken:
            page.get_by_role("button", name="Export").click()
            page.get_by_role("menuitem", name=item).click()
        text = pathlib.Path(taken.value.path()).read_text()
        saved[taken.value.suggested_filename] = text[: text.index("{") + 1], "norm_2" in text

    name = "transformer-__run_graph__"
    assert saved == {f"{name}.dot": ("digraph {", True), f"{name}.json": ("{", True)}
