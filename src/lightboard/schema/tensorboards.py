"""A TensorBoard of the hub over HTTP. Times are seconds since the epoch, spans in seconds, sizes in bytes."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from lightboard.schema.model import Answer, HubQuestion
from lightboard.schema.page import Page, PageQuestion, Short

StatusWord = Literal[
    "Pending", "Creating", "Running", "Creating_Failed", "Stopping", "Stopped", "Deleting", "Deleted", "Failed"
]
OriginWord = Literal["ui", "sdk", "cli", "notebook", "job", "path"]
AccessWord = Literal["private", "project", "public_link"]
SourceWord = Literal["dataset", "storage", "uri", "path"]
LabelText = Annotated[str, Field(max_length=200)]
Labels = Annotated[dict[LabelText, LabelText], Field(max_length=64)]
Tags = Annotated[list[Annotated[str, Field(min_length=1, max_length=64)]], Field(max_length=16)]
Span = Annotated[float, Field(ge=0, le=10 * 365 * 86_400)]


class SourceQuestion(HubQuestion):
    """One place with logs: `uri` in one line, or a `dataset` (name or id) with a `path` below it.

    A uri is `/data/runs`, `storage:a/b`, `dataset:name/path` or `s3://b/p`; `include` and `exclude` are glob patterns
    of run names.
    """

    uri: Annotated[str, Field(max_length=4096)] = ""
    dataset: Annotated[str, Field(max_length=200)] = ""
    path: Annotated[str, Field(max_length=4096)] = ""
    alias: Annotated[str, Field(max_length=100, pattern=r"^[^/\x00-\x1f,:]*$")] = ""
    include: Annotated[str, Field(max_length=1000)] = ""
    exclude: Annotated[str, Field(max_length=1000)] = ""

    @model_validator(mode="after")
    def one_way(self) -> "SourceQuestion":
        """Raises ValueError unless exactly one of the two ways is used."""
        if bool(self.uri) == bool(self.dataset):
            raise ValueError("give either uri, or dataset and path")
        if self.uri and self.path:
            raise ValueError("path goes with dataset; a uri holds its path itself")
        return self


class SourceAnswer(Answer):
    """`text` is as people write it; `dataset` is null unless the source is one."""

    id: str
    kind: SourceWord
    text: str
    dataset: str | None
    path: str
    alias: str
    include: str
    exclude: str


class CreateTensorboard(HubQuestion):
    """What is wanted. `name` "" is made from the display name; `max_runtime_minutes` is PAI's for `life_span_secs`.

    With `reuse` a board of the same origin or over the same places that the account may see is given back, started
    if need be, instead of a new one.
    """

    sources: Annotated[list[SourceQuestion], Field(min_length=1, max_length=64)]
    project: Annotated[str, Field(max_length=200)] = ""
    name: Annotated[str, Field(max_length=40)] = ""
    display_name: Annotated[str, Field(max_length=200)] = ""
    origin: OriginWord = "ui"
    origin_id: Annotated[str, Field(max_length=200)] = ""
    access: AccessWord = "private"
    http_auth: bool = True
    life_span_secs: Span | None = None
    max_runtime_minutes: Annotated[int, Field(ge=0, le=10 * 365 * 1440)] | None = None
    idle_timeout_secs: Span | None = None
    labels: Labels = Field(default_factory=dict)
    tags: Tags = Field(default_factory=list)
    reuse: bool = False

    @model_validator(mode="after")
    def one_span(self) -> "CreateTensorboard":
        """Raises ValueError where both words for the life span are given."""
        if self.life_span_secs is not None and self.max_runtime_minutes is not None:
            raise ValueError("life_span_secs and max_runtime_minutes are the same thing; give one")
        return self


class ChangeTensorboard(HubQuestion):
    """What is to be different; null leaves as it is. `sources` replaces all of them, while it runs too."""

    display_name: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    sources: Annotated[list[SourceQuestion], Field(min_length=1, max_length=64)] | None = None
    access: AccessWord | None = None
    http_auth: bool | None = None
    life_span_secs: Span | None = None
    max_runtime_minutes: Annotated[int, Field(ge=0, le=10 * 365 * 1440)] | None = None
    idle_timeout_secs: Span | None = None
    labels: Labels | None = None
    tags: Tags | None = None


class ExtendTensorboard(HubQuestion):
    """More running time: `additional_secs` from now on, or `total_secs` as the whole span (0: no end); exactly one."""

    additional_secs: Annotated[float, Field(gt=0, le=10 * 365 * 86_400)] | None = None
    total_secs: Span | None = None

    @model_validator(mode="after")
    def one_way(self) -> "ExtendTensorboard":
        """Raises ValueError unless exactly one is given."""
        if (self.additional_secs is None) == (self.total_secs is None):
            raise ValueError("give either additional_secs or total_secs")
        return self


class ProgressAnswer(Answer):
    """How far its logs are read."""

    runs: int
    bytes_read: int
    bytes_total: int
    last_event_at: float | None
    loading: bool


class TransitionAnswer(Answer):
    """One step of its history; `actor` is an account's name, "" for the hub itself.

    With the reasons `Extended` and `Shortened` the status stays: `life_span_secs` is the new life span, 0 for no end,
    and `expires_at` when it ends from then on, null while the board does not run. Other steps have null for both.
    """

    at: float
    status: StatusWord
    reason: str
    message: str
    actor: str
    life_span_secs: float | None
    expires_at: float | None


class TensorboardAnswer(Answer):
    """One TensorBoard. `app_uri` is its link, the same for all its life; `rights` are what the asker may do with it.

    `phase` is DCE's word for the status and `neuro_status` Neu.ro's, beside which `reason` is the second word.
    """

    id: str
    name: str
    display_name: str
    project: str
    project_name: str
    owner: str
    owner_name: str
    app_uri: str
    status: StatusWord
    reason: str
    message: str
    phase: Literal["PENDING", "RUNNING", "STOPPED", "FAILED", ""]
    neuro_status: Literal["pending", "running", "cancelled", "failed"]
    version: int
    sources: list[SourceAnswer]
    source_key: str
    origin: OriginWord
    origin_id: str
    access: AccessWord
    http_auth: bool
    life_span_secs: float
    max_runtime_minutes: int
    idle_timeout_secs: float
    reload_secs: float
    labels: dict[str, str]
    tags: list[str]
    created_at: float
    updated_at: float
    status_since: float
    running_secs: float
    expires_at: float | None
    ends_soon: bool
    idle_at: float | None
    last_active_at: float | None
    restarts: int
    executor: str
    progress: ProgressAnswer
    memory_bytes: int | None
    cpu_secs: float | None
    counts_toward_limit: bool
    rights: list[str]


class TensorboardDetail(TensorboardAnswer):
    """The same with its history, oldest first."""

    transitions: list[TransitionAnswer]


class History(Answer):
    """Its history alone."""

    items: list[TransitionAnswer]


class TensorboardPage(Page[TensorboardAnswer]):
    """A page of the list; `limit` and `remaining` are of the asker's own account."""

    limit: int
    remaining: int


