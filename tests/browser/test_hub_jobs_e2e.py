"""Jobs in the console: the list, the form, and the page of a job with its log."""

import pathlib
import re
import sys

import pytest
from playwright.sync_api import Locator, Page, expect

from support.accessibility import find_violations_in_both_themes
from support.hub_page_driver import HubPageDriver, board_row, choose_from_menu, expect_status, tab_to
from support.ports import free_ports
from support.settled_pages import press, reload, settle, type_text

JOBS = "/?kind=jobs"
SERVER = """
import http.server, os
class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<h1>Served by a job</h1>")
http.server.ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Page).serve_forever()
"""
"""A program that serves a page, without single quotes."""
PILL = "(pill) => ({ colour: getComputedStyle(pill).color, sign: pill.querySelector('svg').innerHTML })"
AT_END = "(box) => box.scrollHeight - box.scrollTop - box.clientHeight < 24"


def until(path: pathlib.Path) -> str:
    """A command that waits for a file."""
    return f"while [ ! -e '{path}' ]; do sleep 0.05; done"


def log_of(page: Page) -> Locator:
    """The lines of the log that are in sight."""
    return page.get_by_test_id("log-lines")


def submit(page: Page) -> None:
    """The button of the form for a new job."""
    page.get_by_role("dialog").get_by_role("button", name="Submit", exact=True).click()


def test_jobs_created_in_the_form_show_their_log_live(hub_driver: HubPageDriver, tmp_path: pathlib.Path) -> None:
    """Hyperparameters and variables reach the command; what it prints later appears by itself."""
    page = hub_driver.create_user().open_page(JOBS)
    page.get_by_test_id("new").click()
    form = page.get_by_role("dialog", name="New job")
    form.get_by_test_id("command").fill(f'echo "$PAI_HPS $SHADE"; {until(tmp_path / "go")}; echo done')
    form.get_by_test_id("job-name").fill("mnist")
    form.get_by_role("button", name="Add hyperparameter").click()
    form.get_by_label("Hyperparameters: name 1").fill("lr")
    form.get_by_label("Hyperparameters: value 1").fill("0.1")
    form.get_by_role("button", name="Add variable").click()
    form.get_by_label("Environment variables: name 1").fill("SHADE")
    form.get_by_label("Environment variables: value 1").fill("dark")

    submit(page)

    expect(page.get_by_role("heading", name="mnist", level=1)).to_be_visible()
    expect(log_of(page)).to_contain_text('{"lr": 0.1} dark')
    expect_status(page.get_by_role("main"), "Running")
    (tmp_path / "go").touch()
    expect(log_of(page)).to_contain_text("done")
    expect_status(page.get_by_role("main"), "Succeeded")


def test_inputs_given_in_the_form_reach_the_command(hub_driver: HubPageDriver) -> None:
    """A file in the storage of the project is read by the job; its page names the source."""
    data = hub_driver.hub.home / "hub" / "storage" / "default" / "form-input.txt"
    data.parent.mkdir(parents=True, exist_ok=True)
    data.write_text("a hundred digits\n")
    page = hub_driver.create_user().open_page(JOBS)
    page.get_by_test_id("new").click()
    form = page.get_by_role("dialog", name="New job")
    form.get_by_test_id("command").fill('cat "$PAI_INPUT_TRAIN"')
    form.get_by_role("button", name="Add input").click()
    form.get_by_label("Inputs: name 1").fill("train")
    form.get_by_label("Inputs: value 1").fill("storage:form-input.txt")

    submit(page)

    expect(log_of(page)).to_contain_text("a hundred digits")
    page.get_by_role("link", name="Overview").click()
    expect(page.get_by_role("table", name="Inputs")).to_contain_text("storage:form-input.txt")


