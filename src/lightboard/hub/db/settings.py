"""Settings that all replicas share; each is a text."""

from collections.abc import Callable

from sqlalchemy.orm import Session

from lightboard.hub.db.locks import lock
from lightboard.hub.db.tables import SettingRow
from lightboard.hub.resources.tensorboards import LIMIT

LIMIT_SETTING = "tensorboards.limit"


def get(session: Session, name: str, otherwise: str = "") -> str:
    """The setting, or `otherwise` if it is not set."""
    row = session.get(SettingRow, name)
    return row.value if row else otherwise


def put(session: Session, name: str, value: str) -> None:
    """Sets the setting."""
    lock(session, f"setting {name}")
    session.merge(SettingRow(name=name, value=value))
    session.flush()


def take(session: Session, name: str, make: Callable[[], str]) -> str:
    """The setting, created now if it is not set. Of concurrent callers, one creates it."""
    lock(session, f"setting {name}")
    row = session.get(SettingRow, name, populate_existing=True)
    if row is None:
        row = SettingRow(name=name, value=make())
        session.add(row)
        session.flush()
    return row.value


def remove(session: Session, name: str) -> None:
    """Deletes the setting."""
    row = session.get(SettingRow, name)
    if row is not None:
        session.delete(row)
        session.flush()


def limit(session: Session) -> int:
    """The limit of accounts without their own."""
    return int(get(session, LIMIT_SETTING, str(LIMIT)))
