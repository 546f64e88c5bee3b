"""Profile: every picture names a table with the same figures, which keyboard and screen reader reach."""

import pytest
from playwright.sync_api import Locator, Page, expect

from support.board_process import BoardProcess
from support.page_driver import PageDriver
from support.profile_pages import open_profile
from support.settled_pages import press, settle

PICTURES = "[data-testid=profile] :is(canvas, [role=img], figure)"

BODY_ROWS = "tbody tr, [role=row]:has([role=cell], [role=gridcell], [role=rowheader])"

NAMED = f"""() => [...document.querySelectorAll({PICTURES!r})].map(
    (picture) => picture.closest("[aria-details]") ?? picture.querySelector("[aria-details]")
).map((named) => named?.getAttribute("aria-details") ?? null)"""
"""The ids of what each picture names: itself, or what it is in or around."""


def tables_of(page: Page) -> list[Locator]:
    """What the pictures of the page name, each once. All of them name something."""
    named = page.evaluate(NAMED)
    assert named
    assert None not in named
    return [page.locator(f"[id='{each}']") for each in dict.fromkeys(named)]


def open_by_keys(page: Page, tables: Locator) -> None:
    """What is shut opens by Enter."""
    for summary in tables.locator("summary").or_(tables.locator("xpath=self::details/summary")).all():
        summary.focus()
        press(page, "Enter")
    settle(page)


@pytest.mark.parametrize("view", ["overview", "timeline", "operators;form=down", "operators;form=up", "memory"])
def test_every_picture_names_a_table_that_has_rows(driver: PageDriver, profiles: BoardProcess, view: str) -> None:
    page = open_profile(driver, profiles, f"capture=torch;view={view}")

    for tables in tables_of(page):
        open_by_keys(page, tables)
        expect(tables).to_be_visible()
        kinds = tables.locator("table").or_(tables.locator("xpath=self::*[@role='treegrid']"))
        assert kinds.count() > 0
        for table in kinds.all():
            assert table.locator(BODY_ROWS).count() > 0


def test_the_tables_of_a_time_line_have_its_slices_counters_and_events(
    driver: PageDriver, profiles: BoardProcess
) -> None:
    """In the window that is shown, with all of their names and times."""
    page = open_profile(driver, profiles, "capture=torch;view=timeline;window=1300,1420")
    open_by_keys(page, page.get_by_role("region", name="Tables of the time line"))

    assert rows(page, "Table of counters in view") == [
        ["1.37 ms", "512 B", "512 B", "512 B", "python · allocated memory CPU"]
    ]
    assert rows(page, "Table of events in view") == [["1.37 ms", "1", "[memory]", "python · thread 28888 (python)"]]
    assert rows(page, "Table of slices in view")[0] == [
        *("0 s", "9.87 ms", "write_profiles.py(184): <module>", "Python", "python · thread 28888 (python)")
    ]


def rows(page: Page, table: str) -> list[list[str]]:
    """The cells of the rows of a table."""
    found = page.get_by_role("table", name=table, exact=True).get_by_role("row").all_inner_texts()
    return [row.split("\t") for row in found[1:]]


def test_the_table_of_a_curve_has_all_of_its_points(driver: PageDriver, profiles: BoardProcess) -> None:
    page = open_profile(driver, profiles, "capture=torch;view=memory")
    query = "profiles/memory?capture=torch&width=1500"
    curve = page.evaluate(f"async () => (await (await fetch('api/v1/{query}')).json()).devices[0].curve.time_us")
    page.get_by_text("Table of the curve").click()

    assert len(rows(page, "Table of the curve")) == len(curve) > 100
