"""How a person takes a card away, and how to read the picture they get."""

import pathlib
import xml.etree.ElementTree as ET

from playwright.sync_api import Locator, Page

SVG = "{http://www.w3.org/2000/svg}"


def open_menu(page: Page, of: Locator) -> None:
    """Open the menu of a card where it says what can be taken away."""
    of.hover()
    of.get_by_role("button", name="More").click()
    page.get_by_role("menuitem", name="Take away").click()


def take(page: Page, of: Locator, item: str, folder: pathlib.Path) -> pathlib.Path:
    """Choose an item that makes a file; where the file lies then."""
    open_menu(page, of)
    with page.expect_download() as download:
        page.get_by_role("menuitem", name=item).press("Enter")
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def texts(svg: str) -> list[str]:
    """What an SVG says, in order; it must be well-formed."""
    return [element.text or "" for element in ET.fromstring(svg).iter(f"{SVG}text")]
