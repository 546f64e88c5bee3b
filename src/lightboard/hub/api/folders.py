"""Browsing for logs: the roots of a project, and the folders below them."""

import errno
from functools import partial
from typing import Annotated, NamedTuple

from fastapi import Query
from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from lightboard.errors import Invalid, LightboardError, NotFound, NotReady, PermissionDenied
from lightboard.hub.api.projects import PATH
from lightboard.hub.api.request_context import ContextDep, RequestContext, json_response
from lightboard.hub.api.routes import Routes
from lightboard.hub.db import datasets, projects
from lightboard.hub.folders import FolderPage, FolderReader, FolderTree
from lightboard.hub.resources.projects import Project
from lightboard.hub.resources.sources import Source, SourceKind, can_name, parse_uri
from lightboard.schema.places import FolderAnswer, Folders, FoldersQuestion
from lightboard.storage.urls import is_url

STORAGE = "storage:"
NO_FOLDER = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG})
UNREADABLE = frozenset({errno.EACCES, errno.EPERM})

routes = Routes("places")


@routes.get(f"{PATH}/{{project}}/folders", right="tensorboards.create", answer=Folders)
async def find(context: ContextDep, project: str, question: Annotated[FoldersQuestion, Query()]) -> Response:
    """A page of the folders below a root of a project, or of its roots."""
    if not question.root:
        return json_response(await run_in_threadpool(roots, context, project, question))
    path = clean(question.path)
    root = await run_in_threadpool(root_of, context, project, question.root)
    work = partial(read, root, path, question)
    found = await context.hub.disks.call(work, disk=root.tree.disk, account=context.who.account)
    return json_response(answer_of(root, path, question, found))


def roots(context: RequestContext, project: str, question: FoldersQuestion) -> Folders:
    """The roots, and the project's storage unless that is a bucket. None of them is looked at."""
    with context.read() as session:
        chosen = projects.get(session, context.who, project, "tensorboards.create")
        names = list(context.hub.source_resolver.roots_of(session, chosen.id))
    if not is_url(chosen.storage):
        names.append(STORAGE)
    wanted = [name for name in names if name.casefold().startswith(question.prefix.casefold())]
    first = (question.page - 1) * question.page_size
    return Folders(
        items=[
            FolderAnswer(name=name, uri=name, logs=None, modified_at=None)
            for name in wanted[first : first + question.page_size]
        ],
        page=question.page,
        page_size=question.page_size,
        total=len(wanted),
        root="",
        path="",
        uri="",
        logs=False,
        links_skipped=0,
        names_skipped=0,
        complete=True,
    )


class Root(NamedTuple):
    """A folder to browse, and how a source names it."""

    kind: SourceKind
    uri: str
    tree: FolderTree


def root_of(context: RequestContext, project: str, uri: str) -> Root:
    """The folder that a root stands for. Raises NotFound where the project has no such root."""
    kind, ref, path = parse_uri(uri)
    with context.read() as session:
        chosen = projects.get(session, context.who, project, "tensorboards.create")
        if kind in (SourceKind.STORAGE, SourceKind.DATASET) and path:
            raise NotFound(f"{uri} is not a root", hint="give what comes after it as path")
        source = Source(id="", kind=kind, ref=dataset_id(session, context, chosen, ref), path=path)
        tree = context.hub.source_resolver.folder_tree(session, chosen, source)
    return Root(kind, f"dataset:{ref}" if ref else source.text, tree)


def dataset_id(session: Session, context: RequestContext, project: Project, ref: str) -> str:
    """The id of a dataset that the project may use, "" for none."""
    return datasets.usable(session, context.who, ref, project.id).id if ref else ""


def clean(path: str) -> str:
    """Slashes put in order. Raises Invalid where it climbs out."""
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if ".." in parts:
        raise Invalid("the path leaves its root", hint="paths below a root have no ..")
    return "/".join(parts)


def read(root: Root, path: str, question: FoldersQuestion) -> FolderPage:
    """What lies there now. Raises LightboardError."""
    try:
        return FolderReader(root.tree).page(
            path,
            prefix=question.prefix,
            first=(question.page - 1) * question.page_size,
            size=question.page_size,
            can_name=partial(can_name, root.kind),
        )
    except OSError as error:
        raise refusal(error, uri_of(root.uri, path)) from None


def refusal(error: OSError, uri: str) -> LightboardError:
    """Why a folder cannot be shown; what leads out of the roots is not there for anybody."""
    if isinstance(error, FileNotFoundError) or error.errno in NO_FOLDER:
        return NotFound(f"there is no folder {uri}", hint="it may have been renamed or deleted")
    if error.errno in UNREADABLE:
        return PermissionDenied(f"the hub may not read {uri}", hint="its system user needs the right to list it")
    return NotReady(f"{uri} cannot be read: {error.strerror or error}", hint="its disk may be away: try again later")


def answer_of(root: Root, path: str, question: FoldersQuestion, found: FolderPage) -> Folders:
    """A page as it travels."""
    uri = uri_of(root.uri, path)
    return Folders(
        items=[
            FolderAnswer(
                name=folder.name,
                uri=uri_of(uri, folder.name),
                logs=folder.logs,
                modified_at=folder.modified_at,
            )
            for folder in found.folders
        ],
        page=question.page,
        page_size=question.page_size,
        total=found.total,
        root=root.uri,
        path=path,
        uri=uri,
        logs=found.logs,
        links_skipped=found.links_skipped,
        names_skipped=found.names_skipped,
        complete=found.complete,
    )


def uri_of(folder: str, path: str) -> str:
    """What a source calls `path` in a folder that has a name itself."""
    if not path:
        return folder
    return f"{folder}{path}" if folder.endswith((":", "/")) else f"{folder}/{path}"
