"""A hub with an image that has the frameworks, for jobs and notebooks that run the programs of the documents.

Each program runs once, in one test for all that it shows: with a fixture, every process that gets one of several tests
would run it.
"""

import pathlib
from collections.abc import Iterator

import pytest

from lightboard.client.session import Session
from support.framework_environment import framework_environment, notebook_environment, older_environment
from support.hub_cli import HubCli, delete_boards
from support.hub_process import HubProcess


@pytest.fixture(scope="session")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    """One for all documents. Each job has one processor: threads that wait for each other cost more than they give."""
    frameworks = framework_environment()
    lab = notebook_environment(tmp_path_factory.mktemp("lab") / "image")
    images = {"frameworks": frameworks, "transformers4": older_environment(), "lab": lab}
    words = [word for name, path in images.items() for word in ("--image", f"{name}={path}")]
    words += ["--job-readable", str(frameworks), "--preset", "cpu-small=cpu:1"]
    with HubProcess(tmp_path_factory.mktemp("hub"), *words) as running:
        yield running


@pytest.fixture
def session(hub: HubProcess) -> Iterator[Session]:
    """The administrator's. Its TensorBoards end with the test."""
    with Session(hub.url, hub.token) as opened:
        yield opened
        delete_boards(opened)


@pytest.fixture
def cli(hub: HubProcess, session: Session, tmp_path: pathlib.Path) -> HubCli:
    """The same person at a terminal."""
    return HubCli(hub, tmp_path)
