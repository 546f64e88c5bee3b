"""What a test leaves in a database of PostgreSQL, the next test does not find."""

from collections.abc import Callable

import psycopg
import pytest
from sqlalchemy import make_url

from support.databases import Postgres

END_ALL = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"


def use(address: str) -> list[tuple[str]]:
    """Stores a setting; the names of the settings that were there before."""
    with psycopg.connect(address, autocommit=True) as connection:
        found = connection.execute("SELECT name FROM settings").fetchall()
        connection.execute("INSERT INTO settings (name, value) VALUES ('left', 'behind')")
    return found


def do_nothing(postgres: Postgres, address: str) -> None:
    """An undisturbed test."""


def end_all_connections(postgres: Postgres, address: str) -> None:
    """Those of whoever empties it, too."""
    with psycopg.connect(postgres.address, autocommit=True) as connection:
        connection.execute(END_ALL.format(name=make_url(address).database))


@pytest.mark.parametrize("disturb", [do_nothing, end_all_connections])
def test_a_database_is_emptied_and_used_again(postgres: Postgres, disturb: Callable[[Postgres, str], None]) -> None:
    """Whatever happened to the connection that emptied it the last time."""
    found = []
    addresses = set()
    for _ in range(3):
        address = postgres.ready()
        addresses.add(address)
        found.append(use(address))
        disturb(postgres, address)
        postgres.drop(address)

    assert (len(addresses), found) == (1, [[], [], []])


def test_a_database_with_other_tables_is_used_by_none(postgres: Postgres) -> None:
    """A test of migrations leaves such."""
    address = postgres.ready()
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("DROP TABLE settings")
    postgres.drop(address)

    next_address = postgres.ready()
    assert (next_address == address, use(next_address)) == (False, [])
    postgres.drop(next_address)
