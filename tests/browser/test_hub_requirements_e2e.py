"""The documents about Job Analysis, line by line: A1 to A4, A12 to A14, the same of B, and B16 (platforms, 1.1, 1.2).

A5 is tested with the lineage of jobs, A6 to A8 and B15, the options of the forms and of finished jobs, with notebooks,
and A9 to A11, the programs, with the frameworks.

Each on SQLite and on PostgreSQL, over logs that Keras wrote. Where the Chinese document asks the same, a test runs with
the page in Chinese as well.
"""

import contextlib
import itertools
import pathlib
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect

from lightboard import TensorBoard
from lightboard.client.session import Session
from support.chart_cards import find_card, hover, tooltip_rows
from support.databases import postgres_server
from support.hub_cli import HubCli
from support.hub_page_driver import HubPageDriver, board_row, expect_status
from support.hub_process import HubProcess
from support.neuro_project import Project
from support.notebook_image import write_notebook_image
from support.page_faults import choose_language
from support.settled_pages import press, settle

KERAS = pathlib.Path(__file__).parents[1] / "data" / "logs" / "keras_kinds"
"""Two trainings, by Adam and by SGD, each with the runs `train` and `validation` and what it was trained with."""
PAGE = {"en": "Job Analysis", "zh": "任务分析"}
MODULE = {"en": "", "zh": " · 智能算力"}
ENABLE = {"en": "Enable Tensorboard", "zh": "启用 Tensorboard"}
COLUMNS = {"en": ["Status", "Name", "Link", "Created"], "zh": ["状态", "名称", "链接", "创建时间"]}
FORMS = {"en": ["Jobs", "Notebooks"], "zh": ["任务", "Notebook 实例"]}
LANGUAGES = pytest.mark.parametrize("language", ["en", "zh"])


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def hub(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    """One on each kind of database."""
    with contextlib.ExitStack() as opened:
        address = opened.enter_context(postgres_server()).empty() if request.param == "postgres" else ""
        home = tmp_path_factory.mktemp("hub")
        image = write_notebook_image(home / "image")
        words = ("--trust-jobs", "--job-isolation", "none", "--image", f"telling={image}")
        yield opened.enter_context(HubProcess(home, *words, database=address, roots=[KERAS]))


@pytest.fixture(scope="module")
def hub_logs() -> pathlib.Path:
    """What boards of this file show."""
    return KERAS


class Fashion(NamedTuple):
    """The running TensorBoard `fashion` of somebody who is logged in."""

    cookies: Any
    id: str
    link: str


@pytest.fixture(scope="module")
def fashion(browser: Browser, hub: HubProcess, hub_logs: pathlib.Path, kept_boards: set[str]) -> Fashion:
    """For tests that only look."""
    person = HubPageDriver(browser, hub, hub_logs).create_user()
    board = person.create_board("fashion")
    kept_boards.add(board["id"])
    return Fashion(person.cookies(), board["id"], board["app_uri"])


def viewer(hub_driver: HubPageDriver, fashion: Fashion) -> Page:
    """The page behind the link of its row."""
    page = hub_driver.open_page(cookies=fashion.cookies)
    with page.context.expect_page() as opened:
        board_row(page, "fashion").get_by_test_id("open").click()
    expect(opened.value.locator("[data-testid=card][data-state=ready]").first).to_be_visible()
    settle(opened.value)
    return opened.value


def test_a1_b1_the_page_of_that_name_lists_tensorboards(hub_driver: HubPageDriver, fashion: Fashion) -> None:
    """Under the name that the document gives it."""
    page = hub_driver.open_page(cookies=fashion.cookies)
    for language in PAGE:
        choose_language(page, language)

        expect(page.get_by_role("heading", level=1), language).to_have_text(PAGE[language])
        expect_status(board_row(page, "fashion"), "Running")


def test_a2_b2_training_and_validation_share_a_chart(hub_driver: HubPageDriver, fashion: Fashion) -> None:
    """Of the loss and of the accuracy."""
    page = viewer(hub_driver, fashion)
    pair = {"adam/train", "adam/validation"}

    found = {tag: drawn(page, tag) & pair for tag in ("epoch_loss", "epoch_accuracy")}

    assert found == {"epoch_loss": pair, "epoch_accuracy": pair}


@pytest.mark.parametrize("address", ["#histograms", "#distributions"])
def test_a3_b3_weights_of_each_layer_are_inspected(hub_driver: HubPageDriver, fashion: Fashion, address: str) -> None:
    """What the callback writes with histogram_freq=1, as histograms and as distributions."""
    page = hub_driver.open_page(f"/tb/{fashion.id}/{address}", cookies=fashion.cookies)

    for layer in ("conv2d", "dense", "dense_1"):
        found = find_card(page, f"sequential/{layer}/kernel/histogram")
        expect(found.locator('[data-testid=histogram][data-run="adam/train"]')).to_be_visible()


def test_a4_b4_experiments_are_compared(hub_driver: HubPageDriver, fashion: Fashion) -> None:
    """Curves of two trainings in one chart, and what they were trained with beside each other."""
    curves = viewer(hub_driver, fashion)
    assert drawn(curves, "epoch_loss") >= {"adam/train", "sgd/train"}

    page = hub_driver.open_page(f"/tb/{fashion.id}/#hparams", cookies=fashion.cookies)
    trials = page.get_by_test_id("trial-row")

    expect(trials.filter(has_text="adam")).to_have_count(1)
    expect(trials.filter(has_text="sgd")).to_have_count(1)


def test_a12_b12_tensorboards_of_every_way_are_in_one_list(hub_driver: HubPageDriver, tmp_path: pathlib.Path) -> None:
    """By the page, the forms of jobs and notebooks, Python, the command line, and `make` in a project."""
    person = hub_driver.create_user()
    hub_driver.hub.json("PATCH", f"/api/v1/accounts/{person.name}", {"own_limit": 6})
    page = person.open_page()
    by_hand(page, "by hand")
    hub_driver.visit(page, "/?kind=jobs")
    with_a_form(page, "of-a-job", command="true")
    hub_driver.visit(page, "/?kind=notebooks")
    with_a_form(page, "of-a-notebook", image="telling")
    with Session(hub_driver.hub.url, person.token, "default") as session:
        TensorBoard.create(str(KERAS), display_name="by Python", session=session)
    terminal = HubCli(hub_driver.hub, tmp_path, person.token)
    terminal("tb", "create", str(KERAS), "--display-name", "at a terminal")
    project = Project(terminal, image="")
    results = hub_driver.hub.home / "hub" / "storage" / "default" / "image" / "results"
    results.mkdir(parents=True, exist_ok=True)  # as `make setup` does
    with project.start("tensorboard", "HUB_PROJECT=default") as process:
        project.interrupt(process, "TensorBoard ")

    hub_driver.visit(page, "/")
    rows = page.get_by_test_id("instance-row")
    found = {}
    for language in PAGE:
        choose_language(page, language)
        expect(rows, language).to_have_count(6)
        found[language] = set(page.locator("[data-testid=instance-row] [role=cell]:nth-child(2) a").all_text_contents())
    origins = {item["display_name"]: item["origin"] for item in person.request_json("GET", "tensorboards")["items"]}

    assert found == {language: {*origins} for language in PAGE}
    assert origins == {
        "by hand": "ui",
        "of-a-job": "job",
        "of-a-notebook": "notebook",
        "by Python": "sdk",
        "at a terminal": "cli",
        "tensorboard-image": "cli",
    }


def test_a13_b13_link_status_and_creation_time_are_in_the_row(hub_driver: HubPageDriver, fashion: Fashion) -> None:
    """Without opening it, on a phone too."""
    page = hub_driver.open_page(cookies=fashion.cookies)
    line = board_row(page, "fashion")
    for language, width in itertools.product(PAGE, (1440, 390)):
        page.set_viewport_size({"width": width, "height": 900})
        settle(page)
        choose_language(page, language)

        look = f"{language}, {width}"
        expect(line.get_by_test_id("open"), look).to_be_in_viewport()
        expect(line.get_by_test_id("status"), look).to_be_in_viewport()
        expect(line.locator("time").first, look).to_be_in_viewport()


def test_a14_b14_the_link_opens_the_viewer(hub_driver: HubPageDriver, fashion: Fashion) -> None:
    """With nothing in between."""
    assert viewer(hub_driver, fashion).url.startswith(fashion.link)


@LANGUAGES
def test_a_t2_b1_b6_module_and_option_have_the_documents_words(hub_driver: HubPageDriver, language: str) -> None:
    """On the page of one that rests; the module is named in the title of the window."""
    person = hub_driver.create_user()
    board = person.create_stopped_board("fashion")
    page = person.open_page(f"/tensorboards/{board['id']}", language=language)

    expect(page).to_have_title(f"fashion{MODULE[language]} · Lightboard")
    page.get_by_role("button", name=ENABLE[language], exact=True).click()

    expect_status(page.get_by_role("main"), "Running")


@LANGUAGES
def test_b16_what_the_pictures_show_has_its_place(hub_driver: HubPageDriver, fashion: Fashion, language: str) -> None:
    """The list with its columns, the viewer, and the forms of jobs and of notebooks."""
    page = hub_driver.open_page(cookies=fashion.cookies, language=language)
    heads = page.get_by_role("columnheader").all_inner_texts()
    assert [head.strip(" ↓") for head in heads][: len(COLUMNS[language])] == COLUMNS[language]
    for kind in FORMS[language]:
        page.locator("label").get_by_text(kind, exact=True).click()
        page.get_by_test_id("new").click()
        expect(page.get_by_role("dialog").get_by_label(ENABLE[language], exact=True)).not_to_be_checked()
        press(page, "Escape")
    seen = hub_driver.open_page(f"/tb/{fashion.id}/", cookies=fashion.cookies, language=language)
    expect(find_card(seen, "epoch_loss")).to_be_visible()


def by_hand(page: Page, name: str) -> None:
    """Makes one in the dialog."""
    page.get_by_test_id("new").click()
    page.get_by_test_id("source").last.get_by_role("radio", name="Folder", exact=True).check()
    page.get_by_test_id("source-path").fill(str(KERAS))
    page.get_by_test_id("new-name").fill(name)
    page.get_by_role("button", name="Create", exact=True).click()
    expect_status(board_row(page, name), "Running")


def with_a_form(page: Page, name: str, *, command: str = "", image: str = "") -> None:
    """Makes a job or a notebook with its TensorBoard in the form of its list."""
    page.get_by_test_id("new").click()
    form = page.get_by_role("dialog")
    form.get_by_test_id("job-name").fill(name)
    if command:
        form.get_by_test_id("command").fill(command)
    if image:
        form.get_by_test_id("advanced").click()
        form.get_by_test_id("image").select_option(image)
    form.get_by_label(ENABLE["en"], exact=True).check()
    form.get_by_role("button", name=re.compile("^(Create|Submit)$")).click()
    expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()


def drawn(page: Page, tag: str) -> set[str]:
    """The runs that a card has lines of, as its tip tells."""
    hover(page, find_card(page, tag), 0.5)
    return {line["run"] for line in tooltip_rows(page)}