def test_inputs_that_cannot_be_read_are_reported_at_their_field(hub_driver: HubPageDriver) -> None:
    """What the hub says about one."""
    page = hub_driver.create_user().open_page(JOBS)
    page.get_by_test_id("new").click()
    form = page.get_by_role("dialog")
    form.get_by_test_id("command").fill("true")
    form.get_by_role("button", name="Add input").click()
    form.get_by_label("Inputs: name 1").fill("train")
    form.get_by_label("Inputs: value 1").fill("/nowhere")

    submit(page)

    expect(form.get_by_test_id("inputs").get_by_role("alert")).to_contain_text("the input train: /nowhere")


SANDBOX = "In a sandbox: it sees only its own processes and folders, and can read the folders of its project"
ISOLATION = {
    (None, None): ("–", "–"),
    ("kernel", "cgroup"): (SANDBOX, "By a control group: the kernel limits memory, CPUs and processes"),
    ("none", "watching"): (
        "None: it can read and write whatever the hub can",
        "By watching: memory is measured once a second, and nothing limits processes",
    ),
    ("kernel", "watching"): (
        SANDBOX,
        "By watching: memory is measured once a second. The sandbox limits processes, unless the hub runs as root",
    ),
}
"""What the page says of the isolation and the limits that the hub has stored."""


def test_jobs_say_what_isolates_and_limits_them(hub_driver: HubPageDriver) -> None:
    """What the hub has stored, or nothing before the command has started."""
    person = hub_driver.create_user()
    job = person.create_job("true", "Succeeded")
    page = person.open_page(f"/jobs/{job['id']}#overview")
    response = dict(job)
    page.route(f"**/api/v1/jobs/{job['id']}", lambda route: route.fulfill(json=response))
    for (isolation, limits), said in ISOLATION.items():
        response |= {"isolation": isolation, "limits": limits}
        reload(page)

        for name, words in zip(("Isolation", "Limits"), said, strict=True):
            expect(page.locator("dl > div").filter(has_text=name)).to_have_text(f"{name}{words}")


def test_wrong_input_is_reported_at_its_field(hub_driver: HubPageDriver) -> None:
    """Before sending, and what the hub refuses, such as an image that it has lost; what was typed stays."""
    person = hub_driver.create_user()
    person.create_job("true", name="taken", replicas=64)
    page = person.open_page(JOBS)
    lost = {"items": ["torch:0"], "images": [{"name": "torch:0", "state": "ready"}]}
    page.route("**/api/v1/images", lambda route: route.fulfill(json=lost))
    page.get_by_test_id("new").click()
    form = page.get_by_role("dialog")
    form.get_by_test_id("command").fill("true")
    form.get_by_test_id("job-name").fill("taken")
    form.get_by_test_id("advanced").click()
    form.get_by_label("Memory limit").fill("lots")

    submit(page)
    expect(form.get_by_label("Memory limit")).to_have_accessible_description(re.compile("such as 512M or 4G"))
    form.get_by_label("Memory limit").fill("4G")
    submit(page)

    expect(form.get_by_test_id("job-name")).to_have_accessible_description(re.compile("has not ended"))
    expect(form.get_by_test_id("job-name")).to_be_focused()
    expect(form.get_by_test_id("command")).to_have_value("true")
    form.get_by_test_id("job-name").fill("free")
    form.get_by_test_id("image").select_option("torch:0")
    submit(page)

    expect(form.get_by_test_id("image")).to_have_accessible_description(re.compile("this hub has no image torch:0"))
    expect(form.get_by_test_id("image")).to_be_focused()


PRESETS = [
    {"name": "cpu-small", "cpus": 1, "memory_bytes": 2 << 30, "gpus": 0},
    {"name": "gpu-large", "cpus": 8, "memory_bytes": None, "gpus": 2},
]


