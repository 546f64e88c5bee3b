"""TensorBoards of the hub. Times are seconds since the epoch, durations in seconds, sizes in bytes."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from lightboard.schema.life_spans import Span
from lightboard.schema.model import HubRequestModel, ResponseModel
from lightboard.schema.page import Page, PageRequest, Short

StatusWord = Literal[
    "Pending", "Creating", "Running", "Creating_Failed", "Stopping", "Stopped", "Deleting", "Deleted", "Failed"
]
OriginWord = Literal["ui", "sdk", "cli", "notebook", "job", "path"]
AccessWord = Literal["private", "project", "public_link"]
SourceWord = Literal["dataset", "storage", "uri", "path"]
LabelText = Annotated[str, Field(max_length=200)]
Labels = Annotated[dict[LabelText, LabelText], Field(max_length=64)]
Tags = Annotated[list[Annotated[str, Field(min_length=1, max_length=64)]], Field(max_length=16)]


class SourceRequest(HubRequestModel):
    """A source: a `uri`, or a `dataset` (name or id) with a `path` below it.

    A URI is `/data/runs`, `storage:a/b`, `dataset:name/path` or `s3://b/p`; `include` and `exclude` are glob patterns
    of run names. `target` is the absolute path at which `lightboard exec` shows the source, "" for one below `/logs`.
    """

    uri: Annotated[str, Field(max_length=4096)] = ""
    dataset: Annotated[str, Field(max_length=200)] = ""
    path: Annotated[str, Field(max_length=4096)] = ""
    alias: Annotated[str, Field(max_length=100, pattern=r"^[^/\x00-\x1f,:]*$")] = ""
    include: Annotated[str, Field(max_length=1000)] = ""
    exclude: Annotated[str, Field(max_length=1000)] = ""
    target: Annotated[str, Field(max_length=1024)] = ""

    @model_validator(mode="after")
    def one_way(self) -> "SourceRequest":
        """Raises ValueError unless exactly one of the two is used."""
        if bool(self.uri) == bool(self.dataset):
            raise ValueError("give either uri, or dataset and path")
        if self.uri and self.path:
            raise ValueError("path goes with dataset; a uri holds its path itself")
        return self


class SourceResponse(ResponseModel):
    """`text` is the source as users write it; `dataset` is null unless the source is one."""

    id: str
    kind: SourceWord
    text: str
    dataset: str | None
    path: str
    alias: str
    include: str
    exclude: str
    target: str


class CreateTensorboard(HubRequestModel):
    """A new TensorBoard.

    If `name` is "", it is derived from the display name. `max_runtime_minutes` is PAI's name for `life_span_secs`.
    With `reuse`, an existing visible board of the same origin or with the same sources is returned, and started if
    needed.
    """

    sources: Annotated[list[SourceRequest], Field(min_length=1, max_length=64)]
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
        """Raises ValueError if both fields for the life span are given."""
        if self.life_span_secs is not None and self.max_runtime_minutes is not None:
            raise ValueError("life_span_secs and max_runtime_minutes are the same thing; give one")
        return self


class ChangeTensorboard(HubRequestModel):
    """Changes of a TensorBoard. Null means no change. `sources` replaces all sources, also while the board runs."""

    display_name: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    sources: Annotated[list[SourceRequest], Field(min_length=1, max_length=64)] | None = None
    access: AccessWord | None = None
    http_auth: bool | None = None
    life_span_secs: Span | None = None
    max_runtime_minutes: Annotated[int, Field(ge=0, le=10 * 365 * 1440)] | None = None
    idle_timeout_secs: Span | None = None
    labels: Labels | None = None
    tags: Tags | None = None


class ProgressResponse(ResponseModel):
    """How much of its logs a board has read."""

    runs: int
    bytes_read: int
    bytes_total: int
    last_event_at: float | None
    loading: bool


class TransitionResponse(ResponseModel):
    """A history entry; `actor` is the name of an account, "" for the hub itself.

    The reasons `Extended` and `Shortened` do not change the status: `life_span_secs` is the new life span, 0 for no
    end, and `expires_at` its new end, null while the board is not running. For other entries both are null.
    """

    at: float
    status: StatusWord
    reason: str
    message: str
    actor: str
    life_span_secs: float | None
    expires_at: float | None


class TensorboardResponse(ResponseModel):
    """A TensorBoard. `app_uri` is its link, which never changes; `rights` are those of the account.

    `phase` is DCE's status, and `neuro_status` with `reason` is Neu.ro's.
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
    sources: list[SourceResponse]
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
    progress: ProgressResponse
    memory_bytes: int | None
    cpu_secs: float | None
    counts_toward_limit: bool
    rights: list[str]


