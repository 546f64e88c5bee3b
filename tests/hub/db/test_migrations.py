"""Database migrations: complete or not at all."""

import contextlib
import json
import pathlib
import sqlite3
import subprocess
import sys
from collections.abc import Iterator

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, make_url, select, text

from lightboard.errors import DatabaseError, UsageError
from lightboard.hub.db import accounts, bindings, migrate, projects, settings
from lightboard.hub.db.engine import GRANT, Database, open_database
from lightboard.hub.db.schema_version import current_revision, revisions
from lightboard.hub.db.tables import SettingRow, Table
from lightboard.hub.resources.accounts import Account
from support.databases import Postgres, Sqlite
from support.personas import START_TIME


@pytest.fixture
def empty_url(server: Sqlite | Postgres) -> Iterator[str]:
    """The address of a database without tables."""
    address = server.empty()
    yield address
    server.drop(address)


@pytest.fixture
def empty(empty_url: str) -> Iterator[Database]:
    """The same, opened."""
    opened = open_database(empty_url)
    yield opened
    opened.close()


def tables_of(database: Database) -> list[str]:
    """Those that are there."""
    with database.engine.connect() as connection:
        return sorted(inspect(connection).get_table_names())


def differences(connection: Connection) -> list[object]:
    """Between the tables and what the program thinks they are."""
    context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
    return list(compare_metadata(context, Table.metadata))


def schema_of(connection: Connection) -> dict[str, object]:
    """Everything that a database says of its tables, in an order of its own."""
    found = inspect(connection)
    return {
        name: {
            "columns": {
                each["name"]: (repr(each["type"]), each["nullable"], each.get("default"))
                for each in found.get_columns(name)
            },
            "key": found.get_pk_constraint(name)["constrained_columns"],
            "unique": sorted(sorted(each["column_names"]) for each in found.get_unique_constraints(name)),
            "indexes": sorted((each["name"], each["column_names"], each["unique"]) for each in found.get_indexes(name)),
            "references": sorted(
                (each["constrained_columns"], each["referred_table"], each["referred_columns"], str(each["options"]))
                for each in found.get_foreign_keys(name)
            ),
            "checks": sorted(each["sqltext"] for each in found.get_check_constraints(name)),
        }
        for name in found.get_table_names()
    }


def test_revisions_are_those_that_alembic_finds() -> None:
    """In its order."""
    config = Config()
    config.set_main_option("script_location", migrate.LOCATION)
    found = [script.revision for script in ScriptDirectory.from_config(config).walk_revisions()]

    assert list(revisions()) == found[::-1]


def test_a_new_database_has_what_migrations_would_make(server: Sqlite | Postgres) -> None:
    """It gets the current tables without them."""
    schemas = []
    for make in (migrate.upgrade, migrate.run_migrations):
        address = server.empty()
        with contextlib.closing(open_database(address)) as database:
            with database.engine.begin() as connection:
                make(connection)
                schemas.append(schema_of(connection))
            database.check()
        server.drop(address)

    assert schemas[0] == schemas[1]
    assert {*schemas[0]} == {*Table.metadata.tables, "alembic_version"}


@pytest.mark.parametrize("revision", revisions())
def test_every_revision_migrates_to_the_current_schema(empty: Database, revision: str) -> None:
    """Whatever was made by an older program becomes the same."""
    with empty.engine.begin() as connection:
        migrate.run_migrations(connection, revision)
    empty.migrate()
    with empty.engine.connect() as connection:
        assert (current_revision(connection), differences(connection)) == (revisions()[-1], [])


