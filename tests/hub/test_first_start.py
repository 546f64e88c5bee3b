"""What a hub makes once: its key, and the first account of its database."""

import errno
import os
import pathlib
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import text

from databases import Postgres
from lightboard.config import HubSettings
from lightboard.errors import UsageError
from lightboard.hub.api.sessions import first_account
from lightboard.hub.db.engine import open_database
from lightboard.hub.resources.accounts import Account
from lightboard.hub.serve import first_start, key_of
from running_hub import TOKEN, until

WAITING = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"


def test_the_key_stays_the_same(tmp_path: pathlib.Path) -> None:
    """All that ask get the one that was made first, and nothing is left beside it."""
    database = open_database(f"sqlite:///{tmp_path / 'hub.sqlite3'}")
    with ThreadPoolExecutor(8) as threads:
        keys = set(threads.map(lambda _: key_of(database, tmp_path), range(8)))

    assert keys == {key_of(database, tmp_path)}
    assert [path.name for path in tmp_path.iterdir()] == ["key"]
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600


def test_a_key_that_cannot_be_written_leaves_nothing(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hub that ends while it makes its key can be started again: there is no half of one."""
    database = open_database(f"sqlite:///{tmp_path / 'hub.sqlite3'}")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(UsageError, match=r"cannot keep its key in .*: No space left on device"):
            key_of(database, tmp_path)

    assert list(tmp_path.iterdir()) == []
    assert len(key_of(database, tmp_path)) == 32


def test_who_comes_second_finds_the_first_account(postgres: Postgres) -> None:
    """A replica that starts while another makes the account waits for it, and starts."""
    address = postgres.ready()
    first, second = open_database(address), open_database(address)
    wanted = HubSettings(home="", bootstrap_token=TOKEN)
    with ThreadPoolExecutor(1) as thread:
        with first.write() as session:
            first_account(session, Account(id="", name="admin"), time.time())
            said = thread.submit(first_start, second, wanted, "http://hub")
            until(lambda: session.scalar(text(WAITING)), bool, "the second to wait")

        assert said.result(60) == []
    first.close()
    second.close()
    postgres.drop(address)
