"""The console on every page: layout, translations, keyboard, accessibility (checks 4, 27, 29)."""

import pathlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from support.hub_page_driver import HubPageDriver, board_row, expect_status, tab_to
from support.hub_process import HubProcess, wait_for
from support.page_faults import LANGUAGES, choose_language, find_page_faults
from support.settled_pages import press, settle, type_text
from support.translations import find_english

LONG = "nowhere/teams/computer-vision/segmentation/2026/november/unet-plus-plus/seed-0042"
COLOURED = "".join(f"\\033[{code}mloss\\033[0m " for code in (*range(30, 38), *range(90, 98), 1, 2)) + "\\n"
"""A word in each colour of terminals, as `printf` takes it."""
WIDTHS = [1440, 1024, 390]
PAGES = {
    "list": "/",
    "new": "/",
    "new, browsing": "/",
    "detail": "/tensorboards/{running}",
    "timeline": "/tensorboards/{running}#timeline",
    "sources": "/tensorboards/{running}#sources",
    "logs": "/tensorboards/{running}#logs",
    "share": "/tensorboards/{running}#share",
    "jobs": "/?kind=jobs",
    "new job": "/?kind=jobs",
    "new job, browsing": "/?kind=jobs",
    "job": "/jobs/{job}",
    "job overview": "/jobs/{job}#overview",
    "job metrics": "/jobs/{logged}#metrics",
    "job resources": "/jobs/{steady}#resources",
    "resources of an ended job": "/jobs/{job}#resources",
    "job terminal": "/jobs/{steady}#terminal",
    "job lineage": "/jobs/{job}#lineage",
    "job timeline": "/jobs/{job}#timeline",
    "job, enabling its board": "/jobs/{job}",
    "job, cloning it": "/jobs/{job}",
    "job, deleting it": "/jobs/{job}",
    "waiting job, changing its priority": "/jobs/{waiting}",
    "job with a board, disabling it": "/jobs/{logged}",
    "job with a board, deleting it": "/jobs/{logged}",
    "notebooks": "/?kind=notebooks",
    "new notebook": "/?kind=notebooks",
    "notebook": "/jobs/{notebook}#overview",
    "notebook log": "/jobs/{notebook}#logs",
    "notebook terminal": "/jobs/{notebook}#terminal",
    "notebook, enabling its board": "/jobs/{notebook}",
    "notebook, cloning it": "/jobs/{notebook}",
    "queue": "/queue",
    "datasets": "/datasets",
    "new dataset": "/datasets",
    "projects": "/projects",
    "project": "/projects/{project}",
    "tokens": "/tokens",
    "new token": "/tokens",
    "accounts": "/accounts",
    "new account": "/accounts",
    "environments": "/environments",
    "environment": "/environments?image=telling",
    "audit": "/audit",
    "settings": "/settings",
    "missing": "/tensorboards/nobody",
    "asleep": "/tb/{stopped}/",
    "failed": "/tb/{failed}/",
    "login": "/login?error=oidc",
}
ITEMS = {
    "enabling": re.compile("^(Enable|Включить|启用) Tensorboard…$"),
    "disabling": re.compile("^(Turn off|Отключить|关闭) Tensorboard…$"),
    "cloning": re.compile("^(Clone with changes|Клонировать с изменениями|修改后克隆)…$"),
    "changing": re.compile("^(Change priority|Изменить приоритет|更改优先级)…$"),
    "deleting": re.compile("^(Delete|Удалить|删除)…$"),
}
"""The items of the menu of a job or notebook that open a dialog, in every language, by the word for it in the name."""
WITHOUT_MENU = {"login", "asleep", "failed"}
"""What has no menu of the account; that of a page under a dialog cannot be opened either."""
TOTALS = """() => {
    const parts = performance.getEntriesByType('resource').filter((each) => !each.name.includes('/watch'));
    const code = parts.filter((each) => /\\.(js|css)($|\\?)/.test(each.name));
    return { requests: parts.length + 1, code: code.reduce((sum, each) => sum + each.encodedBodySize, 0) };
}"""
NAME = re.compile(r"\b(?:Python|Lightboard|Enter)\b (?=[^\x00-\x7f])")
"""A program or key before a word that is not English."""


def left_in_english(page: Page) -> list[str]:
    """As `find_english`; what the hub said is marked as such, and consoles keep two names of the documents."""
    said = page.locator("[lang=en][title]").evaluate_all("(parts) => parts.map((part) => part.title)")
    texts = [text for text in find_english(page) if text not in {*said, "Notebook 实例"} and not NAME.search(text)]
    return [text for text in texts if not re.match("^(Включить|Отключить) Tensorboard для", text)]


EVERYWHERE: dict[str, Any] = {"accessible": WIDTHS, "find_untranslated": left_in_english}


