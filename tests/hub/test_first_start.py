"""What a hub creates once: its key and the first account."""

import errno
import os
import pathlib
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import text

from lightboard.config import HubSettings
from lightboard.errors import UsageError
from lightboard.hub.api.sessions import create_first_account
from lightboard.hub.db.engine import open_database
from lightboard.hub.resources.accounts import Account
from lightboard.hub.serve import first_start, key_of
from support.databases import Postgres
from support.hub_process import TOKEN, wait_for

WAITING = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"


def test_the_key_is_created_once(tmp_path: pathlib.Path) -> None:
    """Concurrent starts get the same one, without leftovers."""
    database = open_database(f"sqlite:///{tmp_path / 'hub.sqlite3'}")
    with ThreadPoolExecutor(8) as threads:
        keys = set(threads.map(lambda _: key_of(database, tmp_path), range(8)))

    assert keys == {key_of(database, tmp_path)}
    assert [path.name for path in tmp_path.iterdir()] == ["key"]
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600


def test_an_interrupted_key_creation_leaves_nothing(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hub can be started again."""
    database = open_database(f"sqlite:///{tmp_path / 'hub.sqlite3'}")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(UsageError, match=r"cannot store its key in .*: No space left on device"):
            key_of(database, tmp_path)

    assert list(tmp_path.iterdir()) == []
    assert len(key_of(database, tmp_path)) == 32


def test_concurrent_starts_create_one_account(postgres: Postgres) -> None:
    """The second replica waits and starts."""
    address = postgres.ready()
    first, second = open_database(address), open_database(address)
    wanted = HubSettings(home="", bootstrap_token=TOKEN)
    with ThreadPoolExecutor(1) as thread:
        with first.write() as session:
            create_first_account(session, Account(id="", name="admin"), time.time())
            said = thread.submit(first_start, second, wanted, "http://hub")
            wait_for(lambda: session.scalar(text(WAITING)), bool, "the second to wait")

        assert said.result(60) == []
    first.close()
    second.close()
    postgres.drop(address)
