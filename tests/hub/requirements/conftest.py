"""A running hub on each kind of database, and people who use it."""

import pathlib
import sys
from collections.abc import Iterator

import pytest

from lightboard.client.session import Session
from support.databases import Postgres, Sqlite
from support.hub_cli import IMAGE, LOGS, PROJECT, HubCli, delete_boards
from support.hub_process import HubProcess


@pytest.fixture(scope="session")
def shared_server(request: pytest.FixtureRequest) -> Sqlite | Postgres:
    """Where the database of the shared hub comes from."""
    return request.getfixturevalue(request.param)


@pytest.fixture(scope="session")
def hub(shared_server: Sqlite | Postgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    """One for all tests of the session on this database."""
    address = shared_server.empty()
    roots = [LOGS, tmp_path_factory.getbasetemp()]
    with HubProcess(tmp_path_factory.mktemp("hub"), database=address, roots=roots) as running:
        yield running
    shared_server.drop(address)


@pytest.fixture(scope="session")
def jobs_hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    """One for all tests of the session that run jobs and leave none, on SQLite. Its image is the environment here."""
    words = ("--job-slots", "4", "--image", f"{IMAGE}={sys.prefix}")
    with HubProcess(tmp_path_factory.mktemp("hub"), *words, roots=[LOGS]) as running:
        yield running


@pytest.fixture
def database(server: Sqlite | Postgres) -> Iterator[str]:
    """The address of an empty database, for a hub of a test's own."""
    address = server.empty()
    yield address
    server.drop(address)


@pytest.fixture
def session(hub: HubProcess) -> Iterator[Session]:
    """The administrator's, with nothing in use before and after."""
    with Session(hub.url, hub.token, PROJECT) as opened:
        delete_boards(opened)
        yield opened
        delete_boards(opened)


@pytest.fixture
def cli(hub: HubProcess, session: Session, tmp_path: pathlib.Path) -> HubCli:
    """Somebody who types."""
    return HubCli(hub, tmp_path)
