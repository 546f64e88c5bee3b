"""Exports from the menu of a card, and reading exported SVG."""

import pathlib
import xml.etree.ElementTree as ET

from playwright.sync_api import Locator, Page

from support.settled_pages import settle

SVG = "{http://www.w3.org/2000/svg}"


def open_export_menu(page: Page, of: Locator) -> None:
    """Open the export submenu of a card."""
    of.hover()
    of.get_by_role("button", name="More").click()
    page.get_by_role("menuitem", name="Export").click()
    settle(page)


def download_from_menu(page: Page, of: Locator, item: str, folder: pathlib.Path) -> pathlib.Path:
    """Choose an item that downloads a file; the path of the file."""
    open_export_menu(page, of)
    with page.expect_download() as download:
        page.get_by_role("menuitem", name=item).press("Enter")
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def svg_texts(svg: str) -> list[str]:
    """Texts of a well-formed SVG, in order."""
    return [element.text or "" for element in ET.fromstring(svg).iter(f"{SVG}text")]
