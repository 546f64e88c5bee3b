"""What people added to runs, and edits of it. What fits each field is checked in `overlay.fields`."""

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from lightboard.schema.model import Answer, Question, Whole

Colour = Annotated[Whole, Field(strict=True)] | str


class OverlayRun(TypedDict, total=False):
    """What was added to one run. `note` is Markdown; `color` is a slot of the palette, 0 to 9, or "#rrggbb"."""

    display_name: str
    note: str
    hidden: bool
    archived: bool
    color: Colour
    tags: list[str]


class OverlayView(TypedDict, total=False):
    """A saved view: what follows # in the page's address, when it was saved in seconds since the epoch, a note."""

    address: str
    saved: float
    note: str


class OverlayAnswer(Answer):
    """Everything that people added, by name of run and of view. `path_hint` is the name of the file that keeps it.

    Where `writable` is false edits are answered with an error; where `path_hint` is empty they last as long as the
    server.
    """

    revision: int
    writable: bool
    path_hint: str
    runs: dict[str, OverlayRun]
    views: dict[str, OverlayView]


class RunEdit(Question):
    """New values of fields; null removes one, and a field that is not named stays."""

    display_name: str | None = None
    note: str | None = None
    hidden: bool | None = None
    archived: bool | None = None
    color: Colour | None = None
    tags: list[str] | None = None


class ViewEdit(Question):
    """New values of fields; null removes one, and a field that is not named stays. `saved` is by default now."""

    address: str | None = None
    saved: float | None = None
    note: str | None = None


class OverlayEdit(Question):
    """Entries by name of run and of view; null removes the whole entry, and one that is not named stays."""

    runs: dict[str, RunEdit | None] | None = None
    views: dict[str, ViewEdit | None] | None = None
