"""A running hub with PostgreSQL and one with SQLite.

They are shared by all tests here, so that each test makes accounts and folders of its own.
"""

import itertools
from collections.abc import Iterator

import pytest

from support.attacker import Attacker
from support.hub_process import HubProcess

NUMBERS = itertools.count(1)


@pytest.fixture(scope="session", params=["sqlite", "postgres"])
def hub(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    """One process for each database; logs may lie in `logs` beside its home."""
    database = request.getfixturevalue("postgres").empty() if request.param == "postgres" else ""
    top = tmp_path_factory.mktemp("attacked")
    (top / "logs").mkdir()
    with HubProcess(top / "home", roots=[top / "logs"], database=database) as running:
        yield running


@pytest.fixture
def attacker(hub: HubProcess) -> Attacker:
    """A new account with folders of its own."""
    name = f"mallory{next(NUMBERS)}"
    top = hub.home.parent
    folder, outside = top / "logs" / name, top / "outside" / name
    folder.mkdir(parents=True)
    outside.mkdir(parents=True)
    return Attacker(hub, hub.create_account(name, "editor"), folder, outside, hub.home / "hub")
