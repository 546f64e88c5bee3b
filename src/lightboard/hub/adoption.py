"""The first start after an upgrade from a hub whose folders and credentials were for every project.

What a project shows already is bound to it, once, so that its boards go on. The first project needs no binding: what
the hub is started with is its own.
"""

import contextlib
import os
from collections.abc import Iterator

from sqlalchemy.orm import Session

from lightboard.errors import Invalid
from lightboard.hub import credentials
from lightboard.hub.access import HUB
from lightboard.hub.credentials import Credential
from lightboard.hub.db import bindings, datasets, projects, settings, tensorboards
from lightboard.hub.resources.bindings import Binding, BindingKind
from lightboard.hub.resources.projects import Project
from lightboard.hub.resources.sources import SourceKind
from lightboard.hub.source_resolver import DefaultAuth, SourceResolver, is_inside
from lightboard.storage.urls import is_url

WANTED = "bindings.adopt"
"""Setting that the migration leaves behind."""

BindingKey = tuple[BindingKind, str]


def adopt(session: Session, source_resolver: SourceResolver, default_auth: DefaultAuth, at: float) -> list[str]:
    """Binds to each project what it shows, if the migration asked for that; gives what is to be said of it."""
    if settings.get(session, WANTED) != "yes":
        return []
    settings.remove(session, WANTED)
    said = []
    for project, _role, _members in projects.find(session, HUB):
        if projects.is_first(session, project.id):
            continue
        missing = sorted(set(shown_by(session, project, source_resolver, default_auth)))
        for kind, value in missing:
            bindings.create(session, HUB, Binding(id="", project=project.id, kind=kind, value=value), at)
        if missing:
            names = ", ".join(value for _, value in missing)
            said.append(f"upgrade: bound to the project {project.name}, which shows logs there: {names}")
    return said


def shown_by(
    session: Session, project: Project, source_resolver: SourceResolver, default_auth: DefaultAuth
) -> Iterator[BindingKey]:
    """What the project must have to go on showing what it shows."""
    laid_down = unbound_credentials(source_resolver)
    for place, named in used_by(session, project):
        if not is_url(place):
            real = os.path.realpath(place)
            yield from (
                (BindingKind.ROOT, root) for root in source_resolver.roots if is_inside(real, os.path.realpath(root))
            )
        elif named:
            yield from ((BindingKind.CREDENTIAL, name) for name in laid_down if name == named)
        elif fitting := [each.name for each in laid_down.values() if each.uris and each.opens(place)]:
            yield BindingKind.CREDENTIAL, fitting[0]
        elif default_auth is DefaultAuth.ENVIRONMENT:
            yield BindingKind.STORAGE, place


def used_by(session: Session, project: Project) -> Iterator[tuple[str, str]]:
    """Each folder or address that the project shows, and the credential it names for it, or ""."""
    if project.storage:
        yield project.storage, ""
    for dataset in datasets.find(session, HUB, project.id):
        if dataset.project == project.id:
            yield dataset.uri, dataset.credential
    for board in tensorboards.live_in(session, project.id):
        for source in board.sources:
            if source.kind in (SourceKind.PATH, SourceKind.URI):
                yield source.path, ""


def unbound_credentials(source_resolver: SourceResolver) -> dict[str, Credential]:
    """Those whose files name no project, by their names: before, they were for all."""
    found = {}
    for name in source_resolver.credentials():
        with contextlib.suppress(Invalid):
            credential = credentials.read(source_resolver.folder / "credentials", name)
            if not credential.projects:
                found[name] = credential
    return found