class TensorboardQuestion(PageQuestion):
    """Which TensorBoards: several words of a kind are separated by commas; `owner` is a name, an id, or `me`."""

    project: Short = ""
    owner: Short = ""
    status: Short = ""
    reason: Annotated[str, Field(max_length=1000)] = ""
    origin: Short = ""
    origin_id: Short = ""
    source: Annotated[str, Field(max_length=4096)] = ""
    label: Annotated[str, Field(max_length=16_384)] = ""
    tag: Annotated[str, Field(max_length=1024)] = ""
    search: Annotated[str, Field(max_length=1000)] = ""
    created_after: float | None = None
    created_before: float | None = None
    sort: Literal["created", "name", "active", "-created", "-name", "-active"] = "-created"


class ProbeQuestion(HubQuestion):
    """Places to look at before a board is made over them."""

    project: Short = ""
    sources: Annotated[list[SourceQuestion], Field(min_length=1, max_length=64)]


class SourceProbe(Answer):
    """What lies at one place; `reason` is "", SourceNotFound, AccessDenied, Unreachable or Invalid."""

    runs: int
    files: int
    size_bytes: int
    last_event_at: float | None
    more: bool
    reason: str
    message: str
    hint: str


class ProbeAnswer(Answer):
    """One look at each place, in the order asked."""

    sources: list[SourceProbe]


class CreateShare(HubQuestion):
    """For how long, a day unless said; seven days at most."""

    expires_secs: Annotated[float, Field(gt=0, le=604_800)] = 86_400.0


class ShareAnswer(Answer):
    """A link for anybody; PAI's field is `TensorboardSharedUrl`. `url` is shown once, at its making; "" later."""

    id: str
    tensorboard: str
    url: str
    TensorboardSharedUrl: str
    created_at: float
    expires_at: float
    revoked_at: float | None
    issuer_name: str


class Shares(Answer):
    """All links to one board that have not expired."""

    items: list[ShareAnswer]


class LogAnswer(Answer):
    """The last lines that the server of a board said, oldest first."""

    lines: list[str]


class TopAnswer(Answer):
    """What it takes now.

    `memory_bytes` are the points of its logs in memory. Everything else is counted by the system for the process that
    shows it, which shows `process_boards` boards in all: `process_memory_bytes`, and `cpu_secs` since it began.
    """

    memory_bytes: int | None
    process_memory_bytes: int | None
    process_boards: int | None
    cpu_secs: float | None
    progress: ProgressAnswer
    at: float


class LimitMember(Answer):
    """One of the boards that fill the limit."""

    id: str
    display_name: str
    created_at: float
    last_active_at: float | None


class LimitDetails(Answer):
    """`details` of TensorboardLimitExceeded; `active` has the longest idle first."""

    limit: int
    active: list[LimitMember]
    remedies: list[str]
