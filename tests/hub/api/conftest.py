"""A whole hub in process, over a fake launcher, on SQLite and on a real PostgreSQL."""

import pathlib
from collections.abc import Iterator

import pytest
from cast import Cast
from hub_harness import HubHarness

from lightboard.hub.db.engine import Database


@pytest.fixture
def hub(database: Database, cast: Cast, tmp_path: pathlib.Path) -> Iterator[HubHarness]:
    """With people and a project in it."""
    with HubHarness(database, cast, tmp_path) as asked:
        yield asked
