"""The console for everyone: on every page, in every language, at every width, by keys alone (checks 4, 27, 29)."""

import pathlib
from dataclasses import dataclass
from typing import Any

import pytest
from hub_visitor import HubVisitor, Person, has_status, ready, row
from layout import FAULTS
from playwright.sync_api import Browser, Page, expect
from test_access import violations
from test_languages_seen import english

from running_hub import RunningHub

LONG = "nowhere/teams/computer-vision/segmentation/2026/november/unet-plus-plus/seed-0042"
WIDTHS = [1440, 1024, 390]
LANGUAGES = ["en", "zh", "ru"]
PAGES = {
    "list": "/",
    "new": "/",
    "new, browsing": "/",
    "detail": "/tensorboards/{running}",
    "timeline": "/tensorboards/{running}#timeline",
    "sources": "/tensorboards/{running}#sources",
    "logs": "/tensorboards/{running}#logs",
    "share": "/tensorboards/{running}#share",
    "datasets": "/datasets",
    "new dataset": "/datasets",
    "projects": "/projects",
    "project": "/projects/{project}",
    "tokens": "/tokens",
    "new token": "/tokens",
    "accounts": "/accounts",
    "new account": "/accounts",
    "audit": "/audit",
    "settings": "/settings",
    "missing": "/tensorboards/nobody",
    "asleep": "/tb/{stopped}/",
    "failed": "/tb/{failed}/",
    "login": "/login?error=oidc",
}
TOTALS = """() => {
    const parts = performance.getEntriesByType('resource').filter((each) => !each.name.includes('/watch'));
    const code = parts.filter((each) => /\\.(js|css)($|\\?)/.test(each.name));
    return { requests: parts.length + 1, code: code.reduce((sum, each) => sum + each.encodedBodySize, 0) };
}"""


@dataclass(frozen=True)
class Scene:
    """Somebody who may see everything, and has something of everything."""

    person: Person
    cookies: Any
    places: dict[str, str]

    def running(self) -> str:
        """A board that runs, made anew: none outlives a test."""
        return str(self.person.board("unet-baseline", tags=["vision", "nightly"])["id"])


@pytest.fixture(scope="module")
def scene(browser: Browser, hub: RunningHub, hub_logs: pathlib.Path) -> Scene:
    """Boards that rest and failed, a dataset, a project with two members, a token."""
    visitor = HubVisitor(browser, hub, hub_logs)
    person, other = visitor.person("owner", administrator=True), visitor.person("")
    stopped = person.stopped("lm-old")
    failed = person.failed("seg-3d", sources=[{"uri": f"{hub_logs}/{LONG}"}])
    person.ask("POST", "datasets", {"name": f"logs-{person.name}", "kind": "path", "uri": str(hub_logs)})
    project = person.ask("POST", "projects", {"display_name": "Segmentation of medical images"})
    person.ask("PUT", f"projects/{project['id']}/members", {"account": other.name, "role": "viewer"})
    places = {"stopped": stopped["id"], "failed": failed["id"], "project": project["id"]}
    return Scene(person, person.cookies(), places)


def look(guest: HubVisitor, scene: Scene, name: str, **how: Any) -> Page:
    """A page of PAGES, with the dialog over it that its name says."""
    cookies = () if name == "login" else scene.cookies
    running = scene.running() if name == "list" or "{running}" in PAGES[name] else ""
    page = guest.look(PAGES[name].format(**scene.places, running=running), cookies=cookies, **how)
    if name.startswith("new"):
        page.get_by_test_id("new").click()
        expect(page.get_by_role("dialog")).to_be_visible()
    if name == "new, browsing":
        page.get_by_test_id("source").get_by_role("radio").last.check()
        page.get_by_test_id("browse").click()
        expect(page.get_by_test_id("folder").first).to_be_visible()
    return page


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PAGES)
def test_nothing_is_cut_or_overlapping_or_left_in_english(
    guest: HubVisitor, scene: Scene, name: str, language: str
) -> None:
    """Wide, on a tablet and on a phone; what is data stays as it is."""
    page = look(guest, scene, name, language=language)
    faults = {}
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        faults[width] = page.evaluate(FAULTS)

    assert faults == {width: [] for width in WIDTHS}
    assert language == "en" or left_in_english(page) == []