@dataclass(frozen=True)
class Scene:
    """Somebody who may see everything, and has something of everything."""

    cookies: Any
    places: dict[str, str]


@pytest.fixture(scope="module")
def scene(browser: Browser, hub: HubProcess, hub_logs: pathlib.Path, kept_boards: set[str]) -> Iterator[Scene]:
    """Boards that run, rest and failed, jobs that failed and wait, notebooks, a dataset, a project with two members."""
    driver = HubPageDriver(browser, hub, hub_logs)
    person, other = driver.create_user("owner", administrator=True), driver.create_user("")
    running = person.create_board("unet-baseline", tags=["vision", "nightly"])
    stopped = person.create_stopped_board("lm-old")
    failed = person.create_failed_board("seg-3d", sources=[{"uri": f"{hub_logs}/{LONG}"}])
    boards = {running["id"], stopped["id"], failed["id"]}
    settings = {"hyperparameters": {"lr": 0.1, "amp": True}, "environment": {"SEED": "1"}, "tags": ["vision"]}
    logged = person.create_job("true", "Succeeded", name="logged", tensorboard=True)
    logs = person.request_json("GET", f"jobs/{logged['id']}")["tensorboard"]
    job = person.create_job(f"printf '{COLOURED}'; exit 3; {LONG}", "Failed", name="coloured", **settings)
    steady = person.create_job("exec sleep 1000", "Running", name="steady", environment={"HOME": str(hub_logs)})
    usage = lambda: person.request_json("GET", f"jobs/{steady['id']}/usage")["replicas"]  # noqa: E731
    wait_for(usage, lambda found: bool(found) and len(found[0]["at"]) > 1, "two samples")
    waiting = person.create_job("true", name="w" * 40, replicas=64)
    notebook = person.create_notebook("lab", environment={"SEED": "1"}, labels={"team": "vision"})
    rest = person.create_notebook("n" * 40)
    person.request_json("PUT", f"jobs/{rest['id']}/stop")
    hub.wait_for_job(rest["id"], "Stopped")
    jobs = {each["id"] for each in (logged, job, steady, waiting, notebook, rest)}
    kept_boards |= boards | jobs | {logs["id"]}
    person.request_json("POST", "datasets", {"name": f"logs-{person.name}", "kind": "path", "uri": str(hub_logs)})
    project = person.request_json("POST", "projects", {"display_name": "Segmentation of medical images"})
    person.request_json("PUT", f"projects/{project['id']}/members", {"account": other.name, "role": "viewer"})
    places = {"running": running["id"], "stopped": stopped["id"], "failed": failed["id"], "project": project["id"]}
    named = {"job": job, "logged": logged, "steady": steady, "waiting": waiting, "notebook": notebook}
    yield Scene(person.cookies(), {**places, **{name: each["id"] for name, each in named.items()}})
    for id in (*boards, logs["id"]):
        person.request_json("DELETE", f"tensorboards/{id}")
    for id in jobs:
        person.request_json("DELETE", f"jobs/{id}")


def look(hub_driver: HubPageDriver, scene: Scene, name: str, **how: Any) -> Page:
    """A page of PAGES, with the dialog over it that its name says."""
    cookies = () if name == "login" else scene.cookies
    page = hub_driver.open_page(PAGES[name].format(**scene.places), cookies=cookies, **how)
    open_dialog(page, name)
    return page


def open_dialog(page: Page, name: str) -> None:
    """The dialog that the name of a page says, if any."""
    if name.startswith("new"):
        page.get_by_test_id("new").click()
        expect(page.get_by_role("dialog")).to_be_visible()
    action = name.partition(", ")[2].partition(" ")[0]
    if action in ITEMS:
        page.get_by_test_id("menu").click()
        page.get_by_role("menuitem", name=ITEMS[action]).click()
        expect(page.get_by_role("dialog")).to_be_visible()
    if action == "enabling":
        page.get_by_role("dialog").get_by_role("combobox").select_option("storage:")
    if action == "cloning":
        page.get_by_test_id("advanced").click()
    if name == "new job":
        for part in ("hyperparameters", "environment"):
            page.get_by_test_id(part).get_by_role("button").last.click()
        page.get_by_test_id("advanced").click()
    if name == "new notebook":
        page.get_by_test_id("with-board").check()
        page.get_by_test_id("log-place").get_by_role("combobox").select_option("storage:")
        page.get_by_test_id("advanced").click()
        page.get_by_test_id("labels").get_by_role("button").click()
    if name == "new job, browsing":
        page.get_by_test_id("with-board").check()
        page.get_by_test_id("log-place").get_by_role("combobox").select_option("storage:")
        page.get_by_test_id("log-place").get_by_role("button").click()
        expect(page.get_by_test_id("folder").first).to_be_visible()
    if name == "new, browsing":
        page.get_by_test_id("source").get_by_role("radio").last.check()
        page.get_by_test_id("browse").click()
        expect(page.get_by_test_id("folder").first).to_be_visible()
    settle(page)


