"""A running hub on each kind of database, and people who use it."""

import pathlib
from collections.abc import Iterator

import pytest
from stage import LOGS, PROJECT, Terminal, clear

from databases import Postgres, Sqlite
from lightboard.client.session import Session
from running_hub import RunningHub


@pytest.fixture(scope="session", params=["sqlite", "postgres"])
def hub(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningHub]:
    """One for all tests of the session on this database."""
    server: Sqlite | Postgres = request.getfixturevalue(request.param)
    address = server.empty()
    roots = [LOGS, tmp_path_factory.getbasetemp()]
    with RunningHub(tmp_path_factory.mktemp("hub"), database=address, roots=roots) as running:
        yield running
    server.drop(address)


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of an empty database, for a hub of a test's own."""
    server: Sqlite | Postgres = request.getfixturevalue(request.param)
    address = server.empty()
    yield address
    server.drop(address)


@pytest.fixture
def session(hub: RunningHub) -> Iterator[Session]:
    """The administrator's, with nothing in use before and after."""
    with Session(hub.url, hub.token, PROJECT) as opened:
        clear(opened)
        yield opened
        clear(opened)


@pytest.fixture
def terminal(hub: RunningHub, session: Session, tmp_path: pathlib.Path) -> Terminal:
    """Somebody who types."""
    return Terminal(hub, tmp_path)
