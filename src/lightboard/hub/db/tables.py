"""The tables. Columns have the names of the fields in `resources`; times are seconds since the epoch.

Some tables have more columns: for searching (`sought`, `marks`, ...) and for leases. Every change needs a new file in
`migrations/versions`; a test compares the two.
"""

from typing import Any, ClassVar

from sqlalchemy import JSON, BigInteger, Boolean, Double, ForeignKey, Index, Integer, LargeBinary, MetaData, text, true
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from lightboard.hub.db.columns import INPUTS, NUMBERS, PROGRESS, SCOPES, SOURCES, TAGS, VOLUMES, OneOf, Text
from lightboard.hub.resources.accounts import AccountKind
from lightboard.hub.resources.attempts import RecordedInput
from lightboard.hub.resources.bindings import BindingKind
from lightboard.hub.resources.datasets import DatasetKind
from lightboard.hub.resources.jobs import Hyperparameter, JobKind, JobStatus
from lightboard.hub.resources.replicas import Isolation, Limits
from lightboard.hub.resources.roles import Role, Scope
from lightboard.hub.resources.sources import Source
from lightboard.hub.resources.tensorboards import Access, Origin, Progress, Status
from lightboard.hub.resources.volumes import Volume

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}
SERIAL = BigInteger().with_variant(Integer, "sqlite")
"""SQLite increments only columns of the type INTEGER."""


class Table(DeclarativeBase):
    """The base class."""

    metadata = MetaData(naming_convention=NAMES)
    type_annotation_map: ClassVar[dict[Any, Any]] = {
        str: Text,
        float: Double,
        int: BigInteger,
        bool: Boolean,
        bytes: LargeBinary,
        dict[str, str]: JSON,
        dict[str, Any]: JSON,
        dict[str, Hyperparameter]: JSON,
        dict[str, RecordedInput]: INPUTS,
        tuple[Volume, ...]: VOLUMES,
        list[list[str]]: JSON,
        tuple[Source, ...]: SOURCES,
        tuple[str, ...]: TAGS,
        tuple[int, ...]: NUMBERS,
        frozenset[Scope]: SCOPES,
        Progress: PROGRESS,
        AccountKind: OneOf(AccountKind),
        BindingKind: OneOf(BindingKind),
        DatasetKind: OneOf(DatasetKind),
        JobKind: OneOf(JobKind),
        JobStatus: OneOf(JobStatus),
        Isolation: OneOf(Isolation),
        Limits: OneOf(Limits),
        Role: OneOf(Role),
        Status: OneOf(Status),
        Origin: OneOf(Origin),
        Access: OneOf(Access),
    }


class AccountRow(Table):
    """`resources.accounts.Account`."""

    __tablename__ = "accounts"
    __table_args__ = (
        Index("uq_accounts_subject", "subject", unique=True, sqlite_where=text("subject <> ''"),
              postgresql_where=text("subject <> ''")),
    )  # fmt: skip

    id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    display_name: Mapped[str]
    email: Mapped[str] = mapped_column(index=True)
    kind: Mapped[AccountKind]
    administrator: Mapped[bool]
    disabled: Mapped[bool]
    limit: Mapped[int | None]
    password_hash: Mapped[str]
    subject: Mapped[str]
    language: Mapped[str]
    created_at: Mapped[float]
    updated_at: Mapped[float]
    version: Mapped[int]


class SessionRow(Table):
    """`resources.sessions.LoginSession`."""

    __tablename__ = "sessions"

    digest: Mapped[str] = mapped_column(primary_key=True)
    account: Mapped[str] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), index=True)
    csrf: Mapped[str]
    created_at: Mapped[float]
    expires_at: Mapped[float]
    last_seen_at: Mapped[float]
    address: Mapped[str]


class TokenRow(Table):
    """`resources.tokens.Token`."""

    __tablename__ = "tokens"

    id: Mapped[str] = mapped_column(primary_key=True)
    account: Mapped[str] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), index=True)
    name: Mapped[str]
    digest: Mapped[str] = mapped_column(unique=True)
    shown: Mapped[str]
    scopes: Mapped[frozenset[Scope]]
    project: Mapped[str]
    created_at: Mapped[float]
    expires_at: Mapped[float | None]
    last_used_at: Mapped[float | None]


class ProjectRow(Table):
    """`resources.projects.Project`. The name of a deleted project is not reused, because its storage still exists."""

    __tablename__ = "projects"

    id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    display_name: Mapped[str]
    storage: Mapped[str]
    created_at: Mapped[float]
    updated_at: Mapped[float]
    version: Mapped[int]
    deleted_at: Mapped[float | None]


