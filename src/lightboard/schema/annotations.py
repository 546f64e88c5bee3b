"""Bodies of the annotations of runs and their edits. Values are validated by `annotations.fields`."""

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from lightboard.schema.model import RequestModel, ResponseModel, Whole

Colour = Annotated[Whole, Field(strict=True)] | str


class RunAnnotations(TypedDict, total=False):
    """Annotations of one run. `note` is Markdown; `color` is a slot of the palette, 0 to 9, or "#rrggbb"."""

    display_name: str
    note: str
    hidden: bool
    archived: bool
    color: Colour
    tags: list[str]


class SavedView(TypedDict, total=False):
    """A saved view. `address` is the part of the page's address after #; `saved` is in seconds since the epoch."""

    address: str
    saved: float
    note: str


class AnnotationsResponse(ResponseModel):
    """All annotations by name of run, and all saved views by name. `path_hint` is the name of the file.

    If `writable` is false, edits are refused. If `path_hint` is empty, annotations are lost when the server ends.
    """

    revision: int
    writable: bool
    path_hint: str
    runs: dict[str, RunAnnotations]
    views: dict[str, SavedView]


class RunEdit(RequestModel):
    """New values of the fields of a run. Null removes a field; fields that are left out are not changed."""

    display_name: str | None = None
    note: str | None = None
    hidden: bool | None = None
    archived: bool | None = None
    color: Colour | None = None
    tags: list[str] | None = None


class ViewEdit(RequestModel):
    """New values of the fields of a view. Null removes a field; fields that are left out are not changed.

    `saved` defaults to the current time.
    """

    address: str | None = None
    saved: float | None = None
    note: str | None = None


class AnnotationsEdit(RequestModel):
    """Edits by names of runs and of views. Null removes an entry; entries that are left out are not changed."""

    runs: dict[str, RunEdit | None] | None = None
    views: dict[str, ViewEdit | None] | None = None
