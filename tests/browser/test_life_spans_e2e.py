"""Extending the life span of a TensorBoard or job on its page."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from support.hub_page_driver import HubPageDriver, HubUser, tab_to
from support.page_faults import find_page_faults
from support.settled_pages import press, type_text

KINDS = ("tensorboard", "job")


def create(person: HubUser, kind: str, life_span_secs: float = 86_400.0) -> str:
    """Create one that runs, and return its path in the API."""
    if kind == "tensorboard":
        return f"tensorboards/{person.create_board('train', life_span_secs=life_span_secs)['id']}"
    return f"jobs/{person.create_job('sleep 600', 'Running', name='train', life_span_secs=life_span_secs)['id']}"


def open_dialog(page: Page) -> Locator:
    """Open the dialog by keys alone."""
    tab_to(page, "[data-testid=extend]")
    press(page, "Enter")
    dialog = page.get_by_role("dialog", name="Extend “train”")
    expect(dialog.get_by_label("Extend by")).to_be_focused()
    return dialog


def send(page: Page, length: str) -> None:
    """Type another length, and send the dialog."""
    press(page, "ControlOrMeta+a")
    type_text(page, length)
    press(page, "Enter")


@pytest.mark.parametrize("kind", KINDS)
def test_a_life_span_is_extended_by_keys(hub_driver: HubPageDriver, kind: str) -> None:
    """By the length that is typed. The page then shows the new life span, and the button has the keyboard again."""
    person = hub_driver.create_user()
    path = create(person, kind)
    page = person.open_page(f"/{path}#overview")
    dialog = open_dialog(page)

    send(page, "1d12h")

    expect(dialog).to_have_count(0)
    expect(page.get_by_role("main")).to_contain_text(re.compile(r"2 d 12 h, ends \w+ \d+, \d+:\d+ \(in 2 d 1\d h\)"))
    expect(page.get_by_test_id("toast")).to_contain_text(re.compile(r"“train” now ends \w+ \d+, \d+:\d+"))
    expect(page.get_by_test_id("extend")).to_be_focused()
    assert person.request_json("GET", path)["life_span_secs"] == 216_000


def test_no_length_extends_nothing(hub_driver: HubPageDriver) -> None:
    """The dialog says what is expected, and Enter does not send it."""
    person = hub_driver.create_user()
    path = create(person, "job")
    page = person.open_page(f"/{path}#overview")
    dialog = open_dialog(page)

    send(page, "soon")

    expect(dialog.get_by_role("alert")).to_have_text("Enter a duration such as 90s, 2h30m or 1d")
    press(page, "Escape")
    expect(dialog).to_have_count(0)
    assert person.request_json("GET", path)["life_span_secs"] == 86_400


def test_refusals_are_shown_in_the_dialog(hub_driver: HubPageDriver) -> None:
    """With what the hub says; the text stays."""
    person = hub_driver.create_user()
    hub_driver.hub.json("PATCH", f"/api/v1/accounts/{person.name}", {"permissions": {"run_without_end": False}})
    page = person.open_page(f"/{create(person, 'tensorboard')}")
    dialog = open_dialog(page)

    send(page, "40d")

    expect(dialog.get_by_role("alert")).to_contain_text("more than 30 days")
    expect(dialog.get_by_label("Extend by")).to_have_value("40d")


@pytest.mark.parametrize("kind", KINDS)
def test_only_what_ends_can_be_extended(hub_driver: HubPageDriver, kind: str) -> None:
    """Without a life span there is no button."""
    person = hub_driver.create_user()
    page = person.open_page(f"/{create(person, kind, 0.0)}#overview")

    expect(page.get_by_role("main")).to_contain_text("No limit")
    expect(page.get_by_test_id("extend")).to_have_count(0)


@pytest.mark.parametrize("kind", KINDS)
def test_the_dialog_fits_every_screen(hub_driver: HubPageDriver, kind: str) -> None:
    """In each language, at each width and in both themes."""
    person = hub_driver.create_user()
    page = person.open_page(f"/{create(person, kind)}#overview")

    def with_dialog(page: Page) -> list[str]:
        page.get_by_test_id("extend").click()
        expect(page.get_by_role("dialog")).to_be_visible()
        wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
        press(page, "Escape")
        return ["wider than the screen"] if wide else []

    assert find_page_faults(page, [390, 1024], accessible=[390], find_more=with_dialog) == {}