def left_in_english(page: Page) -> list[str]:
    """As `english`; what the hub said is marked as such, and Chinese consoles call notebooks by their English name."""
    said = page.locator("[lang=en][title]").evaluate_all("(parts) => parts.map((part) => part.title)")
    return [text for text in english(page) if text not in {*said, "Notebook 实例"}]


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing(guest: HubVisitor, scene: Scene, name: str) -> None:
    """In both themes, wide and on a phone."""
    page = look(guest, scene, name)
    found = {}
    for width in (1440, 390):
        page.set_viewport_size({"width": width, "height": 900})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            expect(page.locator("html")).to_have_attribute("data-theme", scheme)
            found[width, scheme] = violations(page)

    assert {key: broken for key, broken in found.items() if broken} == {}


def test_the_first_account_is_made_on_a_page_for_everyone(
    browser: Browser, hub_logs: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    """The same of the page behind the link of the first start."""
    with RunningHub(tmp_path / "home", bootstrap=False) as fresh:
        guest = HubVisitor(browser, fresh, hub_logs)
        for language in LANGUAGES:
            page = guest.look(f"/setup#{fresh.setup_link.partition('#')[2]}", language=language)
            expect(page.locator("input[type=password]").first).to_be_visible()
            for width in WIDTHS:
                page.set_viewport_size({"width": width, "height": 900})
                assert page.evaluate(FAULTS) == []
            assert language == "en" or left_in_english(page) == []
        assert violations(page) == []
        for each in guest.pages:
            each.context.close()


def test_a_board_is_made_and_acted_upon_by_keys_alone(guest: HubVisitor) -> None:
    """Tab to New, a form sent by Enter, a menu by arrows; Esc closes what is open and leaves the focus where it was."""
    page = guest.person().look()
    tab_to(page, "[data-testid=new]")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_test_id("new")).to_be_focused()

    page.keyboard.press("Enter")
    tab_to(page, "[type=radio]")
    page.keyboard.press("ArrowLeft")
    tab_to(page, "[data-testid=source-path]")
    page.keyboard.type(str(guest.logs))
    expect(page.get_by_test_id("look")).to_contain_text("Found 6 runs")
    page.keyboard.press("Enter")
    has_status(row(page, "runs"), "Running")

    tab_to(page, "[data-testid=row-menu]")
    page.keyboard.press("Enter")
    expect(page.get_by_role("menu")).to_be_visible()
    page.keyboard.press("Escape")
    expect(row(page, "runs").get_by_test_id("row-menu")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("menuitem", name="Stop", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    has_status(row(page, "runs"), "Stopped")


def tab_to(page: Page, selector: str) -> None:
    """Presses Tab until the focus is there."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"Tab does not lead to {selector}")


def test_little_leads_to_the_list(guest: HubVisitor, scene: Scene) -> None:
    """Fewer requests than 20, and less code than a board needs: 220 KB over the wire."""
    page = look(guest, scene, "list")
    expect(row(page, "unet-baseline")).to_be_visible()

    found = page.evaluate(TOTALS)

    assert 0 < found["code"] <= 220_000
    assert found["requests"] <= 20


@pytest.mark.parametrize("name", ["list", "detail", "datasets", "settings", "asleep"])
def test_pages_run_under_their_own_content_policy(guest: HubVisitor, scene: Scene, name: str) -> None:
    """Whatever it forbids would be in the console."""
    page = look(guest, scene, name, strict=True)

    ready(page)


def test_the_end_of_a_long_path_is_in_sight(guest: HubVisitor, scene: Scene) -> None:
    """Of the cell that has the whole for its tip: the end tells paths apart."""
    page = look(guest, scene, "list", width=1280)
    path = row(page, "seg-3d").locator(f"[title$='{LONG}'] bdi")

    seen = path.evaluate(
        """(path) => {
            const text = path.firstChild, range = document.createRange();
            const box = path.parentElement.getBoundingClientRect();
            const inside = (at) => {
                range.setStart(text, at), range.setEnd(text, at + 1);
                const its = range.getBoundingClientRect();
                return its.left >= box.left - 1 && its.right <= box.right + 1;
            };
            return [inside(0), inside(text.length - 1)];
        }"""
    )

    assert seen == [False, True]
