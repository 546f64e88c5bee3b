"""A hub that runs jobs, and somebody who types."""

import pathlib
from collections.abc import Iterator

import pytest

from lightboard.client.session import Session
from lightboard.client.training_jobs import TrainingJob
from support.hub_cli import PROJECT, HubCli
from support.hub_process import HubProcess


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    """One for all tests of a file; it has two slots."""
    with HubProcess(tmp_path_factory.mktemp("hub"), "--job-slots", "2") as running:
        yield running


@pytest.fixture
def session(hub: HubProcess) -> Iterator[Session]:
    """The administrator's, without jobs before and after."""
    with Session(hub.url, hub.token, PROJECT) as opened:
        yield opened
        for job in TrainingJob.list(opened):
            job.delete()


@pytest.fixture
def cli(hub: HubProcess, session: Session, tmp_path: pathlib.Path) -> HubCli:
    """Somebody who types."""
    return HubCli(hub, tmp_path)