def test_presets_are_offered_with_what_they_have(hub_driver: HubPageDriver) -> None:
    """The first one is chosen. A hub without images and presets offers none."""
    page = hub_driver.create_user().open_page(JOBS)
    page.route("**/api/v1/images", lambda route: route.fulfill(json={"items": [], "images": []}))
    page.get_by_test_id("new").click()
    page.get_by_test_id("advanced").click()
    expect(page.get_by_label("Memory limit")).to_be_visible()
    expect(page.get_by_test_id("preset").or_(page.get_by_test_id("image"))).to_have_count(0)
    page.route("**/api/v1/presets", lambda route: route.fulfill(json={"items": PRESETS}))
    reload(page)
    page.get_by_test_id("new").click()

    choice = page.get_by_test_id("preset")
    expect(choice).to_have_value("cpu-small")
    expect(choice.locator("option")).to_have_text(["cpu-small: 1 CPU, 2G", "gpu-large: 8 CPUs, 2 GPUs"])


def test_a_container_image_can_be_typed_where_the_hub_allows_some(hub_driver: HubPageDriver) -> None:
    """With those of the hub as suggestions. What it does not allow is reported at the field."""
    page = hub_driver.create_user().open_page(JOBS)
    known = [{"name": "torch:0", "state": "ready"}]
    allowed = {"items": ["torch:0"], "images": known, "container_images": ["docker.io/library/*", "docker.io/team/**"]}
    page.route("**/api/v1/images", lambda route: route.fulfill(json=allowed))
    page.get_by_test_id("new").click()
    form = page.get_by_role("dialog")
    form.get_by_test_id("command").fill("true")
    form.get_by_test_id("advanced").click()
    image = form.get_by_test_id("image")
    expect(image).to_have_accessible_description(
        re.compile(re.escape("matches docker.io/library/*, docker.io/team/**"))
    )
    suggested = page.locator("datalist option").evaluate_all("(options) => options.map((option) => option.value)")
    violations = find_violations_in_both_themes(page)
    image.fill(" pytorch/pytorch:2.9.0 ")
    submit(page)

    expect(image).to_have_accessible_description(re.compile("this hub has no image pytorch/pytorch:2.9.0"))
    expect(image).to_be_focused()
    assert (suggested, violations) == (["torch:0"], {})


def test_a_preset_that_the_hub_has_lost_is_reported_at_its_field(hub_driver: HubPageDriver) -> None:
    """With what the hub says."""
    page = hub_driver.create_user().open_page(JOBS)
    page.route("**/api/v1/presets", lambda route: route.fulfill(json={"items": PRESETS}))
    page.get_by_test_id("new").click()
    form = page.get_by_role("dialog")
    form.get_by_test_id("command").fill("true")
    form.get_by_test_id("preset").select_option("gpu-large")
    submit(page)

    expect(form.get_by_test_id("preset")).to_have_accessible_description(re.compile("this hub has no preset gpu-large"))
    expect(form.get_by_test_id("preset")).to_be_focused()


def test_jobs_say_what_they_get(hub_driver: HubPageDriver) -> None:
    """And how limits are applied."""
    person = hub_driver.create_user()
    job = person.create_job("true", "Succeeded")
    page = person.open_page(JOBS)
    gets = {"preset": "gpu-large", "cpus": 2, "gpus": 1, "memory_limit_bytes": 4 << 30, "limits": "watching"}
    response = {**job, **gets, "replicas": 2, "cpu_ids": [0, 1, 2, 3], "gpu_ids": [0, 3]}
    page.route(f"**/api/v1/jobs/{job['id']}", lambda route: route.fulfill(json=response))
    page.goto(f"{hub_driver.hub.url}/jobs/{job['id']}?lang=en#overview")

    for name, value in (
        ("Preset", "gpu-large"),
        ("CPUs", "2 for each replicabound to CPU 0, 1, 2, 3"),
        ("GPUs", "1 for each replicaGPU 0, 3"),
        ("Memory limit", "4Gmeasured every second; ended if it uses more"),
    ):
        expect(page.locator("dl > div").filter(has_text=re.compile(f"^{name}"))).to_have_text(f"{name}{value}")