OLD = """
INSERT INTO accounts VALUES ('acc-1', 'ann', '', '', 'user', {true}, {false}, NULL, '', '', '', 1, 1, 1);
INSERT INTO projects VALUES ('prj-2', 'second', '', '', 2, 2, 1, NULL);
INSERT INTO projects VALUES ('prj-1', 'first', '', '', 1, 1, 1, NULL);
INSERT INTO datasets VALUES ('ds-1', 'one', 'prj-1', 'acc-1', 'path', '/logs', '', '', '{{}}', 1, 1, 1);
INSERT INTO datasets VALUES ('ds-2', 'two', 'prj-2', 'acc-1', 'path', '/logs', '', '', '{{}}', 1, 1, 1);
INSERT INTO datasets VALUES ('ds-3', 'ref', 'prj-2', 'acc-1', 'reference', 'ds-1', '', '', '{{}}', 1, 1, 1);
"""
"""A hub of revision 0001: the older project is not the one that was written first."""
BOARD = """INSERT INTO tensorboards
(id, name, display_name, project, owner, sources, source_key, origin, origin_id, status, reason, message, version,
 access, http_auth, life_span_secs, idle_timeout_secs, reload_secs, labels, tags, created_at, updated_at, status_since,
 ran_secs, restarts, executor, executor_ref, spec_version, placed_version, progress, sought, sources_sought, marks,
 sort_name, loading, leased_to, leased_until)
VALUES ('tb-1', 'b', 'b', 'prj-1', 'acc-1', :sources, 'k', 'ui', '', 'Stopped', '', '', 1, 'private', :login, 0, 0, 30,
 '{}', '[]', 1, 1, 1, 0, 0, 'local', '', 1, 0, '{}', '', '', '', 'b', :loading, '', 0)"""


def made_by_0001(database: Database) -> None:
    """A board of the first project shows a dataset of each; the second refers to one of the first."""
    sources = [
        {"id": "s", "kind": "dataset", "ref": ref, "path": "", "alias": "", "include": "", "exclude": ""}
        for ref in ("ds-1", "ds-2")
    ]
    with database.engine.begin() as connection:
        migrate.run_migrations(connection, "0001")
        truth = {"true": "true", "false": "false"} if database.postgresql else {"true": "1", "false": "0"}
        for statement in filter(str.strip, OLD.format(**truth).split(";")):
            connection.exec_driver_sql(statement)
        connection.execute(text(BOARD), {"sources": json.dumps(sources), "login": True, "loading": False})


def test_migrations_preserve_access(empty: Database) -> None:
    """Datasets in use get bindings, and accounts keep their permissions."""
    made_by_0001(empty)
    empty.migrate()

    with empty.read() as session:
        bound = {
            id: [(each.kind.value, each.value) for each in bindings.of_project(session, id)]
            for id in ("prj-1", "prj-2")
        }
        assert bound == {"prj-1": [("dataset", "ds-2")], "prj-2": [("dataset", "ds-1")]}
        assert [projects.is_first(session, id) for id in ("prj-1", "prj-2")] == [True, False]
        kept = ("create_projects", "disable_http_auth", "run_without_end")
        assert [settings.get(session, f"permission.{name}") for name in kept] == ["yes"] * 3


def test_a_new_database_has_default_permissions(database: Database) -> None:
    """Its permissions are those that the program comes with."""
    with database.read() as session:
        assert session.scalars(select(SettingRow.name)).all() == []


def test_migrating_a_current_database_changes_nothing(database: Database) -> None:
    """A start of the same program changes nothing."""
    with database.write() as session:
        made = accounts.create_first(session, Account(id="", name="admin"), START_TIME)
    database.migrate()
    with database.read() as session:
        assert accounts.get_unchecked(session, made.id) == made


def test_a_database_of_a_newer_version_is_refused(database: Database) -> None:
    """An old program could corrupt it."""
    with database.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    for act in (database.migrate, database.check):
        with pytest.raises(DatabaseError, match=r"made by a newer Lightboard \(its revision is 9999\)"):
            act()


def test_a_foreign_database_is_refused(empty: Database) -> None:
    """No tables are added beside those of others."""
    with empty.engine.begin() as connection:
        connection.execute(text("CREATE TABLE orders (id INTEGER)"))
    with pytest.raises(DatabaseError, match="belongs to something else"):
        empty.migrate()
    assert tables_of(empty) == ["orders"]


def test_an_old_database_is_not_ready(empty: Database) -> None:
    """A replica that has not migrated reports it."""
    with pytest.raises(DatabaseError, match="older than this program"):
        empty.check()


