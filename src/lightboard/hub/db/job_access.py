"""Jobs as accounts create, find and change them. Rights are checked here."""

import re
import secrets
import string
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache

from sqlalchemy import ColumnElement, func, or_, select
from sqlalchemy.orm import Session

from lightboard.errors import Conflict, Invalid, NotFound, PermissionDenied
from lightboard.hub import job_lifecycle
from lightboard.hub.access import Permission, Principal
from lightboard.hub.db import accounts, audit, datasets, jobs, permissions, project_secrets, projects, source_code
from lightboard.hub.db.access_checks import Resource, check_access, check_right, denied, rights_on
from lightboard.hub.db.locks import lock
from lightboard.hub.db.records import check_version, record
from lightboard.hub.db.tables import JobRow, MemberRow
from lightboard.hub.db.tensorboard_lists import words
from lightboard.hub.resources.ids import is_id, new_id
from lightboard.hub.resources.jobs import (
    ENDED,
    NOT_ENDED,
    NOTEBOOK_FOLDER,
    ON_RUNNER,
    OUTPUT_FOLDER,
    PREFIX,
    WAITING,
    Job,
    JobKind,
    JobStatus,
    JobTransition,
)
from lightboard.hub.resources.life_spans import extended_span
from lightboard.hub.resources.names import check_name, name_from, numbered
from lightboard.hub.resources.projects import Project
from lightboard.hub.resources.roles import Scope
from lightboard.hub.resources.sources import SourceKind, source_of
from lightboard.hub.resources.volumes import Volume
from lightboard.schema.jobs import JobRequest
from lightboard.schema.life_spans import ExtendLifeSpan

MAX_ACTIVE = 1_000
"""Jobs of an account that wait, run or are paused at once."""
MAX_PROGRAM = 200
"""Letters of the name of a program in the audit log."""
SUFFIX_LENGTH = 6
LETTERS = string.ascii_lowercase + string.digits
NUMBER = re.compile(r"-\d{1,4}$")
ACTIVE = JobRow.status.in_(NOT_ENDED)
OWNER_ALONE = frozenset({"jobs.exec", "jobs.connect"})
ORDERS = {"created": JobRow.created_at, "name": JobRow.name}


def create(session: Session, principal: Principal, new: Job, at: float) -> Job:
    """Creates a job of the principal, Queued. Right `jobs.create`.

    `project` is an id, a name, or "" for the default project. A `name` of "" is derived from the display name. Raises
    Conflict if a job of this name has not ended, or the account has MAX_ACTIVE jobs; Invalid for an invalid name;
    NotFound if the project does not have its source code or a secret, or may not use a dataset.
    """
    project = project_for(session, principal, new.project)
    if new.source_code:
        source_code.use(session, project, new.source_code, at)
    project_secrets.check_exist(session, project.id, new.secrets.items())
    lock_count(session, principal.account)
    check_count(session, principal.account)
    lock(session, f"names of jobs {project.id}")
    name = free_name(session, project.id, new)
    made = replace(
        new,
        id=new_id(PREFIX, at),
        name=name,
        display_name=new.display_name or name,
        project=project.id,
        owner=principal.account,
        inputs=known_inputs(session, principal, project.id, new.inputs),
        log_dir=known_log_dir(session, principal, project.id, new.log_dir),
        volumes=known_volumes(session, principal, project.id, new.volumes),
        output=output_folder(new.kind, name),
        created_at=at,
        updated_at=at,
        status_since=at,
        queued_at=at,
    )
    jobs.insert(session, principal, made)
    used = {"secrets": ", ".join(sorted({*made.secrets.values()}))} if made.secrets else {}
    add_to_audit(session, principal, "create", made, at, **used)
    session.flush()
    return made


def known_inputs(session: Session, principal: Principal, project: str, inputs: Mapping[str, str]) -> dict[str, str]:
    """The sources of inputs with the ids of their datasets.

    Raises Invalid for what is not a source, NotFound for a dataset that the project may not use; both name the input.
    """
    return {name: known_source(session, principal, project, text, f"the input {name}") for name, text in inputs.items()}


