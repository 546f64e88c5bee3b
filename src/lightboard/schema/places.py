"""Where logs may lie, and where boards run: what forms offer."""

from typing import Annotated

from pydantic import Field

from lightboard.schema.model import Answer
from lightboard.schema.page import Page, PageQuestion


class Credentials(Answer):
    """Names of the credentials an administrator has laid down; never the keys."""

    items: list[str]


class Roots(Answer):
    """Local folders below which logs may lie."""

    items: list[str]


class FolderAnswer(Answer):
    """A folder. `uri` names it as a source does.

    `logs` says whether it, or a folder right below it, holds event files; null where that was not found out.
    `modified_at` is the last change of the folder or of one of its event files.
    """

    name: str
    uri: str
    logs: bool | None
    modified_at: float | None


class Folders(Page[FolderAnswer]):
    """A page of the folders below `uri`, by name; without a root, of the roots themselves.

    `logs`: there are event files right in it. `links_skipped` counts links that lead out of what the project may show,
    `names_skipped` folders whose names no source can have. `complete` is false where the folder has more entries than
    one request looks at: a longer prefix finds the others.
    """

    root: str
    path: str
    uri: str
    logs: bool
    links_skipped: int
    names_skipped: int
    complete: bool


class FoldersQuestion(PageQuestion):
    """`root` is a root of the project, `storage:` or `dataset:NAME`; "" asks for the roots. `path` is below it.

    `prefix` is what names begin with, in upper or lower case.
    """

    root: Annotated[str, Field(max_length=4096)] = ""
    path: Annotated[str, Field(max_length=4096)] = ""
    prefix: Annotated[str, Field(max_length=255)] = ""
    page_size: Annotated[int, Field(ge=1, le=200)] = 100


class ExecutorAnswer(Answer):
    """A launcher, and what can be asked of boards that run there."""

    name: str
    update: bool
    logs: bool
    top: bool
    probe: bool
    exec: bool


class Executors(Answer):
    """All of them."""

    items: list[ExecutorAnswer]
