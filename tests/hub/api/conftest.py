"""A whole hub in process, over a fake launcher, on SQLite and on a real PostgreSQL."""

import pathlib
from collections.abc import Iterator

import pytest

from lightboard.hub.db.engine import Database
from support.hub_client import HubClient
from support.personas import Personas


@pytest.fixture
def hub(database: Database, personas: Personas, tmp_path: pathlib.Path) -> Iterator[HubClient]:
    """With people and a project in it."""
    with HubClient(database, personas, tmp_path) as asked:
        yield asked