def test_jobs_can_be_submitted_by_keys(hub_driver: HubPageDriver) -> None:
    """The command has the focus, and Ctrl+Enter sends the form."""
    page = hub_driver.create_user().open_page(JOBS)
    tab_to(page, "[data-testid=new]")
    press(page, "Enter")
    expect(page.get_by_test_id("command")).to_be_focused()
    type_text(page, "echo by keys")

    press(page, "Control+Enter")

    expect(page.get_by_role("heading", name="echo-by-keys", level=1)).to_be_visible()
    expect_status(page.get_by_role("main"), "Succeeded")


def test_failed_jobs_say_why(hub_driver: HubPageDriver) -> None:
    """In the list and on the page, also on a phone."""
    person = hub_driver.create_user()
    job = person.create_job("echo broken >&2; exit 3", "Failed", name="bad")
    page = person.open_page(JOBS, width=390)
    row = board_row(page, "bad")
    expect_status(row, "Failed")
    expect(row).to_contain_text("exit code 3")
    expect(row.locator("time")).to_be_in_viewport()

    row.get_by_role("link", name="bad").click()

    expect(page.get_by_role("main")).to_contain_text("The command failed: exit code 3")
    expect(log_of(page)).to_contain_text("broken")
    assert page.url.split("?")[0].endswith(f"/jobs/{job['id']}")


def test_jobs_can_be_stopped_and_restarted(hub_driver: HubPageDriver) -> None:
    """Each attempt has its own log."""
    person = hub_driver.create_user()
    job = person.create_job('echo "attempt $LIGHTBOARD_JOB_ATTEMPT"; sleep 600', "Running")
    page = person.open_page(f"/jobs/{job['id']}")
    expect(log_of(page)).to_contain_text("attempt 1")

    page.get_by_test_id("stop").click()
    expect_status(page.get_by_role("main"), "Stopped")
    page.get_by_test_id("restart").click()

    expect_status(page.get_by_role("main"), "Running")
    expect(log_of(page)).to_contain_text("attempt 2")
    page.get_by_role("combobox", name="Attempt").select_option("1")
    expect(log_of(page)).to_contain_text("attempt 1")


def test_clones_have_the_settings_of_the_job(hub_driver: HubPageDriver) -> None:
    """With the next name."""
    person = hub_driver.create_user()
    settings = {
        "hyperparameters": {"lr": 0.1},
        "inputs": {"all": "storage:"},
        "environment": {"SEED": "1"},
        "priority": 7,
    }
    volumes = [{"source": "storage:", "target": "/all", "read_only": True}]
    person.create_job("echo $SEED", "Succeeded", name="mnist", volumes=volumes, **settings)
    page = person.open_page(JOBS)
    choose_from_menu(page, "mnist", "Clone with changes…")
    form = page.get_by_role("dialog", name="Clone “mnist”")
    expect(form.get_by_test_id("command")).to_have_value("echo $SEED")
    expect(form.get_by_label("Hyperparameters: value 1")).to_have_value("0.1")

    submit(page)

    expect(page.get_by_role("heading", name="mnist-2", level=1)).to_be_visible()
    made = person.request_json("GET", "jobs/mnist-2")
    assert {name: made[name] for name in settings} == settings
    assert [{name: each[name] for name in volumes[0]} for each in made["volumes"]] == volumes


