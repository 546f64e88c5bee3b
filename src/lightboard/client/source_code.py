"""Sends source code to a hub, and gets it back."""

import shutil
import tempfile
from typing import Any
from urllib.parse import quote

from lightboard.client.session import Session
from lightboard.client.source_folder import pack
from lightboard.errors import LightboardError, NotFound, UsageError

ROUTE = "/api/v1/source-code"
MEDIA_TYPE = "application/gzip"


def upload(session: Session, folder: str, project: str = "") -> dict[str, Any]:
    """Uploads the source code in a folder to a project, unless that has it. Returns its digest, files and size.

    What git would ignore is left out. Raises UsageError if the folder cannot be packed or is too large.
    """
    params = {"project": project or session.project}
    with tempfile.TemporaryFile() as file:
        packed = pack(folder, file)
        try:
            stored: dict[str, Any] = session.get(f"{ROUTE}/{packed.digest}", params)
        except NotFound:
            stored = session.upload(ROUTE, file, MEDIA_TYPE, params)
    if stored["digest"] != packed.digest:
        raise LightboardError("the source code has arrived changed", hint="check the proxy in front of the hub")
    return stored


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
