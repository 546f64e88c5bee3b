"""A real JupyterLab behind a path prefix, and its notebooks in a browser."""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
from typing import Any, Self

from playwright.sync_api import Browser, Frame, Locator, Page, expect

from support.hub_process import wait_for
from support.page_driver import PageDriver
from support.settled_pages import TIMEOUT_MS, settle

BASE_URL = "/user/alice/nb1/"
"""The path below which the server answers, as behind the proxy of a hub."""
TOKEN = "token-of-the-server"
TIMEOUT_SECS = 60
LAB_MS = 60_000
"""JupyterLab has many files."""
QUIET = (
    "--LabApp.extension_manager=readonly",
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    "--LabApp.news_url=None",
    "--LabApp.expose_app_in_browser=True",
)
"""It asks no other server for anything. Tests run its commands, such as that for another theme."""
EMPTY = {
    "cells": [
        {"cell_type": "code", "id": "first", "execution_count": None, "metadata": {}, "outputs": [], "source": ""}
    ],
    "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}},
    "nbformat": 4,
    "nbformat_minor": 5,
}


class JupyterLab:
    """Started at once, with `folder` for the notebooks. A context manager. `variables` are set for its kernels."""

    def __init__(self, folder: pathlib.Path, variables: dict[str, str]) -> None:
        self.folder = folder
        runtime = folder.with_name("runtime")
        # Anything else of this user, such as settings and kernels, stays out.
        own = {f"JUPYTER_{name}_DIR": str(folder.with_name(name.lower())) for name in ("CONFIG", "DATA")}
        own |= {"JUPYTER_RUNTIME_DIR": str(runtime), "IPYTHONDIR": str(folder.with_name("ipython"))}
        self._output = folder.with_name("jupyter.log").open("w")
        self.process = subprocess.Popen(
            [
                *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", *QUIET),
                *("--ServerApp.ip=127.0.0.1", "--ServerApp.port=0", f"--ServerApp.base_url={BASE_URL}"),
                *(f"--IdentityProvider.token={TOKEN}", f"--ServerApp.root_dir={folder}"),
            ],
            env={**os.environ, **own, **variables},
            stdout=self._output,
            stderr=subprocess.STDOUT,
        )
        note = runtime / f"jpserver-{self.process.pid}.json"
        wait_for(lambda: note.exists() or self.process.poll() is not None, bool, "the server")
        assert self.process.poll() is None, folder.with_name("jupyter.log").read_text()
        self.url: str = json.loads(note.read_text())["url"]

    def close(self) -> None:
        """End the server, which ends its kernels."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(TIMEOUT_SECS)
        self._output.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class NotebookDriver(PageDriver):
    """Opens notebooks of one server, types into their cells and restarts their kernels."""

    def __init__(self, browser: Browser, lab: JupyterLab) -> None:
        super().__init__(browser)
        self.lab = lab

    def open_notebook(self, name: str) -> Page:
        """A new notebook with an empty cell, once its kernel waits for input."""
        (self.lab.folder / f"{name}.ipynb").write_text(json.dumps(EMPTY))
        made = self.browser.new_context(viewport={"width": 1440, "height": 1200}, locale="en-GB", bypass_csp=True)
        made.set_default_timeout(TIMEOUT_MS)
        page = made.new_page()
        page.on("console", self._console)
        page.on("request", lambda request: self.requests.append(request.url))
        self.pages.append(page)
        with page.expect_websocket(lambda socket: "/api/kernels/" in socket.url):
            page.goto(f"{self.lab.url}lab/tree/{name}.ipynb?token={TOKEN}&reset")
        wait_for_idle_kernel(page)
        return page

    def _console(self, message: Any) -> None:
        # JupyterLab has warnings of its own.
        if message.type == "error":
            super()._console(message)


def open_lab(page: Page) -> Page:
    """JupyterLab in a tab of its own, from the page of a notebook of a hub, with a new file."""
    with page.context.expect_page() as opened:
        page.get_by_test_id("open-notebook").click()
    lab = opened.value
    lab.get_by_title(re.compile("^Python 3")).first.click(timeout=LAB_MS)
    wait_for_idle_kernel(lab)
    return lab


def run_cell(page: Page, *lines: str) -> int:
    """Type lines into the last cell, which is empty, and run it; its number, once it has ended."""
    number = page.locator(".jp-Notebook .jp-CodeCell").count() - 1
    cell = page.locator(".jp-Notebook .jp-CodeCell").nth(number)
    editor = cell.locator(".cm-content")
    # A cell that was added has an editor, and the focus, only after a while; until then the one above has both.
    editor.click()
    expect(editor).to_be_focused()
    page.keyboard.insert_text("\n".join(lines))
    expect(editor.locator(".cm-line")).to_have_text(lines)
    page.keyboard.press("Shift+Enter")
    expect(cell.locator(".jp-InputPrompt")).to_have_text(re.compile(r"^\[\d+\]:$"))
    wait_for_idle_kernel(page)
    return number


def cell_output(page: Page, number: int) -> Locator:
    """What a cell shows."""
    return page.locator(".jp-Notebook .jp-CodeCell").nth(number).locator(".jp-OutputArea-output")


def reopen_notebook(page: Page) -> None:
    """Save the notebook, and open its page anew, as on another day; its kernel waits for input."""
    with page.expect_response(lambda answer: answer.request.method == "PUT" and "/api/contents/" in answer.url):
        page.keyboard.press("Control+s")
    with page.expect_websocket(lambda socket: "/api/kernels/" in socket.url):
        page.reload()
    wait_for_idle_kernel(page)


def restart_kernel(page: Page) -> None:
    """Restart the kernel by the button, and wait until the new one waits for input."""
    page.locator('[data-command="notebook:restart-kernel"]').first.click()
    with page.expect_websocket(lambda socket: "/api/kernels/" in socket.url):
        page.locator(".jp-Dialog .jp-mod-accept").click()
    wait_for_idle_kernel(page)


def wait_for_idle_kernel(page: Page) -> None:
    """The status bar says that the kernel waits for input."""
    expect(page.get_by_title("Change kernel for")).to_contain_text("| Idle")


def board_in_cell(page: Page, number: int) -> Frame:
    """The page of the board that a cell shows, once it has settled."""
    handle = page.locator(".jp-Notebook .jp-CodeCell").nth(number).locator("iframe").element_handle()
    frame = handle.content_frame()
    assert frame
    frame.wait_for_load_state()
    settle(frame)
    return frame
