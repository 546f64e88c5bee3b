"""Notebooks in the console: the list, the form with its TensorBoard (A6; A7, A8, B15 of jobs), the page, JupyterLab."""

import re
import shlex
import sys

import pytest
from playwright.sync_api import Locator, Page, expect

from support import scalar_logs
from support.chart_cards import find_card
from support.hub_page_driver import HubPageDriver, HubUser, board_row, choose_from_menu, expect_status, tab_to
from support.hub_process import wait_for
from support.jupyter_lab import board_in_cell, open_lab, restart_kernel, run_cell
from support.settled_pages import press, type_text

NOTEBOOKS = "/?kind=notebooks"
BOARD = "--logdir runs --port 0 --reload_task blocking"
STOPS = re.compile(r"^stops at [0-2][0-9]:[0-5][0-9] if nothing runs \(in (29|30) m\)$|^stops at \w+ \d+, ")
"""When a notebook stops; around midnight with the day."""
WRITE_LOG = (
    "import os",
    "from tensorboardX import SummaryWriter",
    "writer = SummaryWriter(os.environ['PAI_OUTPUT_TENSORBOARD'])",
    "writer.add_scalar('train/loss', 0.5, 1)",
    "writer.close()",
)
LANGUAGES = pytest.mark.parametrize("language", ["en", "zh"])
LOG_FIELDS = {"en": ("Enable Tensorboard", "Dataset", "Log path"), "zh": ("启用 Tensorboard", "数据集", "日志路径")}
CREATE = re.compile("^(Create|Submit|创建|提交)$")


def new_form(page: Page) -> Locator:
    """The form, which is opened."""
    page.get_by_test_id("new").click()
    return page.get_by_role("dialog")


def send(form: Locator) -> None:
    """The button of the form."""
    form.get_by_role("button", name=CREATE).click()


def choose_logs(form: Locator, dataset: str, path: str, language: str = "en") -> None:
    """The dataset and the log path of the TensorBoard, by the labels of a language."""
    option, source, log_path = LOG_FIELDS[language]
    form.get_by_label(option, exact=True).check()
    form.get_by_label(source).select_option(dataset)
    form.get_by_label(log_path).fill(path)


def create_dataset(person: HubUser, uri: str, kind: str = "storage") -> str:
    """The name of a dataset."""
    name = f"{kind}-{person.name}"
    person.request_json("POST", "datasets", {"name": name, "kind": kind, "uri": uri, "project": "default"})
    return name


def boards_of(person: HubUser, origin: str) -> list[tuple[str, str]]:
    """The TensorBoards of notebooks or jobs: what they belong to, and what they show."""
    items = person.request_json("GET", f"tensorboards?origin={origin}&owner=me")["items"]
    return [(item["origin_id"], item["sources"][0]["text"]) for item in items]


def test_notebooks_open_jupyterlab_and_run_cells(hub_driver: HubPageDriver) -> None:
    """Created by keys; the real thing, with WebSockets through the hub and a kernel, which tells when it was used."""
    page = hub_driver.create_user().open_page(NOTEBOOKS)
    tab_to(page, "[data-testid=new]")
    press(page, "Enter")
    expect(page.get_by_role("dialog").get_by_test_id("job-name")).to_be_visible()
    tab_to(page, "dialog [data-testid=job-name]")
    type_text(page, "lab")
    press(page, "Enter")
    expect(page.get_by_role("heading", name="lab", level=1)).to_be_visible()
    expect_status(page.get_by_role("main"), "Running")

    lab = open_lab(page)
    run_cell(lab, "print(6 * 7)")

    expect(lab.locator(".jp-OutputArea-output")).to_have_text(re.compile("^42"))
    assert re.search(r"/notebooks/job-[0-9a-z]{26}/", lab.url)
    lab.close()
    expect(page.get_by_test_id("idle-at")).to_have_text(STOPS)


def test_c1_magics_show_boards_through_the_hub(hub_driver: HubPageDriver) -> None:
    """`%lightboard` and, after the kernel has restarted, `%tensorboard`: the same board, below the notebook's path."""
    person = hub_driver.create_user()
    scalar_logs.sweep(hub_driver.hub.home / "hub" / "storage" / "default" / "notebooks" / "magics" / "runs")
    notebook = person.create_notebook("magics", image="")
    page = open_lab(person.open_page(f"/jobs/{notebook['id']}"))

    run_cell(page, "%load_ext lightboard")
    first = board_in_cell(page, run_cell(page, f"%lightboard {BOARD}"))
    find_card(first, "eval/loss")
    restart_kernel(page)
    find_card(first, "eval/loss")
    run_cell(page, "%load_ext tensorboard")
    again = board_in_cell(page, run_cell(page, f"%tensorboard {BOARD}"))

    find_card(again, "eval/loss")
    assert re.fullmatch(re.escape(notebook["url"]) + r"proxy/\d+/", first.url)
    assert again.url == first.url
    page.close()


