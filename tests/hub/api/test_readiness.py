"""`/readyz`: ready is a hub that keeps what people do, and no other."""

import contextlib
from collections.abc import Iterator

import pytest
from hub_harness import HubHarness
from sqlalchemy import event, text

from lightboard.hub.api.readiness import REMEMBERED_SECS
from lightboard.hub.db.engine import Database

NOT_WRITTEN = "the database cannot be written, or has other tables\n"


def ready(hub: HubHarness) -> tuple[int, str]:
    """What is said some time later."""
    hub.now += REMEMBERED_SECS
    answer = hub.ask("GET", "/readyz")
    return answer.status_code, answer.text


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
        database.engine, "checkout", lambda raw, *_: raw.execute(f"PRAGMA query_only = {read_only[0]}") and None
    )
    yield
    read_only[0] = False


def test_a_hub_whose_database_writes_nothing_is_not_ready(hub: HubHarness, database: Database) -> None:
    """A look is not enough; and it is ready again as soon as the database can be written."""
    hub.token("viewer")
    said = [ready(hub)]
    with nothing_written(database):
        said += [ready(hub)]
        looks = hub.ask("GET", "/api/v1/tensorboards", "viewer").status_code
    said += [ready(hub)]

    assert said == [(200, "ready\n"), (503, NOT_WRITTEN), (200, "ready\n")]
    assert looks == 200


def test_a_hub_whose_folder_cannot_be_written_is_not_ready(hub: HubHarness) -> None:
    """Its folder was taken away, as when a mount has gone."""
    folder = hub.hub.source_resolver.folder
    aside = folder.rename(folder.with_name("aside"))
    folder.touch()
    said = [ready(hub)]
    folder.unlink()
    aside.rename(folder)
    said += [ready(hub)]

    assert said == [(503, "the hub's folder cannot be written\n"), (200, "ready\n")]


def test_looking_leaves_nothing_behind(hub: HubHarness) -> None:
    """No file in the folder."""
    ready(hub)
    before = sorted(hub.hub.source_resolver.folder.rglob("*"))
    ready(hub)

    assert sorted(hub.hub.source_resolver.folder.rglob("*")) == before


def test_who_asks_often_does_not_make_it_write(hub: HubHarness, monkeypatch: pytest.MonkeyPatch) -> None:
    """Anybody may ask; it looks again only after a while."""
    looks: list[float] = []
    check = hub.database.check

    def counted() -> None:
        looks.append(hub.now)
        check()

    monkeypatch.setattr(hub.database, "check", counted)
    start = hub.now
    for later in (0.0, 0.5, REMEMBERED_SECS - 0.1, REMEMBERED_SECS):
        hub.now = start + later
        hub.ask("GET", "/readyz")

    assert looks == [start, start + REMEMBERED_SECS]
