"""A running hub, with SQLite: these attacks are on what lies above the database.

It is shared by all tests here, so that each test makes accounts and folders of its own.
"""

from collections.abc import Iterator

import pytest

from support.attacker import Attacker, create_attacker
from support.hub_process import HubProcess


@pytest.fixture(scope="session")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    """One process; logs may lie in `logs` beside its home."""
    top = tmp_path_factory.mktemp("attacked")
    (top / "logs").mkdir()
    with HubProcess(top / "home", roots=[top / "logs"]) as running:
        yield running


@pytest.fixture
def attacker(hub: HubProcess) -> Attacker:
    """A new account with folders of its own."""
    return create_attacker(hub)
