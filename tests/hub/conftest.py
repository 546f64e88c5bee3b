"""Every test that asks for `database` runs on SQLite and on a real PostgreSQL.

`pytestmark = pytest.mark.databases("sqlite")` in a file leaves PostgreSQL out, for tests of what lies above the SQL;
`@pytest.mark.databases("sqlite", "postgres")` at one of its tests brings it back.
"""

import pathlib
import sqlite3
from collections.abc import Iterator

import pytest
from sqlalchemy import Engine, event

from lightboard.hub.db.engine import Database, open_database
from support.databases import Postgres, Sqlite, postgres_server
from support.personas import Personas, create_personas
from support.reconciler_harness import ReconcilerHarness


def pytest_configure(config: pytest.Config) -> None:
    """The mark is known."""
    config.addinivalue_line("markers", "databases(*kinds): the databases on which tests run: sqlite, postgres")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Both kinds of databases, unless the test or its file says otherwise."""
    mark = metafunc.definition.get_closest_marker("databases")
    for name, scope in (("server", "function"), ("shared_server", "session")):
        if name in metafunc.fixturenames:
            metafunc.parametrize(name, mark.args if mark else ("sqlite", "postgres"), indirect=True, scope=scope)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """One server for all tests of the session that ask for it."""
    with postgres_server() as server:
        yield server


@pytest.fixture(scope="session")
def sqlite(tmp_path_factory: pytest.TempPathFactory) -> Sqlite:
    """A folder for the files of the session."""
    return Sqlite(tmp_path_factory.mktemp("sqlite"))


@pytest.fixture
def server(request: pytest.FixtureRequest) -> Sqlite | Postgres:
    """Where databases come from; see `pytest_generate_tests`."""
    return request.getfixturevalue(request.param)


@pytest.fixture
def database_url(server: Sqlite | Postgres) -> Iterator[str]:
    """The address of a database with tables and nothing in them."""
    address = server.ready()
    yield address
    server.drop(address)


@pytest.fixture(scope="session")
def engines() -> dict[str, Engine]:
    """The engine of each address; it knows the statements that it has compiled for earlier tests."""
    return {}


@pytest.fixture
def database(database_url: str, engines: dict[str, Engine]) -> Iterator[Database]:
    """The same, opened."""
    if database_url not in engines:
        opened = open_database(database_url)
        if not opened.postgresql:
            event.listen(opened.engine, "connect", forgo_syncing)
        engines[database_url] = opened.engine
    opened = Database(engines[database_url].execution_options())
    yield opened
    opened.close()


def forgo_syncing(connection: sqlite3.Connection, _record: object) -> None:
    """What a test writes need not outlive a power cut."""
    connection.execute("PRAGMA synchronous = OFF")


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
