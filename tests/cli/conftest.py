"""A hub that runs jobs, and somebody who types."""

import pathlib

import pytest

from lightboard.client.session import Session
from support.hub_cli import HubCli
from support.hub_process import HubProcess
from support.job_hub import hub as hub
from support.job_hub import session as session


@pytest.fixture
def cli(hub: HubProcess, session: Session, tmp_path: pathlib.Path) -> HubCli:
    """Somebody who types."""
    return HubCli(hub, tmp_path)