class MemberRow(Table):
    """`resources.projects.Member`."""

    __tablename__ = "members"

    project: Mapped[str] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True)
    account: Mapped[str] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True, index=True)
    role: Mapped[Role]
    since: Mapped[float]


class BindingRow(Table):
    """`resources.bindings.Binding`."""

    __tablename__ = "bindings"
    __table_args__ = (Index("uq_bindings_project_kind_value", "project", "kind", "value", unique=True),)

    id: Mapped[str] = mapped_column(primary_key=True)
    project: Mapped[str] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    kind: Mapped[BindingKind]
    value: Mapped[str] = mapped_column(index=True)
    credential: Mapped[str]
    created_at: Mapped[float]


class PermissionRow(Table):
    """An exception from the default of a permission (`access.PERMISSIONS`) for an account."""

    __tablename__ = "permissions"

    account: Mapped[str] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True)
    permission: Mapped[str] = mapped_column(primary_key=True)
    allowed: Mapped[bool]


class DatasetRow(Table):
    """`resources.datasets.Dataset`."""

    __tablename__ = "datasets"
    __table_args__ = (Index("uq_datasets_project_name", "project", "name", unique=True),)

    id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    project: Mapped[str] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    owner: Mapped[str] = mapped_column(ForeignKey("accounts.id"))
    kind: Mapped[DatasetKind]
    uri: Mapped[str]
    credential: Mapped[str]
    display_name: Mapped[str]
    labels: Mapped[dict[str, str]]
    created_at: Mapped[float]
    updated_at: Mapped[float]
    version: Mapped[int]


class SecretRow(Table):
    """`resources.project_secrets.ProjectSecret`. `sealed` is its value, encrypted by `secret_box`."""

    __tablename__ = "secrets"

    project: Mapped[str] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True)
    name: Mapped[str] = mapped_column(primary_key=True)
    owner: Mapped[str] = mapped_column(ForeignKey("accounts.id"))
    sealed: Mapped[bytes]
    created_at: Mapped[float]
    updated_at: Mapped[float]
    version: Mapped[int]


class InvitationRow(Table):
    """`resources.invitations.Invitation`."""

    __tablename__ = "invitations"
    __table_args__ = (Index("uq_invitations_project_invited", "project", "invited", unique=True),)

    id: Mapped[str] = mapped_column(primary_key=True)
    project: Mapped[str] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    invited: Mapped[str] = mapped_column(index=True)
    role: Mapped[Role]
    inviter: Mapped[str] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"))
    created_at: Mapped[float]
    expires_at: Mapped[float]
    declined_at: Mapped[float | None]


class TensorboardRow(Table):
    """`resources.tensorboards.Tensorboard`.

    `sought`, `sources_sought`, `marks` and `sort_name` are derived, for lists. `loading` boards are observed often.
    `leased_to` is the replica that works on the board until `leased_until`.
    """

    __tablename__ = "tensorboards"
    __table_args__ = (
        Index("uq_tensorboards_project_name", "project", "name", unique=True,
              sqlite_where=text("status <> 'Deleted'"), postgresql_where=text("status <> 'Deleted'")),
        Index("ix_tensorboards_owner_status", "owner", "status"),
        Index("ix_tensorboards_project_created_at", "project", "created_at"),
        Index("ix_tensorboards_project_source_key", "project", "source_key"),
    )  # fmt: skip

    id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    display_name: Mapped[str]
    project: Mapped[str] = mapped_column(ForeignKey("projects.id"))
    project_chosen: Mapped[bool] = mapped_column(server_default=true())
    owner: Mapped[str] = mapped_column(ForeignKey("accounts.id"))
    sources: Mapped[tuple[Source, ...]]
    source_key: Mapped[str]
    origin: Mapped[Origin]
    origin_id: Mapped[str]
    status: Mapped[Status] = mapped_column(index=True)
    reason: Mapped[str]
    message: Mapped[str]
    version: Mapped[int]
    access: Mapped[Access]
    http_auth: Mapped[bool]
    life_span_secs: Mapped[float]
    idle_timeout_secs: Mapped[float]
    reload_secs: Mapped[float]
    labels: Mapped[dict[str, str]]
    tags: Mapped[tuple[str, ...]]
    created_at: Mapped[float]
    updated_at: Mapped[float]
    status_since: Mapped[float]
    running_since: Mapped[float | None]
    ran_secs: Mapped[float]
    last_active_at: Mapped[float | None]
    restarts: Mapped[int]
    executor: Mapped[str]
    executor_ref: Mapped[str]
    spec_version: Mapped[int]
    placed_version: Mapped[int]
    progress: Mapped[Progress]
    memory_bytes: Mapped[int | None]
    cpu_secs: Mapped[float | None]

    sought: Mapped[str]
    sources_sought: Mapped[str]
    marks: Mapped[str]
    sort_name: Mapped[str]
    loading: Mapped[bool]
    leased_to: Mapped[str]
    leased_until: Mapped[float]


