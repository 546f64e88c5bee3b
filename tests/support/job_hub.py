"""Fixtures: a hub that runs jobs, and a session of its administrator. A conftest.py imports them."""

from collections.abc import Iterator

import pytest

from lightboard.client.session import Session
from lightboard.client.training_jobs import TrainingJob
from support.hub_cli import PROJECT
from support.hub_process import HubProcess


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    """One for all tests of a file; it has two slots."""
    with HubProcess(tmp_path_factory.mktemp("hub"), "--job-slots", "2") as running:
        yield running


@pytest.fixture
def session(hub: HubProcess) -> Iterator[Session]:
    """The administrator's. Jobs that were created since it was opened are deleted; those of fixtures of a file stay."""
    with Session(hub.url, hub.token, PROJECT) as opened:
        before = {job.id for job in TrainingJob.list(opened)}
        yield opened
        for job in TrainingJob.list(opened):
            if job.id not in before:
                job.delete()