def known_log_dir(session: Session, principal: Principal, project: str, text: str) -> str:
    """As `known_inputs`, for the folder of TensorBoard logs; "" for none."""
    return known_source(session, principal, project, text, "the log path") if text else ""


def known_volumes(
    session: Session, principal: Principal, project: str, volumes: Iterable[Volume]
) -> tuple[Volume, ...]:
    """As `known_inputs`, for volumes."""

    def known(volume: Volume) -> str:
        return known_source(session, principal, project, volume.source, f"the volume {volume.target}")

    return tuple(replace(volume, source=known(volume)) for volume in volumes)


def known_source(session: Session, principal: Principal, project: str, text: str, what: str) -> str:
    """A source with the id of its dataset. Errors name `what` it is."""
    try:
        source = source_of(text)
        if source.kind is SourceKind.DATASET:
            source = replace(source, ref=datasets.usable(session, principal, source.ref, project).id)
    except (Invalid, NotFound) as error:
        raise type(error)(f"{what}: {error.message}", hint=error.hint) from None
    return source.text


def project_for(session: Session, principal: Principal, id_or_name: str) -> Project:
    """The project of a new job or its source code; "" is the default project. Right `jobs.create`."""
    project = projects.get(session, principal, id_or_name) if id_or_name else projects.default(session, principal)
    check_right(session, principal, "jobs.create", Resource(project.id))
    return project


def random_suffix() -> str:
    """What keeps the outputs of jobs of one name apart."""
    return "".join(secrets.choice(LETTERS) for _ in range(SUFFIX_LENGTH))


def lock_count(session: Session, account: str) -> None:
    """Keeps others from adding jobs of an account until this transaction ends."""
    lock(session, f"number of jobs {account}")


def check_count(session: Session, account: str) -> None:
    """Raises Conflict if an account may not have another job that waits or runs."""
    number = count_active(session, account)
    if number >= MAX_ACTIVE:
        raise Conflict(f"{number:,} jobs of this account wait or run", hint="stop some, or wait until some have ended")


def output_folder(kind: JobKind, name: str) -> str:
    """The folder of the outputs of a new job, in the storage of its project.

    Each job has a new one. A notebook has the one of its name, with the files of an earlier one that was deleted.
    """
    if kind is JobKind.NOTEBOOK:
        return f"{NOTEBOOK_FOLDER}/{name}"
    return f"{OUTPUT_FOLDER}/{name}_{random_suffix()}"


def free_name(session: Session, project: str, new: Job) -> str:
    """The name of a new job. Raises Conflict if it is taken, Invalid if it is not valid.

    Taken are the names of jobs that have not ended, and for a notebook those of all notebooks.
    """
    has_name: ColumnElement[bool] = ACTIVE
    if new.kind is JobKind.NOTEBOOK:
        has_name = or_(ACTIVE, (JobRow.kind == JobKind.NOTEBOOK) & (JobRow.status != JobStatus.DELETED))
    taken = set(session.scalars(select(JobRow.name).where(JobRow.project == project, has_name)))
    if not new.name:
        return numbered(name_from(new.display_name, new.kind), taken)
    if check_name(new.name, f"name of a {new.kind}") in taken:
        raise name_taken(new.name, new.kind)
    return new.name


def next_name(session: Session, job: Job) -> str:
    """The name of a job that repeats another: `mnist-2` after `mnist`, unless that has been used."""
    query = select(JobRow.name).where(JobRow.project == job.project, JobRow.status != JobStatus.DELETED)
    return numbered(NUMBER.sub("", job.name), {job.name, *session.scalars(query)})


def name_taken(name: str, kind: JobKind) -> Conflict:
    """The error for a name that another job or notebook has."""
    if kind is JobKind.NOTEBOOK:
        message = f"there is a notebook {name} in this project, or a job {name} that has not ended"
        return Conflict(message, hint="choose another name, or start that notebook")
    return Conflict(f"a job {name} in this project has not ended", hint="choose another name, or stop that one")


def get(session: Session, principal: Principal, id_or_name: str, right: str = "jobs.get", project: str = "") -> Job:
    """The job with this id, or this name in `project` (id or name; "" is any that the principal sees).

    Of several with one name, one that has not ended, then an own one, then the newest. Deleted jobs are only found by
    id. Raises NotFound if the principal may not see it, PermissionDenied without the `right`.
    """
    return record(Job, row_for(session, principal, id_or_name, right, project))


