"""Every test that asks for `database` runs on SQLite and on a real PostgreSQL."""

import pathlib
from collections.abc import Iterator

import pytest
from cast import Cast, set_stage
from loop_stage import Stage

from databases import Postgres, Sqlite, postgres_server
from lightboard.hub.db.engine import Database, open_database


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """One server for all tests of the session that ask for it."""
    with postgres_server() as server:
        yield server


@pytest.fixture(scope="session")
def sqlite(tmp_path_factory: pytest.TempPathFactory) -> Sqlite:
    """A folder for the files of the session."""
    return Sqlite(tmp_path_factory.mktemp("sqlite"))


@pytest.fixture(params=["sqlite", "postgres"])
def server(request: pytest.FixtureRequest) -> Sqlite | Postgres:
    """Where databases come from, of both kinds."""
    return request.getfixturevalue(request.param)


@pytest.fixture
def database_url(server: Sqlite | Postgres) -> Iterator[str]:
    """The address of a database with tables and nothing in them."""
    address = server.ready()
    yield address
    server.drop(address)


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """The same, opened."""
    opened = open_database(database_url)
    yield opened
    opened.close()


@pytest.fixture
def cast(database: Database) -> Cast:
    """People and a project in it."""
    return set_stage(database)


@pytest.fixture
def stage(cast: Cast, tmp_path: pathlib.Path) -> Iterator[Stage]:
    """The same with a loop, folders with logs and a fake launcher."""
    made = Stage(cast, tmp_path)
    yield made
    made.close()
