"""Take the pictures of the README: docs/pictures/time-series-light.png, job-analysis-light.png and their dark ones.

Starts `lightboard demo`, waits until its live run has come far enough, and points at a loss curve so that tip and
cursor are seen; then `lightboard hub` over logs of the tests. A picture is written only if what it must show is in
it. Needs the pages built and a Chromium (see tests/browser/chromium.py).
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
sys.path[:0] = [str(ROOT / "tests" / "browser"), str(ROOT / "tests")]

from chromium import QUIET, find_browser  # noqa: E402
from PIL import Image  # noqa: E402
from playwright.sync_api import Browser, Locator, Page, sync_playwright  # noqa: E402

from running_hub import PASSWORD, RunningHub  # noqa: E402

TARGET = ROOT / "docs" / "pictures"
LIVE = "live/training-now"
LIVE_STEPS = 200
PATIENCE_SECS = 180
CARD = "validation/loss"
LAST = ("decision/map", "activations/hidden")
"""Cards of images and histograms: they come after the charts."""
SIDE_PX = 404
"""Width of the side bar: the names of all runs stand in it whole, beside these columns."""
COLUMNS = "metric:validation/loss:last,config:lr"
CUT = "names => names.filter(each => each.scrollWidth > each.clientWidth).map(each => each.textContent)"
POINTER = (0.42, 0.45)
"""Where to point, as parts of the plot's width and height."""


class Subject(NamedTuple):
    """What a picture must show: at least `count` elements that match `selector`, whole and with something in them."""

    selector: str
    count: int


LOGS = ROOT / "tests" / "data" / "logs"
BOARDS: dict[str, dict[str, Any]] = {
    "Fashion-MNIST, two optimisers": {"logs": "keras_kinds", "origin": "notebook", "tags": ["vision"]},
    "Learning rate sweep": {"logs": "hparams_api", "origin": "sdk"},
    "Detector, every kind of data": {"logs": "torch_kinds", "origin": "ui", "tags": ["vision", "nightly"]},
    "Text model, fine-tuned": {"logs": "transformers", "origin": "job", "rests": True},
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


def main() -> None:
    """Write the pictures."""
    TARGET.mkdir(parents=True, exist_ok=True)
    executable, env, arguments = find_browser()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=executable, args=[*QUIET, *arguments], env={**os.environ, **env}
        )
        take_board(browser, TARGET)
        take_hub(browser, TARGET)
        browser.close()


def shoot(page: Page, file: pathlib.Path, subjects: tuple[Subject, ...]) -> None:
    """Write a picture of the page. Raises ValueError, and writes nothing, if a subject is not to be seen in it."""
    fresh = file.with_suffix(".new.png")
    page.screenshot(path=fresh)
    try:
        with Image.open(fresh) as picture:
            for subject in subjects:
                seen = sum(is_seen(picture, element) for element in page.locator(subject.selector).all())
                if seen < subject.count:
                    raise ValueError(f"{file.name} shows {seen} of {subject.count} {subject.selector}")
        fresh.replace(file)
    finally:
        fresh.unlink(missing_ok=True)


def wait_for(page: Page, subjects: tuple[Subject, ...]) -> None:
    """Until the page has all of them, in sight or not."""
    for subject in subjects:
        page.locator(subject.selector).nth(subject.count - 1).wait_for()


def is_seen(picture: Image.Image, element: Locator) -> bool:
    """Whether the element lies whole within the picture, and is no area of one colour."""
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
    """Time Series, over the demo when its live run has made so many steps."""
    command = [sys.executable, "-m", "lightboard", "demo", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as demo:
        try:
            url = address(demo)
            wait_for_steps(url, live_steps)
            for scheme in ("light", "dark"):
                take(browser, url, scheme, target)
        finally:
            demo.terminate()


def take_hub(browser: Browser, target: pathlib.Path) -> None:
    """Job Analysis, with boards in several statuses."""
    with tempfile.TemporaryDirectory() as folder, RunningHub(pathlib.Path(folder)) as hub:
        token = hub.person("vision-team", "editor")
        storage = pathlib.Path(folder) / "hub" / "storage" / "default"
        for name, board in BOARDS.items():
            place_board(hub, token, storage, name, **board)
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
            shoot(page, target / f"job-analysis-{scheme}.png", JOB_ANALYSIS)
            context.close()


def place_board(
    hub: RunningHub, token: str, storage: pathlib.Path, name: str, *, logs: str, rests: bool = False, **options: Any
) -> None:
    """A board over logs of the tests, or where `logs` is "" over nothing; one that `rests` is stopped."""
    place = f"experiments/{logs or 'segmentation'}"
    if logs:
        shutil.copytree(LOGS / logs, storage / place)
    body = {"display_name": name, "sources": [{"uri": f"storage:{place}"}], **options}
    made = hub.json("POST", "/api/v1/tensorboards", body, token)
    hub.becomes(made["id"], "Running" if logs else "Creating_Failed", token)
    if rests:
        hub.json("PUT", f"/api/v1/tensorboards/{made['id']}/stop", token=token)
        hub.becomes(made["id"], "Stopped", token)


def address(demo: subprocess.Popen[str]) -> str:
    """Where the demo answers, from what it says."""
    assert demo.stderr
    for line in demo.stderr:
        found = re.search(r"http://\S+", line)
        if found:
            return found.group().rstrip("/") + "/"
    raise SystemExit("the demo ended before it said where")


def wait_for_steps(url: str, steps: int) -> None:
    """Until the live run has made so many."""
    deadline = time.monotonic() + PATIENCE_SECS
    while time.monotonic() < deadline:
        with urllib.request.urlopen(f"{url}api/v1/runs") as answer:
            runs: list[dict[str, Any]] = json.load(answer)["runs"]
        if any(run["name"] == LIVE and (run["last_step"] or 0) >= steps for run in runs):
            return
        time.sleep(1)
    raise SystemExit(f"no {steps} steps of {LIVE} within {PATIENCE_SECS} s")


def take(browser: Browser, url: str, scheme: str, target: pathlib.Path) -> None:
    """One picture of the page in a colour scheme."""
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
    # Figures in the table come a moment after the first charts.
    page.locator("[data-testid=run-row] [data-cell^=metric]", has_text=re.compile(r"\d")).first.wait_for()
    refuse_cut_names(page, "[data-testid=run-row] bdi, [data-testid=run-row] bdi > span")
    shoot(page, target / f"time-series-{scheme}.png", TIME_SERIES)
    page.context.close()


def refuse_cut_names(page: Page, names: str) -> None:
    """Raises ValueError if one of the names has too little room."""
    cut = page.locator(names).evaluate_all(CUT)
    if cut:
        raise ValueError(f"names are cut: {', '.join(cut)}")


if __name__ == "__main__":
    main()