@LANGUAGES
def test_a6_b6_the_form_of_notebooks_binds_one_tensorboard_to_dataset_and_path(
    hub_driver: HubPageDriver, language: str
) -> None:
    """It shows what a cell of its JupyterLab writes there; it and the notebook lead to each other.

    A path that cannot be written is reported at its field.
    """
    person = hub_driver.create_user()
    name = f"fit-{language}"  # files of a deleted notebook of this name are opened again
    outside = create_dataset(person, str(hub_driver.logs), "path")
    dataset = create_dataset(person, f"storage:teams/{person.name}")
    page = person.open_page(NOTEBOOKS, language=language)
    form = new_form(page)
    form.get_by_test_id("job-name").fill(name)
    choose_logs(form, f"dataset:{outside}", "", language)
    send(form)
    expect(form.get_by_label(LOG_FIELDS[language][2])).to_have_accessible_description(re.compile("the log path: "))
    choose_logs(form, f"dataset:{dataset}", "logs/fit", language)

    send(form)

    expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()
    expect_status(page.get_by_role("main"), "Running")
    notebook = person.request_json("GET", f"jobs/{name}")
    assert boards_of(person, "notebook") == [(notebook["id"], f"dataset:{dataset}/logs/fit")]
    lab = open_lab(page)
    run_cell(lab, *WRITE_LOG)
    lab.close()
    expect_loss(page)
    written = hub_driver.hub.home / "hub" / "storage" / "default" / "teams" / person.name / "logs" / "fit"
    assert len([*written.rglob("events.out.tfevents.*")]) == 1
    page.goto(f"{hub_driver.hub.url}/?lang=en&origin=notebook")
    row = board_row(page, name)
    expect(row).to_have_count(1)
    row.get_by_role("link", name="Notebook", exact=True).click()
    expect(page).to_have_url(re.compile(f"/jobs/{notebook['id']}"))


@LANGUAGES
def test_a7_b7_the_form_of_jobs_binds_one_tensorboard_to_dataset_and_path(
    hub_driver: HubPageDriver, language: str
) -> None:
    """It shows what the job writes there. The labels are those of the documents (A-T2)."""
    person = hub_driver.create_user()
    dataset = create_dataset(person, f"storage:teams/{person.name}")
    page = person.open_page("/?kind=jobs", language=language)
    form = new_form(page)
    form.get_by_test_id("command").fill(shlex.join([sys.executable, "-c", "; ".join(WRITE_LOG)]))
    form.get_by_test_id("job-name").fill("fit")
    choose_logs(form, f"dataset:{dataset}", "logs", language)

    send(form)

    expect_status(page.get_by_role("main"), "Succeeded")
    job = person.request_json("GET", "jobs/fit")
    [(owner, source)] = boards_of(person, "job")
    assert (owner, source) == (job["id"], job["tensorboard_uri"])
    assert source.startswith(f"dataset:{dataset}/logs")
    written = hub_driver.hub.home / "hub" / "storage" / "default" / "teams" / person.name / "logs"
    assert len([*written.rglob("events.out.tfevents.*")]) == 1
    expect_loss(page)


@pytest.mark.parametrize("kind", ["jobs", "notebooks"])
def test_at_the_limit_a_form_creates_nothing_without_its_tensorboard(hub_driver: HubPageDriver, kind: str) -> None:
    """The reason is in the form, with what was typed; without the option, the job or notebook is created."""
    person = hub_driver.create_user()
    hub_driver.hub.json("PATCH", f"/api/v1/accounts/{person.name}", {"own_limit": 0})
    page = person.open_page(f"/?kind={kind}")
    form = new_form(page)
    if kind == "jobs":
        form.get_by_test_id("command").fill("true")
    form.get_by_test_id("job-name").fill("fit")
    form.get_by_label(LOG_FIELDS["en"][0], exact=True).check()

    send(form)

    refused = f"{person.name} has 0 TensorBoards in use, and 0 is the limit"
    expect(form.get_by_role("alert")).to_contain_text(refused)
    assert person.request_json("GET", "jobs")["items"] == []
    form.get_by_label(LOG_FIELDS["en"][0], exact=True).uncheck()
    send(form)
    expect(page.get_by_role("heading", name="fit", level=1)).to_be_visible()


