"""Where logs can be and where boards can run."""

from typing import Annotated

from pydantic import Field

from lightboard.schema.model import ResponseModel
from lightboard.schema.page import Page, PageRequest


class Credentials(ResponseModel):
    """Names of credentials, never the keys."""

    items: list[str]


class Roots(ResponseModel):
    """Local folders below which logs may be."""

    items: list[str]


class FolderResponse(ResponseModel):
    """A folder. `uri` is how a source refers to it.

    `logs` says whether it, or a direct subfolder, contains event files; null if unknown. `modified_at` is the last
    change of the folder or of one of its event files.
    """

    name: str
    uri: str
    logs: bool | None
    modified_at: float | None


class Folders(Page[FolderResponse]):
    """A page of the folders below `uri`, by name. Without a root, a page of the roots.

    `logs` is true if the folder itself contains event files. `links_skipped` counts links that lead out of the folders
    that the project may use, `names_skipped` folders with names that a source cannot have. `complete` is false if the
    folder has more entries than one request examines; use a longer prefix to find the others.
    """

    root: str
    path: str
    uri: str
    logs: bool
    links_skipped: int
    names_skipped: int
    complete: bool


class FoldersRequest(PageRequest):
    """Selects a folder: `path` is relative to `root`, a root of the project, `storage:` or `dataset:NAME`.

    If `root` is "", the roots are listed. `prefix` filters names (case-insensitive).
    """

    root: Annotated[str, Field(max_length=4096)] = ""
    path: Annotated[str, Field(max_length=4096)] = ""
    prefix: Annotated[str, Field(max_length=255)] = ""
    page_size: Annotated[int, Field(ge=1, le=200)] = 100


class ExecutorResponse(ResponseModel):
    """A launcher and its capabilities."""

    name: str
    update: bool
    logs: bool
    top: bool
    probe: bool
    exec: bool


class Executors(ResponseModel):
    """All launchers."""

    items: list[ExecutorResponse]


class PresetResponse(ResponseModel):
    """What each replica of a job gets. `memory_bytes` is null for no limit."""

    name: str
    cpus: int
    memory_bytes: int | None
    gpus: int


class Presets(ResponseModel):
    """All presets."""

    items: list[PresetResponse]
