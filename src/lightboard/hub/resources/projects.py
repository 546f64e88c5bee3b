"""A project groups accounts, TensorBoards and datasets. PAI and DCE call it a workspace."""

from dataclasses import dataclass

from lightboard.hub.resources.roles import Role

PREFIX = "prj"


@dataclass(frozen=True, kw_only=True)
class Project:
    """`name` is its slug; `storage` is the folder or bucket for `storage:` paths, "" for the default one."""

    id: str
    name: str
    display_name: str = ""
    storage: str = ""
    created_at: float = 0.0
    updated_at: float = 0.0
    version: int = 1


@dataclass(frozen=True, kw_only=True)
class Member:
    """An account in a project."""

    project: str
    account: str
    role: Role
    since: float = 0.0
