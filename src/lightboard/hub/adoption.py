"""Completes an upgrade from a hub whose folders and credentials were available to all projects.

Everything that a project already shows is bound to it once, so that its boards keep working. The first project needs no
bindings: it may use what the hub is started with.
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
    """Binds to each project what it shows, if the migration asked for it. Returns messages for the log."""
    if settings.get(session, WANTED) != "yes":
        return []
    settings.remove(session, WANTED)
    messages = []
    for project, _role, _members in projects.find(session, HUB):
        if projects.is_first(session, project.id):
            continue
        missing = sorted(set(needed_bindings(session, project, source_resolver, default_auth)))
        for kind, value in missing:
            bindings.create(session, HUB, Binding(id="", project=project.id, kind=kind, value=value), at)
        if missing:
            names = ", ".join(value for _, value in missing)
            messages.append(f"upgrade: bound to the project {project.name}, which shows logs there: {names}")
    return messages


def needed_bindings(
    session: Session, project: Project, source_resolver: SourceResolver, default_auth: DefaultAuth
) -> Iterator[BindingKey]:
    """The bindings that a project needs to keep showing what it shows."""
    unbound = unbound_credentials(source_resolver)
    for location, credential in locations_of(session, project):
        if not is_url(location):
            real = os.path.realpath(location)
            yield from (
                (BindingKind.ROOT, root) for root in source_resolver.roots if is_inside(real, os.path.realpath(root))
            )
        elif credential:
            yield from ((BindingKind.CREDENTIAL, name) for name in unbound if name == credential)
        elif matching := [each.name for each in unbound.values() if each.uris and each.opens(location)]:
            yield BindingKind.CREDENTIAL, matching[0]
        elif default_auth is DefaultAuth.ENVIRONMENT:
            yield BindingKind.STORAGE, location


def locations_of(session: Session, project: Project) -> Iterator[tuple[str, str]]:
    """The folders and URLs that a project shows, each with the name of its credential, or ""."""
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
    """The credentials whose files name no project, by name. They were available to all projects before."""
    found = {}
    for name in source_resolver.credentials():
        with contextlib.suppress(Invalid):
            credential = credentials.read(source_resolver.folder / "credentials", name)
            if not credential.projects:
                found[name] = credential
    return found