def test_the_web_page_of_a_job_is_opened_once_it_is_served(hub_driver: HubPageDriver, tmp_path: pathlib.Path) -> None:
    """At the port that the form asks for; until then the button says so."""
    person = hub_driver.create_user()
    page = person.open_page(JOBS)
    page.get_by_test_id("new").click()
    form = page.get_by_role("dialog", name="New job")
    form.get_by_test_id("command").fill(f"{until(tmp_path / 'go')}; exec {sys.executable} -c '{SERVER}'")
    form.get_by_test_id("job-name").fill("shown")
    form.get_by_role("button", name="Advanced").click()
    form.get_by_label("Web page port").fill("http")
    submit(page)
    expect(form.get_by_label("Web page port")).to_have_attribute("aria-invalid", "true")
    form.get_by_label("Web page port").fill(str(free_ports(1)[0]))

    submit(page)

    expect(page.get_by_role("button", name="Page not up yet")).to_be_disabled()
    (tmp_path / "go").touch()
    with page.context.expect_page() as opened:
        page.get_by_test_id("open-page").and_(page.get_by_role("link", name="Open")).click()
    shown = opened.value
    expect(shown.get_by_role("heading", name="Served by a job")).to_be_visible()
    assert shown.url == person.request_json("GET", "jobs/shown")["url"]
    shown.close()
    page.get_by_test_id("stop").click()
    expect_status(page.get_by_role("main"), "Stopped")
    expect(page.get_by_test_id("open-page")).to_have_count(0)


def test_deleting_a_job_asks_once_and_keeps_its_outputs(hub_driver: HubPageDriver) -> None:
    """The dialog names the job and says so."""
    person = hub_driver.create_user()
    person.create_job("true", "Succeeded", name="old")
    page = person.open_page(JOBS)
    choose_from_menu(page, "old", "Delete…")
    dialog = page.get_by_role("dialog", name="Delete “old”?")
    expect(dialog).to_contain_text("its outputs are kept")

    dialog.get_by_role("button", name="Delete").click()

    expect(page.get_by_role("heading", name="No jobs yet")).to_be_visible()


@pytest.mark.parametrize("refused", ["logs?*", "logs/stream?*"])
def test_lines_appear_while_the_job_runs(hub_driver: HubPageDriver, tmp_path: pathlib.Path, refused: str) -> None:
    """They are streamed, or read part by part where streams do not arrive: each way works without the other."""
    person = hub_driver.create_user()
    line = f"echo begun; {until(tmp_path / 'go')}; echo more; {until(tmp_path / 'end')}; echo done"
    job = person.create_job(line, "Running")
    page = person.open_page()
    if "stream" in refused:
        page.route(f"**/{refused}", lambda route: route.fulfill(status=204))
    hub_driver.visit(page, f"/jobs/{job['id']}")
    expect(log_of(page)).to_contain_text("begun")
    if "stream" not in refused:
        page.route(f"**/{refused}", lambda route: None)

    (tmp_path / "go").touch()
    expect(log_of(page)).to_contain_text("more")
    (tmp_path / "end").touch()
    expect(log_of(page)).to_contain_text("done")
    expect(page.get_by_test_id("log")).to_have_attribute("data-complete", "true")


def test_the_list_of_jobs_follows_what_happens(hub_driver: HubPageDriver, tmp_path: pathlib.Path) -> None:
    """By the stream of changes, even while no list arrives; deleted ones leave it."""
    person = hub_driver.create_user()
    job = person.create_job(until(tmp_path / "go"), "Running", name="watched")
    page = person.open_page(JOBS)
    expect_status(board_row(page, "watched"), "Running")
    page.route("**/api/v1/jobs?*", lambda route: None)

    (tmp_path / "go").touch()
    expect_status(board_row(page, "watched"), "Succeeded")
    person.request_json("DELETE", f"jobs/{job['id']}")
    expect(board_row(page, "watched")).to_have_count(0)


def test_the_log_follows_until_the_reader_scrolls_up(hub_driver: HubPageDriver, tmp_path: pathlib.Path) -> None:
    """New lines then leave what is read in its place."""
    person = hub_driver.create_user()
    line = f"seq 500; {until(tmp_path / 'go')}; seq 501 900; echo end; sleep 600"
    job = person.create_job(line, "Running")
    page = person.open_page(f"/jobs/{job['id']}")
    log = log_of(page)
    expect(page.get_by_text("500 lines")).to_be_visible()
    settle(page)
    assert log.evaluate(AT_END)

    log.hover()
    page.mouse.wheel(0, -2000)
    expect(page.get_by_test_id("follow")).to_have_attribute("aria-pressed", "false")
    settle(page)
    top = log.evaluate("(box) => box.scrollTop")
    (tmp_path / "go").touch()
    expect(page.get_by_text("901 lines")).to_be_visible()
    settle(page)
    assert log.evaluate("(box) => box.scrollTop") == top
    page.get_by_test_id("follow").click()

    expect(log.get_by_text("end", exact=True)).to_be_in_viewport()