class TransitionRow(Table):
    """`resources.tensorboards.Transition` of the board `tensorboard`."""

    __tablename__ = "transitions"

    id: Mapped[int] = mapped_column(SERIAL, primary_key=True)
    tensorboard: Mapped[str] = mapped_column(ForeignKey("tensorboards.id", ondelete="CASCADE"), index=True)
    at: Mapped[float]
    status: Mapped[Status]
    reason: Mapped[str]
    message: Mapped[str]
    actor: Mapped[str]
    life_span_secs: Mapped[float | None]
    expires_at: Mapped[float | None]


class JobRow(Table):
    """`resources.jobs.Job`. Several jobs may have one name, of which at most one has not ended."""

    __tablename__ = "jobs"
    __table_args__ = (
        Index("ix_jobs_project_created_at", "project", "created_at"),
        Index("ix_jobs_project_name", "project", "name"),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    display_name: Mapped[str]
    project: Mapped[str] = mapped_column(ForeignKey("projects.id"))
    owner: Mapped[str] = mapped_column(ForeignKey("accounts.id"))
    command: Mapped[tuple[str, ...]]
    environment: Mapped[dict[str, str]]
    replicas: Mapped[int]
    memory_bytes: Mapped[int | None]
    priority: Mapped[int]
    max_retries: Mapped[int]
    max_run_secs: Mapped[float]
    life_span_secs: Mapped[float]
    queue_timeout_secs: Mapped[float]
    grace_secs: Mapped[float]
    labels: Mapped[dict[str, str]]
    tags: Mapped[tuple[str, ...]]
    status: Mapped[JobStatus] = mapped_column(index=True)
    reason: Mapped[str]
    message: Mapped[str]
    version: Mapped[int]
    created_at: Mapped[float]
    updated_at: Mapped[float]
    status_since: Mapped[float]
    queued_at: Mapped[float]
    attempt: Mapped[int]
    retries: Mapped[int]
    ran_secs: Mapped[float]
    started_at: Mapped[float | None]
    ended_at: Mapped[float | None]
    exit_code: Mapped[int | None]
    signal: Mapped[int | None]
    runner: Mapped[str]
    runner_ref: Mapped[str]
    hyperparameters: Mapped[dict[str, Hyperparameter]]
    image: Mapped[str]
    image_digest: Mapped[str]
    inputs: Mapped[dict[str, str]]
    output: Mapped[str] = mapped_column(index=True)
    source_code: Mapped[str]
    isolation: Mapped[Isolation | None]
    limits: Mapped[Limits | None]
    preset: Mapped[str]
    cpus: Mapped[int]
    preset_memory_bytes: Mapped[int | None]
    gpus: Mapped[int]
    cpu_ids: Mapped[tuple[int, ...]]
    gpu_ids: Mapped[tuple[int, ...]]
    kind: Mapped[JobKind]
    idle_secs: Mapped[float]
    log_dir: Mapped[str]
    repeat_of: Mapped[str] = mapped_column(index=True)
    http_port: Mapped[int | None]
    volumes: Mapped[tuple[Volume, ...]]
    secrets: Mapped[dict[str, str]]
    sought: Mapped[str]


class AttemptRow(Table):
    """`resources.attempts.Attempt`."""

    __tablename__ = "attempts"

    job: Mapped[str] = mapped_column(ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True)
    attempt: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[float]
    program: Mapped[str]
    python: Mapped[str]
    packages: Mapped[str] = mapped_column(index=True)
    image_digest: Mapped[str]
    inputs: Mapped[dict[str, RecordedInput]]
    preset: Mapped[str]
    cpus: Mapped[int]
    memory_bytes: Mapped[int | None]
    gpus: Mapped[int]
    hub_version: Mapped[str]


class PackageListRow(Table):
    """The names and versions of installed packages, stored once for all attempts that found the same."""

    __tablename__ = "package_lists"

    digest: Mapped[str] = mapped_column(primary_key=True)
    packages: Mapped[list[list[str]]]


class SourceCodeRow(Table):
    """`resources.source_code.SourceCode`."""

    __tablename__ = "source_code"

    project: Mapped[str] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True)
    digest: Mapped[str] = mapped_column(primary_key=True)
    owner: Mapped[str] = mapped_column(ForeignKey("accounts.id"), index=True)
    files: Mapped[int]
    size_bytes: Mapped[int]
    packed_bytes: Mapped[int]
    uploaded_at: Mapped[float]


