"""Every test that asks for `database` runs on SQLite and on a real PostgreSQL."""

import pathlib
from collections.abc import Iterator

import pytest

from lightboard.hub.db.engine import Database, open_database
from support.databases import Postgres, Sqlite, postgres_server
from support.personas import Personas, create_personas
from support.reconciler_harness import ReconcilerHarness


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
def personas(database: Database) -> Personas:
    """People and a project in it."""
    return create_personas(database)


@pytest.fixture
def harness(personas: Personas, tmp_path: pathlib.Path) -> Iterator[ReconcilerHarness]:
    """The same with a loop, folders with logs and a fake launcher."""
    made = ReconcilerHarness(personas, tmp_path)
    yield made
    made.close()
