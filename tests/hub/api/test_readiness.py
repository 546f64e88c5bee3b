"""`/readyz`: a hub is ready if it can store changes."""

import contextlib
from collections.abc import Iterator

import pytest
from sqlalchemy import event, text

from lightboard.hub.api.readiness import CACHE_SECS
from lightboard.hub.db.engine import Database
from support.hub_client import HubClient

NOT_WRITTEN = "the database is not writable, or has other tables\n"


def ready(hub: HubClient) -> tuple[int, str]:
    """What is said some time later."""
    hub.now += CACHE_SECS
    answer = hub.request("GET", "/readyz")
    return answer.status_code, answer.text.removesuffix("jobs: not isolated, limited by watching\n")


FULL = """
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$;
CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON settings FOR EACH ROW EXECUTE FUNCTION refuse()
"""


@contextlib.contextmanager
def nothing_written(database: Database) -> Iterator[None]:
    """The database itself refuses to write: SQLite as if the file were read-only, PostgreSQL as on a full disk."""
    if database.postgresql:
        with database.engine.begin() as connection:
            connection.execute(text(FULL))
        yield
        with database.engine.begin() as connection:
            connection.execute(text("DROP FUNCTION refuse CASCADE"))
        return
    read_only = [True]
    event.listen(
        database.engine, "begin", lambda begun: begun.exec_driver_sql(f"PRAGMA query_only = {read_only[0]}") and None
    )
    yield
    read_only[0] = False


def test_a_read_only_database_is_not_ready(hub: HubClient, database: Database) -> None:
    """Until writes succeed again."""
    hub.token("viewer")
    said = [ready(hub)]
    with nothing_written(database):
        said += [ready(hub)]
        looks = hub.request("GET", "/api/v1/tensorboards", "viewer").status_code
    said += [ready(hub)]

    assert said == [(200, "ready\n"), (503, NOT_WRITTEN), (200, "ready\n")]
    assert looks == 200


def test_a_read_only_data_directory_is_not_ready(hub: HubClient) -> None:
    """For example after its mount has gone."""
    folder = hub.hub.boards.source_resolver.folder
    aside = folder.rename(folder.with_name("aside"))
    folder.touch()
    said = [ready(hub)]
    folder.unlink()
    aside.rename(folder)
    said += [ready(hub)]

    assert said == [(503, "the hub's folder is not writable\n"), (200, "ready\n")]


def test_readiness_checks_leave_no_files(hub: HubClient) -> None:
    """No file in the folder."""
    ready(hub)
    before = sorted(hub.hub.boards.source_resolver.folder.rglob("*"))
    ready(hub)

    assert sorted(hub.hub.boards.source_resolver.folder.rglob("*")) == before


def test_readiness_checks_are_cached(hub: HubClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Anybody may request them."""
    looks: list[float] = []
    check = hub.database.check

    def counted() -> None:
        looks.append(hub.now)
        check()

    monkeypatch.setattr(hub.database, "check", counted)
    start = hub.now
    for later in (0.0, 0.5, CACHE_SECS - 0.1, CACHE_SECS):
        hub.now = start + later
        hub.request("GET", "/readyz")

    assert looks == [start, start + CACHE_SECS]