def row_for(session: Session, principal: Principal, id_or_name: str, right: str, project: str) -> JobRow:
    """The row that `get` returns as a job."""
    home = projects.get(session, principal, project).id if project else ""
    known = is_id(id_or_name, PREFIX)
    row = session.get(JobRow, id_or_name) if known else find_by_name(session, principal, id_or_name, home)
    if row is None or (home and home != row.project):
        raise NotFound(f"there is no job {id_or_name}")
    check_access(session, principal, "jobs.get", right, f"job {id_or_name}", resource_of(row))
    return row


def find_by_name(session: Session, principal: Principal, name: str, project: str) -> JobRow | None:
    """The job of this name that the principal sees: one that has not ended, then its own, then the newest.

    `project` is an id.
    """
    where = [JobRow.name == name, JobRow.status != JobStatus.DELETED, *visible(principal)]
    if project:
        where.append(JobRow.project == project)
    order = (JobRow.status.in_(ENDED), JobRow.owner != principal.account, JobRow.created_at.desc(), JobRow.id.desc())
    return session.scalar(select(JobRow).where(*where).order_by(*order).limit(1))


def visible(principal: Principal) -> list[ColumnElement[bool]]:
    """The conditions that the principal may see a job, as `jobs.get` in the table of rights."""
    where: list[ColumnElement[bool]] = [JobRow.project == principal.project] if principal.project else []
    if not principal.administrator:
        where.append(JobRow.project.in_(select(MemberRow.project).where(MemberRow.account == principal.account)))
    return where


def find(session: Session, principal: Principal, query: JobRequest) -> tuple[list[Job], int]:
    """A page of the visible jobs and their total number. Deleted ones are included only if that status is set.

    Raises PermissionDenied for a token that may not read.
    """
    if Scope.READ not in principal.scopes:
        raise denied(principal, "jobs.list")
    where = [*visible(principal), JobRow.kind == JobKind(query.kind), *conditions(query)]
    if query.project:
        where.append(JobRow.project == projects.get(session, principal, query.project, "jobs.list").id)
    if query.owner:
        where.append(JobRow.owner == accounts.find_owner(session, principal, query.owner))
    total = session.scalar(select(func.count()).select_from(JobRow).where(*where)) or 0
    column, backwards = ORDERS[query.sort.removeprefix("-")], query.sort.startswith("-")
    order = [key.desc() if backwards else key for key in (column, JobRow.id)]
    page = select(JobRow).where(*where).order_by(*order)
    rows = session.scalars(page.offset((query.page - 1) * query.page_size).limit(query.page_size))
    return [record(Job, row) for row in rows], total


def queue(session: Session, principal: Principal, runner: str) -> tuple[list[Job], set[str]]:
    """All jobs of a runner that wait or may have processes, with the fields IN_QUEUE, and the ids of those that the
    principal may see. Raises PermissionDenied for a token that may not read.
    """
    if Scope.READ not in principal.scopes:
        raise denied(principal, "jobs.list")
    found = jobs.active(session, runner, jobs.IN_QUEUE)
    seen = session.scalars(select(JobRow.id).where(JobRow.status.in_(WAITING | ON_RUNNER), *visible(principal)))
    return found, set(seen)


def count_active(session: Session, account: str) -> int:
    """How many of the MAX_ACTIVE jobs of an account there are."""
    return session.scalar(select(func.count()).select_from(JobRow).where(JobRow.owner == account, ACTIVE)) or 0


def conditions(query: JobRequest) -> Sequence[ColumnElement[bool]]:
    """The conditions of the filters. Raises Invalid for an unknown status."""
    known = {status.value.lower(): status for status in JobStatus}
    if unknown := [word for word in words(query.status) if word.lower() not in known]:
        raise Invalid(f"{unknown[0]!r} is not a status of jobs", hint=f"statuses: {', '.join(JobStatus)}")
    wanted = [known[word.lower()] for word in words(query.status)]
    where = [JobRow.status.in_(wanted) if query.status else JobRow.status != JobStatus.DELETED]
    if query.search:
        where.append(JobRow.sought.contains(query.search.casefold(), autoescape=True))
    return where


