"""Which of several hubs that share a database runs its jobs: one alone, since processes and logs are on its machine.

It is the one whose data folder was the first to run jobs of this database, and of several with that folder the one that
was started first. With SQLite there is only one hub.
"""

import contextlib
import os
import secrets
import socket
from pathlib import Path

from lightboard.errors import UsageError
from lightboard.hub import data_directory
from lightboard.hub.db import settings
from lightboard.hub.db.engine import Database

SETTING = "jobs.folder"
"""The id of the folder, and where that was."""
LOCK, ID = "lock", "id"


def lock_jobs(folder: Path, held: contextlib.ExitStack) -> str:
    """Why no jobs of a data folder run here, "" if they do until `held` is closed. Another hub may have them after."""
    try:
        held.enter_context(data_directory.locked(folder / data_directory.RUNNER / LOCK, shared=False))
    except UsageError as error:
        return f"{error.message}, and runs them"
    return ""


def claim_jobs(database: Database, folder: Path) -> str:
    """Why no jobs of a database run in a data folder, "" if they do. Raises DatabaseError and UsageError."""
    own = id_of(folder / data_directory.RUNNER)
    described = f"{own} {folder} on {socket.gethostname()}"
    with database.write() as session:
        owner, _, place = settings.take(session, SETTING, lambda: described).partition(" ")
    return "" if owner == own else f"those of its database run on the hub with the data folder {place}"


def id_of(runner: Path) -> str:
    """The id of a folder, which it keeps when it is moved. Raises UsageError."""
    file, new = runner / ID, runner / f".{ID}"
    try:
        if not file.exists():
            new.write_text(secrets.token_hex(8))
            os.replace(new, file)
        return file.read_text()
    except OSError as error:
        raise UsageError(
            f"the hub cannot store its data in {runner}: {error.strerror}", hint="check that the disk is not full"
        ) from None
