"""scripts/pictures.py takes only pictures that show their subject."""

import importlib.util
import pathlib

import pytest
from playwright.sync_api import Browser

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROW = '<p class="row" style="margin: 0; height: 20px">a row</p>'
BLANK = '<p class="row" style="margin: 0; height: 20px"></p>'


def load_script():
    spec = importlib.util.spec_from_file_location("readme_pictures", ROOT / "scripts" / "pictures.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


pictures = load_script()
ROWS = (pictures.Subject(".row", 3),)


@pytest.mark.parametrize(
    ("body", "seen"),
    [
        pytest.param("", 0, id="empty"),
        pytest.param(ROW * 2, 2, id="too few"),
        pytest.param(ROW * 2 + BLANK, 2, id="a blank one"),
        pytest.param(ROW * 2 + '<div style="height: 600px"></div>' + ROW, 2, id="one below the edge"),
    ],
)
def test_a_picture_without_its_subject_is_refused(
    browser: Browser, tmp_path: pathlib.Path, body: str, seen: int
) -> None:
    """The old picture is kept."""
    file = tmp_path / "list.png"
    file.write_bytes(b"the picture before")
    page = browser.new_page(viewport={"width": 400, "height": 300})
    page.set_content(body)

    with pytest.raises(ValueError, match=rf"list\.png shows {seen} of 3 \.row"):
        pictures.write_screenshot(page, file, ROWS)

    page.close()
    assert [path.name for path in tmp_path.iterdir()] == ["list.png"]
    assert file.read_bytes() == b"the picture before"


def test_a_picture_with_its_subject_is_written(browser: Browser, tmp_path: pathlib.Path) -> None:
    """As a PNG of the size of the window."""
    page = browser.new_page(viewport={"width": 400, "height": 300})
    page.set_content(ROW * 3)

    pictures.write_screenshot(page, tmp_path / "list.png", ROWS)

    page.close()
    with pictures.Image.open(tmp_path / "list.png") as picture:
        assert (picture.format, picture.size) == ("PNG", (400, 300))


def test_job_analysis_pictures(browser: Browser, tmp_path: pathlib.Path) -> None:
    """Over a real hub, in both themes."""
    pictures.take_hub(browser, tmp_path)

    assert sorted(path.name for path in tmp_path.iterdir()) == ["job-analysis-dark.png", "job-analysis-light.png"]


def test_time_series_pictures(browser: Browser, tmp_path: pathlib.Path) -> None:
    """Over the demo, in both themes."""
    pictures.take_board(browser, tmp_path, live_steps=10)

    assert sorted(path.name for path in tmp_path.iterdir()) == ["time-series-dark.png", "time-series-light.png"]


def test_time_line_pictures(browser: Browser, tmp_path: pathlib.Path) -> None:
    """Over captures of the tests, in both themes."""
    pictures.take_time_line(browser, tmp_path)

    assert sorted(path.name for path in tmp_path.iterdir()) == ["time-line-dark.png", "time-line-light.png"]


def test_pictures_with_truncated_names_are_refused(browser: Browser) -> None:
    """Whoever reads the README cannot point at it."""
    page = browser.new_page(viewport={"width": 400, "height": 300})
    name = '<p style="width: 60px; overflow: hidden; white-space: nowrap">{}</p>'
    page.set_content(name.format("run") + name.format("a run with a long name"))

    with pytest.raises(ValueError, match="names are truncated: a run with a long name"):
        pictures.reject_truncated_names(page, "p")

    page.close()
