"""Sends source code to a hub, and gets it back."""

import shutil
import tempfile
import time
from typing import Any
from urllib.parse import quote

from lightboard.client.polling import print_status
from lightboard.client.session import Session
from lightboard.client.source_folder import pack
from lightboard.errors import LightboardError, NotFound, NotReady, TooMany, UsageError
from lightboard.sizes import size_text

ROUTE = "/api/v1/source-code"
MEDIA_TYPE = "application/gzip"
TOLD_BYTES = 10 << 20
WAIT_SECS, MAX_WAITS = 1.0, 600


def upload(session: Session, folder: str, project: str = "") -> dict[str, Any]:
    """Uploads the source code in a folder to a project, unless that has it. Returns its digest, files and size.

    What git would ignore is left out. A large upload, which may take long, is told on stderr. Raises UsageError if the
    folder cannot be packed or is too large.
    """
    params = {"project": project or session.project}
    with tempfile.TemporaryFile() as file:
        packed = pack(folder, file)
        if packed.size_bytes >= TOLD_BYTES:
            print_status(f"sending {size_text(packed.size_bytes)} of source code, unless the hub has it")
        stored = find(session, packed.digest, params)
        for _ in range(MAX_WAITS):
            if stored is not None:
                break
            try:
                stored = session.upload(ROUTE, file, MEDIA_TYPE, params)
            except TooMany:  # another upload of this account, maybe of the same source code
                time.sleep(WAIT_SECS)
                stored = find(session, packed.digest, params)
    if stored is None:
        raise NotReady("other uploads of this account take too long", hint="try again when they have ended")
    if stored["digest"] != packed.digest:
        raise LightboardError("the source code has arrived changed", hint="check the proxy in front of the hub")
    return stored


def find(session: Session, digest: str, params: dict[str, Any]) -> dict[str, Any] | None:
    """What the hub knows of source code with a digest; None if the project does not have it."""
    try:
        found: dict[str, Any] = session.get(f"{ROUTE}/{digest}", params)
    except NotFound:
        return None
    return found


def download(session: Session, job: str, to: str) -> None:
    """Downloads the source code of a job (an id) as a gzipped tar file to the new file `to`.

    Raises NotFound if the job has none, UsageError if the file exists or cannot be written.
    """
    path = f"/api/v1/jobs/{quote(job, safe='')}/source-code"
    try:
        with tempfile.TemporaryFile() as received:
            session.download(path, received)
            received.seek(0)
            with open(to, "xb") as file:
                shutil.copyfileobj(received, file)
    except FileExistsError:
        raise UsageError(f"{to} exists", hint="choose another file") from None
    except OSError as error:
        raise UsageError(f"{to} cannot be written: {error.strerror}", hint="choose another file") from None
