"""A project: people, and what they share. PAI and DCE say workspace."""

from dataclasses import dataclass

from lightboard.hub.resources.roles import Role

PREFIX = "prj"


@dataclass(frozen=True, kw_only=True)
class Project:
    """`name` is its slug; `storage` is the folder or bucket that `storage:` means, "" for the hub's own."""

    id: str
    name: str
    display_name: str = ""
    storage: str = ""
    created_at: float = 0.0
    updated_at: float = 0.0
    version: int = 1


@dataclass(frozen=True, kw_only=True)
class Member:
    """One account in one project."""

    project: str
    account: str
    role: Role
    since: float = 0.0