def expect_loss(page: Page) -> None:
    """The TensorBoard behind the link of the page of a job or notebook shows what WRITE_LOG has written."""
    link = page.get_by_test_id("open")
    expect(link).to_have_attribute("href", re.compile("/tb/"))
    with page.context.expect_page() as opened:
        link.click()
    expect(find_card(opened.value, "train/loss")).to_be_visible()
    opened.value.close()


def test_a8_b8_b15_a_finished_job_gets_a_tensorboard_and_loses_it(hub_driver: HubPageDriver) -> None:
    """On its page, with a dataset and a log path, in Chinese words; its link shows what the job has written."""
    person = hub_driver.create_user()
    dataset = create_dataset(person, f"storage:teams/{person.name}")
    line = f'cp "{hub_driver.logs}/baseline/"* "$PAI_OUTPUT_TENSORBOARD"'
    job = person.create_job(line, "Succeeded", name="fit", image="telling", log_dir=f"dataset:{dataset}/logs/fit")
    page = person.open_page(f"/jobs/{job['id']}", language="zh")
    choose_from_page_menu(page, "启用 Tensorboard…")
    form = page.get_by_role("dialog")
    form.get_by_label("数据集").select_option(f"dataset:{dataset}")
    form.get_by_label("日志路径").fill("logs/fit")

    form.get_by_role("button", name="启用 Tensorboard").click()

    link = page.get_by_role("link", name="打开 fit 的 TensorBoard")
    expect(link).to_have_attribute("href", re.compile("/tb/"))
    assert boards_of(person, "job") == [(job["id"], f"dataset:{dataset}/logs/fit")]
    with page.context.expect_page() as opened:
        link.click()
    expect(find_card(opened.value, "train/loss")).to_be_visible()
    opened.value.close()
    choose_from_page_menu(page, "关闭 Tensorboard…")
    page.get_by_role("dialog").get_by_role("button", name="关闭 Tensorboard").click()
    expect(link).to_have_count(0)
    wait_for(lambda: boards_of(person, "job"), lambda found: found == [], "its TensorBoard to be deleted")


def choose_from_page_menu(page: Page, item: str) -> None:
    """In the menu of a page."""
    page.get_by_test_id("menu").click()
    page.get_by_role("menuitem", name=item).click()


def test_notebooks_are_stopped_started_and_deleted_in_the_list(hub_driver: HubPageDriver) -> None:
    """Only its owner has the link of one; jobs are in another list."""
    person, other = hub_driver.create_user(), hub_driver.create_user()
    person.create_notebook("acted")
    other.create_notebook("theirs")
    person.create_job("true", name="job", replicas=64)
    page = person.open_page(NOTEBOOKS)
    row = board_row(page, "acted")
    expect(board_row(page, "theirs").get_by_test_id("open-notebook")).to_have_count(0)
    expect(board_row(page, "job")).to_have_count(0)
    expect(row.get_by_test_id("open-notebook")).to_have_attribute("href", re.compile("/notebooks/job-"))

    choose_from_menu(page, "acted", "Stop")
    expect_status(row, "Stopped")
    expect(row.get_by_test_id("open-notebook")).to_have_count(0)
    page.get_by_role("combobox", name="Status").select_option("Stopped")
    expect(board_row(page, "theirs")).to_have_count(0)
    page.get_by_role("combobox", name="Status").select_option("Status")
    row.get_by_test_id("start").click()
    expect_status(row, "Running")
    choose_from_menu(page, "acted", "Delete…")
    dialog = page.get_by_role("dialog", name="Delete “acted”?")
    expect(dialog).to_contain_text("its files are kept")
    dialog.get_by_role("button", name="Delete").click()

    expect(row).to_have_count(0)


def test_the_list_says_when_a_notebook_stops_and_that_it_was_idle(hub_driver: HubPageDriver) -> None:
    """It can be started again there."""
    person = hub_driver.create_user()
    person.create_notebook("used")
    person.create_notebook("unused", "Stopped", idle_secs=1)
    page = person.open_page(NOTEBOOKS)

    expect(board_row(page, "used").get_by_test_id("idle-at")).to_have_text(STOPS)
    expect(board_row(page, "unused")).to_contain_text("Idle too long")
    expect(board_row(page, "unused")).to_contain_text("not used for 1 s")
    expect(board_row(page, "unused").get_by_test_id("start")).to_be_enabled()


