"""Takes the screenshots of the README and of docs/: docs/pictures/*.png, in light and in dark colours.

Starts `lightboard demo`, waits for its live run, and points at a loss curve to show the tooltip and the cursor; then
starts `lightboard hub` with logs of the tests, and boards over the graph of a transformer and over captures of the
tests. A picture is only written if all of its subjects are visible. Requires the built web pages, a Chromium (see
tests/support/chromium.py), and the environment with PyTorch that scripts/setup_frameworks.sh makes.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from typing import Any, NamedTuple

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from PIL import Image  # noqa: E402
from playwright.sync_api import Browser, Locator, Page, sync_playwright  # noqa: E402

from support.board_process import BoardProcess  # noqa: E402
from support.chromium import CHROMIUM_FLAGS, find_browser  # noqa: E402
from support.hub_process import PASSWORD, HubProcess  # noqa: E402
from support.settled_pages import settle  # noqa: E402

TARGET = ROOT / "docs" / "pictures"
MODELS = (ROOT / ".venv-frameworks" / "bin" / "python", ROOT / "scripts" / "corpus" / "write_model_graphs.py")
"""The Python that has PyTorch, and the program that writes graphs with it."""
CAPTURES = ROOT / "tests" / "data" / "profiles"
TUTORIAL_PAGE = ROOT / "docs" / "tutorial.md"
LIVE = "live/training-now"
LIVE_STEPS = 200
PATIENCE_SECS = 180
CARD = "validation/loss"
LAST = ("decision/map", "activations/hidden")
"""Cards of images and histograms, which are loaded after the charts."""
SIDE_PX = 404
"""Width of the side bar, in which the names of all runs fit beside these columns."""
COLUMNS = "metric:validation/loss:last,config:lr"
TRUNCATED = "names => names.filter(each => each.scrollWidth > each.clientWidth).map(each => each.textContent)"
POINTER = (0.42, 0.45)
"""The position of the pointer, as fractions of the plot's width and height."""


class Subject(NamedTuple):
    """A picture must show at least `count` elements that match `selector`, completely and not in a single colour."""

    selector: str
    count: int


LOGS = ROOT / "tests" / "data" / "logs"
BOARDS: dict[str, dict[str, Any]] = {
    "Fashion-MNIST, two optimisers": {"logs": "keras_kinds", "origin": "notebook", "tags": ["vision"]},
    "Learning rate sweep": {"logs": "hparams_api", "origin": "sdk"},
    "Detector, every kind of data": {"logs": "torch_kinds", "origin": "ui", "tags": ["vision", "nightly"]},
    "Text model, fine-tuned": {"logs": "transformers", "origin": "job", "stopped": True},
    "Segmentation": {"logs": "", "origin": "cli"},
}


TIME_SERIES = (
    Subject("[data-testid=run-row]", 8),
    Subject("[data-testid=card][data-state=ready] canvas", 4),
    Subject("[data-testid=tip] tbody tr", 1),
)
JOB_ANALYSIS = (
    Subject("[data-testid=instance-row]", len(BOARDS)),
    Subject("[data-testid=instance-row] [data-testid=open]", 3),
)

TUTORIAL = (
    Subject("[data-testid=run-row]", 3),
    Subject("[data-testid=card][data-state=ready] canvas", 3),
)
GRAPH = (
    Subject("[data-testid=graphs] canvas", 1),
    Subject("[data-testid=graph-details]", 1),
)
TIME_LINE = (
    Subject("[data-testid=time-line] canvas", 1),
    Subject("[data-testid=time-line]", 1),
)
GRAPH_VIEW = "?graphs=run%3Dtransformer%3Btag%3D__run_graph__%3Bform%3Dop%3Bselected%3DTransformer/Layer%5B0%5D#graphs"
TIME_LINE_VIEW = "?profile=capture%3Dtorch_gpu%3Bview%3Dtimeline#profile"
RATES = ("0.01", "0.1", "0.5")


