"""Take the pictures of the README: docs/pictures/time-series-light.png, job-analysis-light.png and their dark ones.

Starts `lightboard demo`, waits until its live run has come far enough, and points at a loss curve so that tip and
cursor are seen; then `lightboard hub` over logs of the tests. Needs the pages built and a Chromium (see
tests/browser/chromium.py).
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
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests" / "browser"), str(ROOT / "tests")]

from chromium import QUIET, find_browser  # noqa: E402
from playwright.sync_api import Browser, sync_playwright  # noqa: E402

from running_hub import PASSWORD, RunningHub  # noqa: E402

TARGET = ROOT / "docs" / "pictures"
LIVE = "live/training-now"
LIVE_STEPS = 200
PATIENCE_SECS = 180
CARD = "validation/loss"
LAST = "decision/map"
"""A card of images: they come after the charts."""
POINTER = (0.42, 0.45)
"""Where to point, as parts of the plot's width and height."""


LOGS = ROOT / "tests" / "data" / "logs"
BOARDS: dict[str, dict[str, Any]] = {
    "Fashion-MNIST, two optimisers": {"logs": "keras_kinds", "origin": "notebook", "tags": ["vision"]},
    "Learning rate sweep": {"logs": "hparams_api", "origin": "sdk"},
    "Detector, every kind of data": {"logs": "torch_kinds", "origin": "ui", "tags": ["vision", "nightly"]},
    "Text model, fine-tuned": {"logs": "transformers", "origin": "job", "rests": True},
    "Segmentation": {"logs": "", "origin": "cli"},
}


def main() -> None:
    """Write the pictures."""
    TARGET.mkdir(parents=True, exist_ok=True)
    executable, env, arguments = find_browser()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=executable, args=[*QUIET, *arguments], env={**os.environ, **env}
        )
        take_board(browser)
        take_hub(browser)
        browser.close()


def take_board(browser: Browser) -> None:
    """Time Series, over the demo."""
    demo = subprocess.Popen(
        [sys.executable, "-m", "lightboard", "demo", "--port", "0"], stderr=subprocess.PIPE, text=True
    )
    try:
        url = address(demo)
        wait_for_steps(url)
        for scheme in ("light", "dark"):
            take(browser, url, scheme)
    finally:
        demo.terminate()
        demo.wait()


def take_hub(browser: Browser) -> None:
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
            page.wait_for_function("() => !document.body.innerText.includes('reading…')")
            page.screenshot(path=TARGET / f"job-analysis-{scheme}.png")
            context.close()


def place_board(
    hub: RunningHub, token: str, storage: pathlib.Path, name: str, *, logs: str, rests: bool = False, **wish: Any
) -> None:
    """A board over logs of the tests, or where `logs` is "" over nothing; one that `rests` is stopped."""
    place = f"experiments/{logs or 'segmentation'}"
    if logs:
        shutil.copytree(LOGS / logs, storage / place)
    body = {"display_name": name, "sources": [{"uri": f"storage:{place}"}], **wish}
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


def wait_for_steps(url: str) -> None:
    """Until the live run has made its steps."""
    deadline = time.monotonic() + PATIENCE_SECS
    while time.monotonic() < deadline:
        with urllib.request.urlopen(f"{url}api/v1/runs") as answer:
            runs: list[dict[str, Any]] = json.load(answer)["runs"]
        if any(run["name"] == LIVE and (run["last_step"] or 0) >= LIVE_STEPS for run in runs):
            return
        time.sleep(1)
    raise SystemExit(f"no {LIVE_STEPS} steps of {LIVE} within {PATIENCE_SECS} s")


def take(browser: Browser, url: str, scheme: str) -> None:
    """One picture of the page in a colour scheme."""
    page = browser.new_context(
        viewport={"width": 1440, "height": 900}, color_scheme=scheme, locale="en-GB", reduced_motion="reduce"
    ).new_page()
    page.goto(url)
    page.wait_for_selector("html[data-ready]")
    page.locator(f'[data-testid=card][data-tag="{LAST}"]').wait_for()
    card = page.locator(f'[data-testid=card][data-tag="{CARD}"][data-state=ready]')
    box = card.locator("canvas").first.bounding_box()
    assert box
    page.mouse.move(box["x"] + POINTER[0] * box["width"], box["y"] + POINTER[1] * box["height"])
    page.locator("[data-testid=tip] tbody tr").first.wait_for()
    # Figures in the table come a moment after the first charts.
    page.locator("[data-testid=run-row] [data-cell^=metric]", has_text=re.compile(r"\d")).first.wait_for()
    page.screenshot(path=TARGET / f"time-series-{scheme}.png")
    page.context.close()


if __name__ == "__main__":
    main()