def test_the_page_of_a_notebook_opens_it_once_it_runs(hub_driver: HubPageDriver) -> None:
    """Until then the button says what it waits for. There is no command, but files and an idle time."""
    person = hub_driver.create_user()
    notebook = person.create_notebook("opened", idle_secs=7200)
    page = person.open_page(NOTEBOOKS)
    address = f"**/api/v1/jobs/{notebook['id']}"
    starting = {**person.request_json("GET", f"jobs/{notebook['id']}"), "status": "Starting"}
    page.route(address, lambda route: route.fulfill(json=starting))

    board_row(page, "opened").get_by_role("link", name="opened", exact=True).click()
    expect(page.get_by_role("button", name="Starting…")).to_be_disabled()
    page.unroute(address)
    expect(page.get_by_role("link", name="Open")).to_have_attribute("href", notebook["url"])

    page.get_by_role("link", name="Overview").click()
    facts = page.locator("dl > div")
    expect(facts.filter(has_text="Files")).to_have_text("Filesstorage:notebooks/opened")
    expect(facts.filter(has_text="Stop when idle")).to_have_text("Stop when idle2 h")
    expect(facts.filter(has_text="Replicas")).to_have_count(0)
    expect(page.get_by_role("main")).not_to_contain_text("jupyter-lab")
    page.get_by_test_id("stop").click()
    expect_status(page.get_by_role("main"), "Stopped")
    expect(page.get_by_test_id("open-notebook")).to_have_count(0)
    page.goto(f"{notebook['url']}lab")
    expect(page).to_have_url(re.compile(f"/jobs/{notebook['id']}"))


def test_wrong_names_of_notebooks_are_reported_at_their_field(hub_driver: HubPageDriver) -> None:
    """Those that the page refuses, and the hub."""
    person = hub_driver.create_user()
    person.create_notebook("taken")
    form = new_form(person.open_page(NOTEBOOKS))
    name = form.get_by_test_id("job-name")

    for value, fault in {"My lab": "lowercase letters", "taken": "there is a notebook taken"}.items():
        name.fill(value)
        send(form)
        expect(name).to_have_accessible_description(re.compile(fault))
        expect(name).to_be_focused()


def test_clones_of_notebooks_have_their_settings(hub_driver: HubPageDriver) -> None:
    """With the next name, and what is changed in the form; also those that the form does not show."""
    person = hub_driver.create_user()
    settings = {"inputs": {"all": "storage:"}, "environment": {"SEED": "1"}, "idle_secs": 2700, "tags": ["a, b"]}
    volume = {"source": "storage:", "target": "/all", "read_only": True}
    person.create_notebook("cloned", volumes=[volume], **settings)
    page = person.open_page(NOTEBOOKS)
    choose_from_menu(page, "cloned", "Clone with changes…")
    form = page.get_by_role("dialog", name="Clone “cloned”")
    expect(form.get_by_test_id("job-name")).to_have_value("cloned-2")
    expect(form.get_by_label("Stop when idle")).to_have_value("2700")
    form.get_by_role("button", name="Advanced").click()
    expect(form.get_by_label("Volumes: name 1")).to_have_value("/all")
    form.get_by_label("Volumes: name 1").fill("/everything")

    send(form)

    expect(page.get_by_role("heading", name="cloned-2", level=1)).to_be_visible()
    made = person.request_json("GET", "jobs/cloned-2")
    assert {name: made[name] for name in settings} == settings
    assert [{name: each[name] for name in volume} for each in made["volumes"]] == [{**volume, "target": "/everything"}]


@pytest.mark.parametrize("place", ["/jobs/{id}", "/jobs/{id}#lineage", "/?kind=jobs"])
def test_the_clone_of_a_job_with_a_tensorboard_gets_one_too(hub_driver: HubPageDriver, place: str) -> None:
    """From its page, from what it ran with, and from the list."""
    person = hub_driver.create_user()
    job = person.create_job("true", "Succeeded", name="fit", tensorboard=True)
    page = person.open_page(place.format(id=job["id"]))
    if place.endswith("lineage"):
        page.get_by_test_id("clone").click()
    elif place.startswith("/jobs/"):
        expect(page.get_by_role("link", name="Open TensorBoard of fit")).to_be_visible()
        choose_from_page_menu(page, "Clone with changes…")
    else:
        expect(board_row(page, "fit").get_by_role("link", name="Open TensorBoard of fit")).to_be_visible()
        choose_from_menu(page, "fit", "Clone with changes…")

    expect(page.get_by_role("dialog").get_by_label("Enable Tensorboard", exact=True)).to_be_checked()
