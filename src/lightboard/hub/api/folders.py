"""Browses for logs: the roots of a project, and the folders below them."""

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
from lightboard.hub.api.services import BoardsDep
from lightboard.hub.db import datasets, projects
from lightboard.hub.folders import FolderPage, FolderReader, FolderTree
from lightboard.hub.resources.projects import Project
from lightboard.hub.resources.sources import Source, SourceKind, can_name, parse_uri
from lightboard.hub.source_resolver import SourceResolver
from lightboard.schema.locations import FolderResponse, Folders, FoldersRequest
from lightboard.storage.urls import is_url

STORAGE = "storage:"
NO_FOLDER = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG})
UNREADABLE = frozenset({errno.EACCES, errno.EPERM})

routes = Routes("places")


@routes.get(f"{PATH}/{{project}}/folders", right="tensorboards.create", response=Folders)
async def find(
    context: ContextDep, boards: BoardsDep, project: str, query: Annotated[FoldersRequest, Query()]
) -> Response:
    """List the folders below a root of a project, or its roots."""
    if not query.root:
        return json_response(await run_in_threadpool(roots, context, boards.source_resolver, project, query))
    path = clean_path(query.path)
    root = await run_in_threadpool(root_of, context, boards.source_resolver, project, query.root)
    work = partial(read, root, path, query)
    found = await boards.disks.call(work, disk=root.tree.disk, account=context.principal.account)
    return json_response(to_response(root, path, query, found))


def roots(context: RequestContext, source_resolver: SourceResolver, project: str, query: FoldersRequest) -> Folders:
    """The roots of a project, and its storage unless that is a bucket. No disk is accessed."""
    with context.read() as session:
        chosen = projects.get(session, context.principal, project, "tensorboards.create")
        names = list(source_resolver.roots_of(session, chosen.id))
    if not is_url(chosen.storage):
        names.append(STORAGE)
    wanted = [name for name in names if name.casefold().startswith(query.prefix.casefold())]
    first = (query.page - 1) * query.page_size
    return Folders(
        items=[
            FolderResponse(name=name, uri=name, logs=None, modified_at=None)
            for name in wanted[first : first + query.page_size]
        ],
        page=query.page,
        page_size=query.page_size,
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
    """A folder to browse, and how sources refer to it."""

    kind: SourceKind
    uri: str
    tree: FolderTree


def root_of(context: RequestContext, source_resolver: SourceResolver, project: str, uri: str) -> Root:
    """The folder of a root. Raises NotFound if the project has no such root."""
    kind, ref, path = parse_uri(uri)
    with context.read() as session:
        chosen = projects.get(session, context.principal, project, "tensorboards.create")
        if kind in (SourceKind.STORAGE, SourceKind.DATASET) and path:
            raise NotFound(f"{uri} is not a root", hint="give the rest as path")
        source = Source(id="", kind=kind, ref=dataset_id(session, context, chosen, ref), path=path)
        tree = source_resolver.folder_tree(session, chosen, source)
    return Root(kind, f"dataset:{ref}" if ref else source.text, tree)


def dataset_id(session: Session, context: RequestContext, project: Project, ref: str) -> str:
    """The id of a dataset that the project may use, "" for none."""
    return datasets.usable(session, context.principal, ref, project.id).id if ref else ""


def clean_path(path: str) -> str:
    """Removes redundant slashes. Raises Invalid if the path contains `..`."""
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if ".." in parts:
        raise Invalid("the path leads out of its root", hint="paths below a root cannot contain ..")
    return "/".join(parts)


def read(root: Root, path: str, query: FoldersRequest) -> FolderPage:
    """The content of a folder. Raises LightboardError."""
    try:
        return FolderReader(root.tree).page(
            path,
            prefix=query.prefix,
            first=(query.page - 1) * query.page_size,
            size=query.page_size,
            can_name=partial(can_name, root.kind),
        )
    except OSError as error:
        raise folder_error(error, uri_of(root.uri, path)) from None


def folder_error(error: OSError, uri: str) -> LightboardError:
    """The error for a folder that cannot be read. Links that lead out of the roots are reported as missing."""
    if isinstance(error, FileNotFoundError) or error.errno in NO_FOLDER:
        return NotFound(f"there is no folder {uri}", hint="it may have been renamed or deleted")
    if error.errno in UNREADABLE:
        return PermissionDenied(f"the hub may not read {uri}", hint="its system user needs permission to list it")
    return NotReady(
        f"{uri} cannot be read: {error.strerror or error}", hint="its disk may be unavailable: try again later"
    )


def to_response(root: Root, path: str, query: FoldersRequest, found: FolderPage) -> Folders:
    """A page of folders with their URIs."""
    uri = uri_of(root.uri, path)
    return Folders(
        items=[
            FolderResponse(
                name=folder.name,
                uri=uri_of(uri, folder.name),
                logs=folder.logs,
                modified_at=folder.modified_at,
            )
            for folder in found.folders
        ],
        page=query.page,
        page_size=query.page_size,
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
    """The URI of `path` below a folder."""
    if not path:
        return folder
    return f"{folder}{path}" if folder.endswith((":", "/")) else f"{folder}/{path}"
