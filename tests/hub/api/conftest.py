"""A whole hub in process, over a fake launcher, on SQLite and on a real PostgreSQL."""

import pathlib
from collections.abc import Iterator

import pytest
from asking_hub import AskedHub
from cast import Cast

from lightboard.hub.db.engine import Database


@pytest.fixture
def hub(database: Database, cast: Cast, tmp_path: pathlib.Path) -> Iterator[AskedHub]:
    """With people and a project in it."""
    with AskedHub(database, cast, tmp_path) as asked:
        yield asked