def test_long_logs_can_be_searched_and_downloaded(hub_driver: HubPageDriver, tmp_path: pathlib.Path) -> None:
    """Few lines are in the page at a time; of lines that replace each other the last one stays."""
    person = hub_driver.create_user()
    line = "seq 1000 | sed 's/^/step /'; printf '1 %%\\r2 %%\\r\\033[32mdone\\033[0m\\n'"
    job = person.create_job(line, "Succeeded", name="long")
    page = person.open_page(f"/jobs/{job['id']}")
    expect(page.get_by_text("1,001 lines")).to_be_visible()
    expect(log_of(page).get_by_text("done", exact=True)).to_be_in_viewport()
    assert page.get_by_test_id("log-line").count() < 120

    page.get_by_role("searchbox").fill("STEP 50")
    expect(page.get_by_test_id("matches")).to_have_text("0 / 11")
    page.get_by_role("searchbox").press("Enter")

    expect(page.get_by_test_id("matches")).to_have_text("1 / 11")
    expect(log_of(page).locator("mark").first).to_be_in_viewport()
    with page.expect_download() as download:
        page.get_by_test_id("download").click()
    assert download.value.suggested_filename == "long-1-0.log"
    download.value.save_as(tmp_path / "log")
    steps = "".join(f"step {number}\n" for number in range(1, 1001))
    assert (tmp_path / "log").read_text() == f"{steps}\033[32mdone\033[0m\n"


def test_waiting_jobs_say_what_they_wait_for(hub_driver: HubPageDriver) -> None:
    """In the place of the log."""
    person = hub_driver.create_user()
    job = person.create_job("true", name="big", replicas=64)

    page = person.open_page(f"/jobs/{job['id']}")

    expect(page.get_by_role("heading", name="Waiting for a slot…")).to_be_visible()
    expect(page.get_by_role("main")).to_contain_text("as soon as 64 slots are free")


def test_jobs_can_be_filtered(hub_driver: HubPageDriver) -> None:
    """By status and by what is searched; another kind has other filters."""
    person = hub_driver.create_user()
    person.create_job("true", "Succeeded", name="good")
    person.create_job("exit 1", "Failed", name="bad")
    page = person.open_page(JOBS)
    expect(board_row(page, "bad")).to_be_visible()

    page.get_by_role("combobox", name="Status").select_option("Succeeded")
    expect(board_row(page, "bad")).to_have_count(0)
    expect(board_row(page, "good")).to_be_visible()
    page.get_by_role("searchbox").fill("nothing like it")
    page.get_by_role("button", name="Clear filters").click()
    expect(board_row(page, "bad")).to_be_visible()


def test_the_tensorboard_of_a_job_opens_and_leads_back(hub_driver: HubPageDriver) -> None:
    """It is created when it is opened first."""
    person = hub_driver.create_user()
    job = person.create_job("true", "Succeeded", name="curves")
    page = person.open_page(JOBS)
    with page.context.expect_page() as opened:
        board_row(page, "curves").get_by_test_id("open").click()
    expect(opened.value).to_have_url(re.compile("/tb/"))
    opened.value.close()
    board = person.request_json("GET", "tensorboards?origin=job")["items"][0]
    assert board["origin_id"] == job["id"]

    overview = person.open_page(f"/tensorboards/{board['id']}")
    overview.get_by_role("main").get_by_role("link", name="Job", exact=True).click()

    expect(overview.get_by_role("heading", name="curves", level=1)).to_be_visible()