def test_an_interrupted_migration_is_rolled_back(empty: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """It runs in one transaction."""
    with empty.engine.begin() as connection:
        migrate.run_migrations(connection, "0001")
    before = tables_of(empty)
    upgrade = command.upgrade

    def upgrade_and_fail(*arguments: object) -> None:
        upgrade(*arguments)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "upgrade", upgrade_and_fail)
    with pytest.raises(KeyboardInterrupt):
        empty.migrate()
    assert tables_of(empty) == before

    monkeypatch.undo()
    empty.migrate()
    empty.check()


PROGRAM = """
import sys
from lightboard.hub.db.engine import open_database
database = open_database({url!r})
print("ready", flush=True)
sys.stdin.readline()
database.migrate()
database.check()
"""


def test_concurrent_migrations_run_once(empty_url: str) -> None:
    """The second process waits and finds it done."""
    program = PROGRAM.format(url=empty_url)
    running = [
        subprocess.Popen(
            [sys.executable, "-c", program],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for _ in range(3)
    ]  # fmt: skip
    for process in running:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in running:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    said = [(process.communicate(timeout=300)[1], process.returncode) for process in running]

    assert said == [("", 0)] * 3


def test_a_file_that_is_no_database_is_refused(tmp_path: pathlib.Path) -> None:
    """And left unchanged."""
    path = tmp_path / "hub.sqlite3"
    path.write_bytes(b"this is no database, whatever it is called" * 100)
    with (
        contextlib.closing(open_database(f"sqlite:///{path}")) as database,
        pytest.raises(DatabaseError, match="damaged: file is not a database"),
    ):
        database.migrate()
    assert path.read_bytes() == b"this is no database, whatever it is called" * 100


def test_a_corrupt_database_file_is_refused(tmp_path: pathlib.Path) -> None:
    """Before anything is written."""
    path = tmp_path / "hub.sqlite3"
    database = open_database(f"sqlite:///{path}")
    database.migrate()
    database.close()
    data = bytearray(path.read_bytes())
    data[8_192 : 8_192 + 16_384] = b"\xff" * 16_384
    path.write_bytes(data)
    with (
        contextlib.closing(open_database(f"sqlite:///{path}")) as database,
        pytest.raises(DatabaseError, match="damaged"),
    ):
        database.migrate()


def test_an_unreachable_database_is_reported(postgres: Postgres) -> None:
    """In one line, without the password."""
    database = open_database("postgresql://hub:sekret@127.0.0.1:1/hub")
    with pytest.raises(DatabaseError, match="cannot be reached") as raised:
        database.migrate()
    assert "sekret" not in raised.value.message + raised.value.hint
    assert database.shown == "postgresql+psycopg://hub:***@127.0.0.1:1/hub"


def test_a_locked_database_file_is_reported(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the hint to try again; no change is half done."""
    monkeypatch.setattr("lightboard.hub.db.engine.BUSY_SECS", 0.05)
    path = tmp_path / "hub.sqlite3"
    database = open_database(f"sqlite:///{path}")
    database.migrate()
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(DatabaseError, match="busy"), database.write() as session:
        settings.put(session, "name", "value")
    other.close()
    database.close()


@pytest.mark.parametrize("address", ["mysql://u:p@h/d", "sqlite://", "sqlite:///:memory:", "nonsense", ""])
def test_invalid_database_urls_are_refused(address: str) -> None:
    """With the accepted forms."""
    with pytest.raises(UsageError) as raised:
        open_database(address)
    assert raised.value.hint == "use sqlite:////absolute/path/hub.sqlite3 or postgresql://user:password@host/name"


def test_missing_create_privileges_are_reported(postgres: Postgres) -> None:
    """In one error, as for every unusable database."""
    address = postgres.empty()
    made = open_database(address)
    with made.write() as session:
        session.execute(text("CREATE ROLE narrow LOGIN"))
    opened = open_database(make_url(address).set(username="narrow").render_as_string(hide_password=False))
    with pytest.raises(DatabaseError) as caught:
        opened.migrate()
    opened.close()
    with made.write() as session:
        session.execute(text("DROP ROLE narrow"))
    made.close()
    postgres.drop(address)

    assert caught.value.message == "the database denies access: permission denied for schema public"
    assert caught.value.hint == GRANT
