"""`lightboard hub --recover NAME`: a login link for administrators who can read the hub's database."""

import secrets
import time
from pathlib import Path

from lightboard.config import HubSettings
from lightboard.errors import UsageError
from lightboard.hub import data_directory
from lightboard.hub.api.recover import LASTS_SECS, PATH, SETTING
from lightboard.hub.api.signed_tokens import digest_of
from lightboard.hub.db import accounts, settings
from lightboard.hub.db.engine import open_database


def recovery_link(wanted: HubSettings, name: str) -> str:
    """A one-time link, valid for 15 minutes, that logs the account in and makes it an administrator.

    Raises UsageError if there is no such account, DatabaseError if the database cannot be used.
    """
    file = Path(wanted.home) / "hub" / data_directory.DATABASE
    if not wanted.database and not file.is_file():
        raise UsageError(f"there is no hub in {wanted.home}", hint="give its --home or --database")
    database = open_database(wanted.database or f"sqlite:///{file}")
    try:
        database.check()
        key = secrets.token_urlsafe(24)
        with database.write() as session:
            account = accounts.row_of(session, name)
            if account is None:
                raise UsageError(
                    f"--recover {name}: there is no such account", hint="give the name of an existing account"
                )
            settings.put(session, SETTING, f"{digest_of(key)} {account.id} {time.time() + LASTS_SECS}")
    finally:
        database.close()
    host = wanted.host if wanted.host not in ("0.0.0.0", "::") else "127.0.0.1"  # noqa: S104  # as it listens
    return f"{wanted.public_url or f'http://{host}:{wanted.port}{wanted.path_prefix}'}{PATH}?key={key}"