class JobTransitionRow(Table):
    """`resources.jobs.JobTransition` of the job `job`."""

    __tablename__ = "job_transitions"

    id: Mapped[int] = mapped_column(SERIAL, primary_key=True)
    job: Mapped[str] = mapped_column(ForeignKey("jobs.id", ondelete="CASCADE"), index=True)
    at: Mapped[float]
    status: Mapped[JobStatus]
    reason: Mapped[str]
    message: Mapped[str]
    actor: Mapped[str]
    attempt: Mapped[int]


class JobScalarLogRow(Table):
    """What was read of the log folder of a job: the state of each of its `files`, as `scalar_reader` has it.

    `read_attempt` is the attempt after whose end everything was read, 0 for none.
    """

    __tablename__ = "job_scalar_logs"

    job: Mapped[str] = mapped_column(ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True)
    files: Mapped[dict[str, Any]]
    total: Mapped[int]
    limited: Mapped[bool]
    behind: Mapped[bool]
    message: Mapped[str]
    read_at: Mapped[float]
    read_attempt: Mapped[int]


class JobScalarRow(Table):
    """`resources.job_scalars.ScalarSeries` of the job `job`. Points are packed, since they may not be finite."""

    __tablename__ = "job_scalars"
    __table_args__ = (Index("ix_job_scalars_job_name", "job", "name"),)

    job: Mapped[str] = mapped_column(ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    run: Mapped[str]
    tag: Mapped[str]
    name: Mapped[str]
    count: Mapped[int]
    stride: Mapped[int]
    samples: Mapped[bytes]
    last: Mapped[bytes]


class ShareRow(Table):
    """`resources.tokens.Share`."""

    __tablename__ = "shares"

    id: Mapped[str] = mapped_column(primary_key=True)
    tensorboard: Mapped[str] = mapped_column(ForeignKey("tensorboards.id", ondelete="CASCADE"), index=True)
    issuer: Mapped[str] = mapped_column(ForeignKey("accounts.id"))
    created_at: Mapped[float]
    expires_at: Mapped[float]
    revoked_at: Mapped[float | None]


class AuditRow(Table):
    """`resources.audit.AuditEvent`. Without foreign keys, because it outlives its targets."""

    __tablename__ = "audit"
    __table_args__ = (Index("ix_audit_project_id", "project", "id"),)

    id: Mapped[int] = mapped_column(SERIAL, primary_key=True)
    at: Mapped[float] = mapped_column(index=True)
    actor: Mapped[str] = mapped_column(index=True)
    action: Mapped[str]
    kind: Mapped[str]
    target: Mapped[str] = mapped_column(index=True)
    project: Mapped[str]
    via: Mapped[str]
    address: Mapped[str]
    details: Mapped[dict[str, Any]]


class ChangeRow(Table):
    """A change, in the order of commits; see `changes`."""

    __tablename__ = "changes"

    id: Mapped[int] = mapped_column(SERIAL, primary_key=True)
    at: Mapped[float] = mapped_column(index=True)
    kind: Mapped[str]
    target: Mapped[str]
    narrowed: Mapped[bool]


class AnswerRow(Table):
    """A stored response for repeated requests; see `idempotency`."""

    __tablename__ = "answers"

    account: Mapped[str] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True)
    key: Mapped[str] = mapped_column(primary_key=True)
    question: Mapped[str]
    status: Mapped[int]
    headers: Mapped[dict[str, str]]
    body: Mapped[str]
    at: Mapped[float] = mapped_column(index=True)


class SettingRow(Table):
    """A setting that all replicas share."""

    __tablename__ = "settings"

    name: Mapped[str] = mapped_column(primary_key=True)
    value: Mapped[str]


class SystemIdRow(Table):
    """A system user of an account, or a group of a project; `owner` is its id. It is kept when that is gone."""

    __tablename__ = "job_users"

    number: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    owner: Mapped[str] = mapped_column(unique=True)