TWO_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""Chromium cannot take a picture of a page that it has never painted."""


def main() -> None:
    """Write the pictures."""
    TARGET.mkdir(parents=True, exist_ok=True)
    executable, env, arguments = find_browser()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=executable, args=[*CHROMIUM_FLAGS, *arguments], env={**os.environ, **env}
        )
        take_board(browser, TARGET)
        take_hub(browser, TARGET)
        take_tutorial(browser, TARGET)
        take_graph(browser, TARGET)
        take_time_line(browser, TARGET)
        browser.close()


def write_screenshot(page: Page, file: pathlib.Path, subjects: tuple[Subject, ...]) -> None:
    """Write a picture of the page. Raises ValueError, and writes nothing, if a subject is not visible."""
    temporary = file.with_suffix(".new.png")
    page.evaluate(TWO_FRAMES)
    page.screenshot(path=temporary)
    try:
        with Image.open(temporary) as picture:
            for subject in subjects:
                visible = sum(is_visible(picture, element) for element in page.locator(subject.selector).all())
                if visible < subject.count:
                    raise ValueError(f"{file.name} shows {visible} of {subject.count} {subject.selector}")
        temporary.replace(file)
    finally:
        temporary.unlink(missing_ok=True)


def wait_for(page: Page, subjects: tuple[Subject, ...]) -> None:
    """Wait until the page has all subjects, visible or not."""
    for subject in subjects:
        page.locator(subject.selector).nth(subject.count - 1).wait_for()


def is_visible(picture: Image.Image, element: Locator) -> bool:
    """Whether the element is completely within the picture and has more than one colour."""
    box = element.bounding_box()
    if not box or not box["width"] or not box["height"]:
        return False
    edges = (box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"])
    left, top, right, bottom = (round(edge) for edge in edges)
    if left < 0 or top < 0 or right > picture.width or bottom > picture.height:
        return False
    colours = picture.convert("RGB").crop((left, top, right, bottom)).getcolors(maxcolors=2)
    return colours is None


def take_board(browser: Browser, target: pathlib.Path, *, live_steps: int = LIVE_STEPS) -> None:
    """Take pictures of Time Series with the demo, when its live run has reached `live_steps`."""
    command = [sys.executable, "-m", "lightboard", "demo", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as demo:
        try:
            url = read_url(demo)
            wait_for_steps(url, live_steps)
            for scheme in ("light", "dark"):
                take(browser, url, scheme, target)
        finally:
            demo.terminate()


def take_hub(browser: Browser, target: pathlib.Path) -> None:
    """Take pictures of Job Analysis with boards in several statuses."""
    with tempfile.TemporaryDirectory() as folder, HubProcess(pathlib.Path(folder)) as hub:
        token = hub.create_account("vision-team", "editor")
        storage = pathlib.Path(folder) / "hub" / "storage" / "default"
        for name, board in BOARDS.items():
            create_board(hub, token, storage, name, **board)
        for scheme in ("light", "dark"):
            context = browser.new_context(
                viewport={"width": 1440, "height": 560}, color_scheme=scheme, locale="en-GB", reduced_motion="reduce"
            )
            context.request.post(f"{hub.url}/api/v1/login", data={"name": "vision-team", "password": PASSWORD})
            page = context.new_page()
            page.goto(hub.url)
            page.wait_for_selector("html[data-ready]")
            wait_for(page, JOB_ANALYSIS)
            page.wait_for_function("() => !document.body.innerText.includes('reading…')")
            write_screenshot(page, target / f"job-analysis-{scheme}.png", JOB_ANALYSIS)
            context.close()


def take_tutorial(browser: Browser, target: pathlib.Path) -> None:
    """The board of the tutorial, after its program ran with its three learning rates."""
    (program,) = re.findall(r"^```python\n(.*?)^```", TUTORIAL_PAGE.read_text(), re.MULTILINE | re.DOTALL)
    with tempfile.TemporaryDirectory() as folder:
        for rate in RATES:
            subprocess.run([sys.executable, "-c", program, rate], cwd=folder, check=True)
        with BoardProcess(pathlib.Path(folder) / "runs", "--reload_task", "blocking") as board:
            page = browser.new_context(
                viewport={"width": 1440, "height": 680}, color_scheme="light", locale="en-GB", reduced_motion="reduce"
            ).new_page()
            page.goto(board.url)
            page.wait_for_selector("html[data-ready]")
            wait_for(page, TUTORIAL)
            page.locator("[data-testid=run-row] [data-cell^=metric]", has_text=re.compile(r"\d")).first.wait_for()
            write_screenshot(page, target / "tutorial-board.png", TUTORIAL)
            page.context.close()


def take_graph(browser: Browser, target: pathlib.Path) -> None:
    """Take pictures of Graphs with a transformer of 48 layers, one of which is selected."""
    python, program = MODELS
    with tempfile.TemporaryDirectory() as folder:
        logs = pathlib.Path(folder) / "models"
        subprocess.run([python, program, logs, "transformer"], check=True)
        with BoardProcess(logs, "--reload_task", "blocking") as board:
            take_both(browser, board.url + GRAPH_VIEW, target / "graph", GRAPH)


def take_time_line(browser: Browser, target: pathlib.Path) -> None:
    """Take pictures of the time line of three steps on a GPU."""
    with BoardProcess(CAPTURES, "--reload_task", "blocking") as board:
        take_both(browser, board.url + TIME_LINE_VIEW, target / "time-line", TIME_LINE)


def take_both(browser: Browser, url: str, name: pathlib.Path, subjects: tuple[Subject, ...]) -> None:
    """Take `NAME-light.png` and `NAME-dark.png` of a page."""
    for scheme in ("light", "dark"):
        page = browser.new_context(
            viewport={"width": 1440, "height": 900}, color_scheme=scheme, locale="en-GB", reduced_motion="reduce"
        ).new_page()
        page.goto(url)
        page.wait_for_selector("html[data-ready]")
        wait_for(page, subjects)
        settle(page)
        write_screenshot(page, name.with_name(f"{name.name}-{scheme}.png"), subjects)
        page.context.close()


def create_board(
    hub: HubProcess, token: str, storage: pathlib.Path, name: str, *, logs: str, stopped: bool = False, **options: Any
) -> None:
    """Create a board with logs of the tests, or of a missing folder if `logs` is "". Stop it if `stopped`."""
    path = f"experiments/{logs or 'segmentation'}"
    if logs:
        shutil.copytree(LOGS / logs, storage / path)
    body = {"display_name": name, "sources": [{"uri": f"storage:{path}"}], **options}
    board = hub.json("POST", "/api/v1/tensorboards", body, token)
    hub.wait_for_status(board["id"], "Running" if logs else "Creating_Failed", token)
    if stopped:
        hub.json("PUT", f"/api/v1/tensorboards/{board['id']}/stop", token=token)
        hub.wait_for_status(board["id"], "Stopped", token)


def read_url(demo: subprocess.Popen[str]) -> str:
    """The URL that the demo prints."""
    assert demo.stderr
    for line in demo.stderr:
        match = re.search(r"http://\S+", line)
        if match:
            return match.group().rstrip("/") + "/"
    raise SystemExit("the demo ended before it printed its URL")


def wait_for_steps(url: str, steps: int) -> None:
    """Wait until the live run has reached a step."""
    deadline = time.monotonic() + PATIENCE_SECS
    while time.monotonic() < deadline:
        with urllib.request.urlopen(f"{url}api/v1/runs") as response:
            runs: list[dict[str, Any]] = json.load(response)["runs"]
        if any(run["name"] == LIVE and (run["last_step"] or 0) >= steps for run in runs):
            return
        time.sleep(1)
    raise SystemExit(f"no {steps} steps of {LIVE} within {PATIENCE_SECS} s")


def take(browser: Browser, url: str, scheme: str, target: pathlib.Path) -> None:
    """Take one picture of Time Series in a colour scheme."""
    page = browser.new_context(
        viewport={"width": 1440, "height": 900}, color_scheme=scheme, locale="en-GB", reduced_motion="reduce"
    ).new_page()
    page.add_init_script(f"localStorage.setItem('lightboard.side', '{{\"width\": {SIDE_PX}}}')")
    page.goto(f"{url}?table={COLUMNS}")
    page.wait_for_selector("html[data-ready]")
    for tag in LAST:
        page.locator(f'[data-tag="{tag}"]').locator("canvas, img").first.wait_for()
    card = page.locator(f'[data-testid=card][data-tag="{CARD}"][data-state=ready]')
    box = card.locator("canvas").first.bounding_box()
    assert box
    page.mouse.move(box["x"] + POINTER[0] * box["width"], box["y"] + POINTER[1] * box["height"])
    wait_for(page, TIME_SERIES)
    # Values in the table are loaded after the first charts.
    page.locator("[data-testid=run-row] [data-cell^=metric]", has_text=re.compile(r"\d")).first.wait_for()
    reject_truncated_names(page, "[data-testid=run-row] bdi, [data-testid=run-row] bdi > span")
    write_screenshot(page, target / f"time-series-{scheme}.png", TIME_SERIES)
    page.context.close()


def reject_truncated_names(page: Page, names: str) -> None:
    """Raise ValueError if one of the names does not fit."""
    truncated = page.locator(names).evaluate_all(TRUNCATED)
    if truncated:
        raise ValueError(f"names are truncated: {', '.join(truncated)}")


if __name__ == "__main__":
    main()