def apply_event(
    session: Session,
    principal: Principal,
    id_or_name: str,
    right: str,
    event: job_lifecycle.Event,
    at: float,
    version: int | None = None,
    project: str = "",
    *,
    runner: str,
) -> Job:
    """The job after `event`, or unchanged, as after a stop of an ended one. `runner` is the one that the hub has.

    Raises Conflict for another version, and if it cannot be restarted, paused or resumed now, or on this runner;
    PermissionDenied if it would start, and its owner may not run jobs any more.
    """
    seen = row_for(session, principal, id_or_name, right, project)
    restarts = isinstance(event, job_lifecycle.RestartRequested)
    if restarts:  # lock these before the job, as `create` does, to avoid deadlocks
        lock_count(session, seen.owner)
        lock(session, f"names of jobs {seen.project}")
    row = session.get_one(JobRow, seen.id, with_for_update=True, populate_existing=True)
    before = record(Job, row)
    check_version(f"the job {before.name}", before.version, version)
    if problem := job_lifecycle.conflict(before, event) or job_lifecycle.runner_conflict(before, event, runner):
        raise problem
    if restarts and before.status in ENDED:
        check_restart(session, before)
    if isinstance(event, job_lifecycle.ResumeRequested) and before.status is JobStatus.PAUSED:
        check_owner(session, before)
    after, applied = jobs.apply_event(session, before, event, at, principal)
    if applied:
        add_to_audit(session, principal, type(event).__name__.removesuffix("Requested").lower(), after, at)
        session.flush()
    return after


def set_priority(
    session: Session,
    principal: Principal,
    id_or_name: str,
    priority: int,
    at: float,
    version: int | None = None,
    project: str = "",
) -> Job:
    """The job with another priority, which counts whenever it waits. Right `jobs.prioritize`.

    Raises Conflict for another version, and for a deleted job.
    """
    before = locked(session, principal, id_or_name, "jobs.prioritize", version, project)
    if priority == before.priority:
        return before
    after = replace(before, priority=priority, version=before.version + 1, updated_at=at)
    jobs.update(session, after)
    add_to_audit(session, principal, "prioritize", after, at, priority=str(priority))
    return after


def extend(
    session: Session,
    principal: Principal,
    id_or_name: str,
    wanted: ExtendLifeSpan,
    at: float,
    version: int | None = None,
    project: str = "",
) -> Job:
    """The job with its life span extended or set, as `extended_span`. Right `jobs.extend`.

    Raises Conflict for another version, and for a deleted job.
    """
    before = locked(session, principal, id_or_name, "jobs.extend", version, project)
    span = extended_span(before, at, **wanted.model_dump())
    if span == before.life_span_secs:
        return before
    after = replace(before, life_span_secs=span, version=before.version + 1, updated_at=at)
    jobs.update(session, after)
    add_to_audit(session, principal, "extend", after, at, life_span_secs=f"{span:.0f}")
    return after


def locked(
    session: Session, principal: Principal, id_or_name: str, right: str, version: int | None, project: str
) -> Job:
    """A job that nobody else changes until this transaction ends. Raises Conflict for another version, or if it is
    deleted.
    """
    seen = row_for(session, principal, id_or_name, right, project)
    before = record(Job, session.get_one(JobRow, seen.id, with_for_update=True, populate_existing=True))
    check_version(f"the job {before.name}", before.version, version)
    if before.status in job_lifecycle.GONE:
        raise Conflict(f"the {before.kind} {before.name} is deleted", hint="create another one")
    return before


SETTINGS = (
    *("display_name", "environment", "secrets", "labels", "image", "inputs", "volumes", "log_dir", "priority"),
    *("preset", "cpus", "preset_memory_bytes", "gpus", "memory_bytes"),
)
"""Fields of a job that its owner can change while it does not run."""


