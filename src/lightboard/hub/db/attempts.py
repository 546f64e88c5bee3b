"""What attempts of jobs have started with. Used by the hub itself: no rights are checked here."""

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import replace

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from lightboard.hub.db.locks import lock
from lightboard.hub.db.records import record, values
from lightboard.hub.db.tables import AttemptRow, PackageListRow
from lightboard.hub.resources.attempts import Attempt, Contents

Packages = Sequence[tuple[str, str]]
"""Names and versions."""
LISTS = "package lists"


def put(session: Session, attempt: Attempt) -> None:
    """Stores an attempt. If its start is repeated, the first record stays."""
    if session.get(AttemptRow, (attempt.job, attempt.attempt)) is None:
        session.add(AttemptRow(**values(attempt)))
        session.flush()


def put_contents(session: Session, job: str, attempt: int, name: str, contents: Contents) -> None:
    """Stores what an input of an attempt had in it, unless that is stored already or the job is gone."""
    row = session.get(AttemptRow, (job, attempt), with_for_update=True)
    if row is not None and name in row.inputs and row.inputs[name].contents is None:
        row.inputs = {**row.inputs, name: replace(row.inputs[name], contents=contents)}
        session.flush()


def put_packages(session: Session, packages: Packages) -> str:
    """Stores a list of packages once, however many attempts have it. Returns its digest."""
    digest = digest_of(packages)
    lock(session, LISTS)
    if session.get(PackageListRow, digest) is None:
        session.add(PackageListRow(digest=digest, packages=[list(each) for each in packages]))
        session.flush()
    return digest


def digest_of(packages: Packages) -> str:
    """The SHA-256 of a list of packages, as `pip freeze` writes one."""
    return hashlib.sha256("".join(f"{name}=={version}\n" for name, version in packages).encode()).hexdigest()


def of_job(session: Session, job: str) -> list[Attempt]:
    """The attempts of the job with this id, oldest first."""
    rows = session.scalars(select(AttemptRow).where(AttemptRow.job == job).order_by(AttemptRow.attempt))
    return [record(Attempt, row) for row in rows]


def package_lists(session: Session, digests: Collection[str]) -> dict[str, list[tuple[str, str]]]:
    """The lists of packages with these digests."""
    rows = session.scalars(select(PackageListRow).where(PackageListRow.digest.in_(digests)))
    return {row.digest: [(name, version) for name, version in row.packages] for row in rows}


def delete_unused_packages(session: Session) -> None:
    """Deletes lists of packages that no attempt has any more."""
    lock(session, LISTS)
    session.execute(delete(PackageListRow).where(PackageListRow.digest.not_in(select(AttemptRow.packages).distinct())))