class TensorboardDetail(TensorboardResponse):
    """A TensorBoard with its history, oldest first."""

    transitions: list[TransitionResponse]


class History(ResponseModel):
    """The history of a TensorBoard."""

    items: list[TransitionResponse]


class TensorboardPage(Page[TensorboardResponse]):
    """A page of TensorBoards; `limit` and `remaining` are those of the account."""

    limit: int
    remaining: int


class TensorboardRequest(PageRequest):
    """Filters for TensorBoards: separate several values with commas; `owner` is a name, an id, or `me`.

    A value that has commas itself is put into double quotes, as in CSV.
    """

    project: Short = ""
    owner: Short = ""
    status: Short = ""
    reason: Annotated[str, Field(max_length=1000)] = ""
    origin: Short = ""
    origin_id: Short = ""
    source: Annotated[str, Field(max_length=4096)] = ""
    label: Annotated[str, Field(max_length=16_384)] = ""
    tag: Annotated[str, Field(max_length=4096)] = ""
    search: Annotated[str, Field(max_length=1000)] = ""
    created_after: float | None = None
    created_before: float | None = None
    sort: Literal["created", "name", "active", "-created", "-name", "-active"] = "-created"


class ProbeRequest(HubRequestModel):
    """Sources to check before a board is created."""

    project: Short = ""
    sources: Annotated[list[SourceRequest], Field(min_length=1, max_length=64)]


class SourceProbe(ResponseModel):
    """The contents of a source; `reason` is "", SourceNotFound, AccessDenied, Unreachable or Invalid."""

    runs: int
    files: int
    size_bytes: int
    last_event_at: float | None
    more: bool
    reason: str
    message: str
    hint: str


class ProbeResponse(ResponseModel):
    """The results, in the order of the sources."""

    sources: list[SourceProbe]


class CreateShare(HubRequestModel):
    """A new share link. It is valid for one day by default, and for seven days at most."""

    expires_secs: Annotated[float, Field(gt=0, le=604_800)] = 86_400.0


class ShareResponse(ResponseModel):
    """A share link; `TensorboardSharedUrl` is PAI's name of `url`, which is only returned when it is created."""

    id: str
    tensorboard: str
    url: str
    TensorboardSharedUrl: str
    created_at: float
    expires_at: float
    revoked_at: float | None
    issuer_name: str


class Shares(ResponseModel):
    """All links to a board that have not expired."""

    items: list[ShareResponse]


class LogResponse(ResponseModel):
    """The last lines of the server log about a board, oldest first."""

    lines: list[str]


class TopResponse(ResponseModel):
    """Current resource usage.

    `memory_bytes` is the memory of the points of its logs. The other fields are of the process, which serves
    `process_boards` boards: `process_memory_bytes`, and `cpu_secs` since it started.
    """

    memory_bytes: int | None
    process_memory_bytes: int | None
    process_boards: int | None
    cpu_secs: float | None
    progress: ProgressResponse
    at: float


class LimitMember(ResponseModel):
    """A board that counts towards the limit."""

    id: str
    display_name: str
    created_at: float
    last_active_at: float | None


class LimitDetails(ResponseModel):
    """The `details` of the error TensorboardLimitExceeded. `active` is sorted by idle time, longest first."""

    limit: int
    active: list[LimitMember]
    remedies: list[str]
