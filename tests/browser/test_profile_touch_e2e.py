"""Profile, time line: what fingers do to it."""

import re

from playwright.sync_api import CDPSession, Page, expect

from support.board_process import BoardProcess
from support.page_driver import PageDriver
from support.profile_pages import open_profile, shown_range
from support.settled_pages import settle

Place = tuple[float, float]


class Fingers:
    """Fingers on the time line, at places in it."""

    def __init__(self, page: Page, session: CDPSession) -> None:
        self.session = session
        box = page.get_by_test_id("time-line").bounding_box()
        assert box is not None
        self.left, self.top, self.width = box["x"], box["y"], box["width"]

    def move(self, *paths: tuple[Place, Place], steps: int = 8) -> None:
        """Each from one place to another, at once."""
        self._send("touchStart", [begin for begin, _ in paths])
        for at in range(1, steps + 1):
            part = at / steps
            self._send(
                "touchMove",
                [(x + (to_x - x) * part, y + (to_y - y) * part) for (x, y), (to_x, to_y) in paths],
            )
        self._send("touchEnd", [])

    def _send(self, kind: str, places: list[Place]) -> None:
        points = [{"x": self.left + x, "y": self.top + y, "id": at} for at, (x, y) in enumerate(places)]
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def open_on_a_phone(driver: PageDriver, board: BoardProcess) -> tuple[Page, Fingers]:
    """A millisecond of the time line, on a screen that is touched."""
    fields = "capture=torch_ranks;view=timeline;window=1000,2000"
    page = open_profile(driver, board, fields, width=390, height=844, has_touch=True, reused=False)
    expect(page.locator("[data-testid=time-line][data-state=ready]")).to_be_visible()
    settle(page)
    return page, Fingers(page, page.context.new_cdp_session(page))


def test_a_finger_moves_the_time_line(driver: PageDriver, profiles: BoardProcess) -> None:
    page, fingers = open_on_a_phone(driver, profiles)
    half = fingers.width / 2
    fingers.move(((half, 200), (half / 2, 200)))

    assert shown_range(page) == "1.25 ms – 2.25 ms"


def test_two_fingers_zoom_and_what_is_between_them_stays(driver: PageDriver, profiles: BoardProcess) -> None:
    page, fingers = open_on_a_phone(driver, profiles)
    part = fingers.width / 8
    fingers.move(((3 * part, 200), (2 * part, 200)), ((5 * part, 200), (6 * part, 200)))

    assert shown_range(page) == "1.25 ms – 1.75 ms"


def test_a_finger_draws_a_range_after_the_button(driver: PageDriver, profiles: BoardProcess) -> None:
    page, fingers = open_on_a_phone(driver, profiles)
    page.get_by_role("button", name="Select a range by dragging").tap()
    settle(page)
    fingers.move(((fingers.width / 4, 60), (fingers.width / 2, 200)))

    expect(page.get_by_test_id("time-selection").get_by_role("status")).to_contain_text("1.25 ms – 1.50 ms")
    settle(page)
    assert shown_range(page) == "1.00 ms – 2.00 ms"
    assert re.search(r"range=1250,1500,\d+:\d+", page.url)