def change(session: Session, principal: Principal, id: str, wanted: Job, at: float, version: int | None = None) -> Job:
    """The ended job with the SETTINGS of another, for its next start. Right `jobs.update`, and its owner alone.

    Raises Conflict for another version, and if it has not ended; PermissionDenied for anybody else, because it runs
    with the rights of its owner; and as `create` for sources and secrets.
    """
    seen = row_for(session, principal, id, "jobs.update", "")
    row = session.get_one(JobRow, seen.id, with_for_update=True, populate_existing=True)
    before = record(Job, row)
    if before.owner != principal.account:
        raise PermissionDenied(f"only its owner changes a {before.kind}", hint="it runs with the rights of its owner")
    check_version(f"the {before.kind} {before.name}", before.version, version)
    if before.status not in ENDED:
        raise Conflict(f"the {before.kind} {before.name} is {before.status}", hint="stop it, and wait for its end")
    project_secrets.check_exist(session, before.project, wanted.secrets.items())
    changed = replace(
        before,
        **{
            **{name: getattr(wanted, name) for name in SETTINGS},
            "inputs": known_inputs(session, principal, before.project, wanted.inputs),
            "volumes": known_volumes(session, principal, before.project, wanted.volumes),
            "log_dir": known_log_dir(session, principal, before.project, wanted.log_dir),
        },
    )
    if changed == before:
        return before
    after = replace(changed, version=before.version + 1, updated_at=at)
    jobs.update(session, after)
    what = ", ".join(name for name in SETTINGS if getattr(before, name) != getattr(after, name))
    add_to_audit(session, principal, "change", after, at, settings=what)
    return after


def check_restart(session: Session, job: Job) -> None:
    """Raises Conflict while another job has its name, or if its owner has too many; PermissionDenied if its owner may
    not run jobs any more.
    """
    check_count(session, job.owner)
    same = JobRow.project == job.project, JobRow.name == job.name, ACTIVE
    if session.scalar(select(JobRow.id).where(*same).limit(1)):
        raise name_taken(job.name, JobKind.JOB)
    check_owner(session, job)


def check_owner(session: Session, job: Job) -> None:
    """Raises PermissionDenied if the owner of a job may not run jobs any more."""
    if not permissions.is_permitted(session, job.owner, Permission.RUN_JOBS):
        name = accounts.names(session, {job.owner}).get(job.owner, job.owner)
        raise permissions.refusal([Permission.RUN_JOBS], f"{name}, who owns this job,")


def history(session: Session, principal: Principal, id_or_name: str, project: str = "") -> list[JobTransition]:
    """The history of a job, oldest first. Right `jobs.get`."""
    return jobs.history(session, row_for(session, principal, id_or_name, "jobs.get", project).id)


def rights_of_jobs(session: Session, principal: Principal, found: Iterable[Job]) -> dict[str, list[str]]:
    """The rights of the principal on jobs, by id.

    Only its owner opens its server or runs further commands, whoever administers the hub.
    """

    @cache  # most jobs of a list have the same project and owner
    def rights(kind: str, resource: Resource) -> list[str]:
        return rights_on(session, principal, kind, resource)

    by_id = {}
    for job in found:
        is_owner = job.owner == principal.account
        kinds = ("jobs", "notebooks") if job.kind is JobKind.NOTEBOOK and is_owner else ("jobs",)
        every = [right for kind in kinds for right in rights(kind, resource_of(job))]
        by_id[job.id] = [right for right in every if is_owner or right not in OWNER_ALONE]
    return by_id


def resource_of(job: Job | JobRow) -> Resource:
    """The resource that rights on a job are checked on."""
    return Resource(job.project, job.owner)


def record_exec(session: Session, principal: Principal, job: Job, program: str, at: float) -> None:
    """Adds an audit event for a further command. It has no arguments, because these may contain secrets."""
    add_to_audit(session, principal, "exec", job, at, program=program[:MAX_PROGRAM])


def record_port_forward(session: Session, principal: Principal, job: Job, port: int, at: float) -> None:
    """Adds an audit event for connections to a port."""
    add_to_audit(session, principal, "port_forward", job, at, port=str(port))


def add_to_audit(session: Session, principal: Principal, action: str, job: Job, at: float, **details: str) -> None:
    """Adds an audit event. It names the command of no job, because that may contain secrets."""
    audit.add(
        session,
        principal,
        f"job.{action}",
        kind=jobs.KIND,
        target=job.id,
        project=job.project,
        at=at,
        details={"name": job.name, **details},
    )