@pytest.mark.parametrize("name", PAGES)
def test_console_pages_are_intact_translated_and_accessible(hub_driver: HubPageDriver, scene: Scene, name: str) -> None:
    """In each language at three widths; in English in both themes as well."""

    def visit(page: Page, language: str) -> None:
        if language != LANGUAGES[0]:
            page.goto(re.sub(r"\blang=\w+", f"lang={language}", page.url))
            settle(page)
            open_dialog(page, name)

    speak = visit if name in WITHOUT_MENU or name.startswith("new") or ", " in name else choose_language
    page = look(hub_driver, scene, name, language=LANGUAGES[0])

    assert find_page_faults(page, WIDTHS, speak=speak, **EVERYWHERE) == {}


def test_the_setup_page_is_accessible(browser: Browser, hub_logs: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """The same of the page behind the link of the first start."""
    with HubProcess(tmp_path / "home", bootstrap=False) as fresh:
        hub_driver = HubPageDriver(browser, fresh, hub_logs)
        for language in LANGUAGES:
            page = hub_driver.open_page(f"/setup#{fresh.setup_link.partition('#')[2]}", language=language)
            expect(page.locator("input[type=password]").first).to_be_visible()
            assert find_page_faults(page, WIDTHS, languages=[language], **EVERYWHERE) == {}
            page.context.close()


def test_boards_can_be_managed_by_keys(hub_driver: HubPageDriver) -> None:
    """Tab to New, a form sent by Enter, a menu by arrows; Esc closes what is open and leaves the focus where it was."""
    person = hub_driver.create_user()
    logs = {"name": f"logs-{person.name}", "kind": "path", "uri": str(hub_driver.logs)}
    person.request_json("POST", "datasets", logs)  # where there are datasets, the form begins with them
    page = person.open_page()
    tab_to(page, "[data-testid=new]")
    press(page, "Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    press(page, "Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_test_id("new")).to_be_focused()

    press(page, "Enter")
    expect(page.get_by_role("dialog")).to_be_visible()  # the page behind it has radio buttons too
    tab_to(page, "dialog [type=radio]")
    press(page, "ArrowLeft")
    expect(page.get_by_role("dialog").get_by_role("radio", name="Folder", exact=True)).to_be_checked()
    tab_to(page, "[data-testid=source-path]")
    type_text(page, str(hub_driver.logs))
    expect(page.get_by_test_id("look")).to_contain_text("Found 6 runs")
    press(page, "Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect_status(board_row(page, "runs"), "Running")

    menu = board_row(page, "runs").get_by_test_id("row-menu")
    tab_to(page, "[data-testid=row-menu]")
    press(page, "Enter")
    expect(page.get_by_role("menu")).to_be_visible()
    press(page, "Escape")
    expect(page.get_by_role("menu")).to_have_count(0)
    expect(menu).to_be_focused()
    press(page, "Enter")
    expect(page.get_by_role("menu")).to_be_visible()
    press(page, "ArrowDown")
    expect(page.get_by_role("menuitem", name="Stop", exact=True)).to_be_focused()
    press(page, "Enter")
    expect_status(board_row(page, "runs"), "Stopped")


def test_the_list_loads_quickly(hub_driver: HubPageDriver, scene: Scene) -> None:
    """Fewer than 20 requests and at most 220 KB."""
    page = look(hub_driver, scene, "list", reused=False)
    expect(board_row(page, "unet-baseline")).to_be_visible()

    found = page.evaluate(TOTALS)

    assert 0 < found["code"] <= 220_000
    assert found["requests"] <= 20


def test_pages_satisfy_their_content_security_policy(hub_driver: HubPageDriver, scene: Scene) -> None:
    """Whatever it forbids would be in the console."""
    page = look(hub_driver, scene, "list", strict=True)
    said = {}
    for name in ("list", "detail", "jobs", "job", "datasets", "settings", "asleep"):
        if name != "list":
            hub_driver.visit(page, PAGES[name].format(**scene.places), strict=True)
        settle(page)
        said[name], hub_driver.console_errors = hub_driver.console_errors, []

    assert {name: errors for name, errors in said.items() if errors} == {}


def test_ends_of_long_paths_are_visible(hub_driver: HubPageDriver, scene: Scene) -> None:
    """Of the cell that has the whole for its tip: the end tells paths apart."""
    page = look(hub_driver, scene, "list", width=1280)
    path = board_row(page, "seg-3d").locator(f"[title$='{LONG}'] bdi")

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
