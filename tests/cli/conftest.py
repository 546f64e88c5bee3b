"""A hub that runs jobs, and somebody who types."""

import pathlib
from collections.abc import Iterator

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


@pytest.fixture
def no_boards(hub: HubProcess) -> Iterator[None]:
    """The administrator may have no TensorBoards."""
    hub.json("PATCH", "/api/v1/accounts/admin", {"own_limit": 0})
    yield
    hub.json("PATCH", "/api/v1/accounts/admin", {"own_limit": 5})