def test_what_runs_looks_the_same_in_both_lists(hub_driver: HubPageDriver) -> None:
    """The status of a job as that of a TensorBoard; success differs from it by sign and colour."""
    person = hub_driver.create_user()
    person.create_board("curves")
    person.create_job("sleep 600", "Running", name="running")
    person.create_job("true", "Succeeded", name="done")
    boards, jobs = person.open_page(), person.open_page(JOBS)

    board, running, done = (
        board_row(page, name).get_by_test_id("status").evaluate(PILL)
        for page, name in ((boards, "curves"), (jobs, "running"), (jobs, "done"))
    )

    assert running == board
    assert {key for key in done if done[key] != running[key]} == {"colour", "sign"}


def test_statuses_stand_out_in_both_themes(hub_driver: HubPageDriver) -> None:
    """Also in the row below the pointer."""
    person = hub_driver.create_user()
    person.create_job("true", "Succeeded", name="done")
    person.create_job("sleep 600", "Running", name="running")
    person.create_job("true", name="queued", replicas=64)
    page = person.open_page(JOBS)

    found = {}
    for name in ("done", "running", "queued"):
        board_row(page, name).hover()
        found[name] = find_violations_in_both_themes(page)

    assert found == {"done": {}, "running": {}, "queued": {}}


def test_accounts_that_may_not_run_jobs_are_told(hub_driver: HubPageDriver) -> None:
    """They have no button."""
    person = hub_driver.create_user()
    hub_driver.hub.json("PATCH", f"/api/v1/accounts/{person.name}", {"permissions": {"run_jobs": False}})
    page = person.open_page(JOBS)

    expect(page.get_by_text("You are not allowed to run jobs")).to_be_visible()
    expect(page.get_by_test_id("new")).to_have_count(0)


MISLEADING = "evil \u202egnp.exe\u202c"


def test_names_and_commands_cannot_mislead_a_reader(hub_driver: HubPageDriver) -> None:
    """Marks that turn the direction of text are seen as such; what is copied and edited still has them."""
    person = hub_driver.create_user()
    fields = {"display_name": MISLEADING, "tags": [MISLEADING], "labels": {"a": MISLEADING}}
    job = person.create_job(f"echo '{MISLEADING}'", "Succeeded", **fields)
    page = person.open_page(JOBS)
    texts = [page.locator("main").inner_text()]
    page.goto(f"{hub_driver.hub.url}/jobs/{job['id']}?lang=en#overview")
    settle(page)
    texts.append(page.locator("main").inner_text())
    shown = r"evil \u202egnp.exe\u202c"

    expect(page.locator("dl > div").filter(has_text="Display name").locator("dd")).to_have_text(shown)
    expect(page.locator("dl > div").filter(has_text="Tags").locator("dd")).to_have_text(shown)
    expect(page.locator("main code").first).to_have_text(f"echo '{shown}'")
    assert [text for text in texts if "\u202e" in text] == []


def test_sections_that_do_not_fit_are_behind_a_button(hub_driver: HubPageDriver) -> None:
    """On phones; the current one is always in the bar, which is one line."""
    person = hub_driver.create_user()
    job = person.create_job("true", "Succeeded")
    page = person.open_page(f"/jobs/{job['id']}", width=390)
    bar = page.get_by_role("navigation", name="Page sections")
    more = bar.get_by_role("button", name="More", exact=True)
    more.click()
    page.get_by_role("menuitem", name="Timeline", exact=True).click()

    expect(bar.locator("[aria-current]")).to_have_text("Timeline")
    expect(page).to_have_url(re.compile("#timeline$"))
    tops = "(bar) => new Set([...bar.querySelectorAll('a')].map((each) => each.offsetTop)).size"
    assert (bar.evaluate(tops), bar.evaluate("(bar) => bar.scrollWidth <= bar.clientWidth")) == (1, True)
    page.set_viewport_size({"width": 1440, "height": 900})
    expect(bar.get_by_role("link")).to_have_count(7)
    expect(more).to_have_count(0)
