"""Projects and their members."""

from typing import Annotated, Literal

from pydantic import Field

from lightboard.schema.model import Answer, HubQuestion

RoleWord = Literal["owner", "admin", "editor", "viewer"]


class ProjectAnswer(Answer):
    """`role` is the asker's, null for an administrator of the hub who is no member."""

    id: str
    name: str
    display_name: str
    storage: str
    created_at: float
    version: int
    role: RoleWord | None
    members: int


class Projects(Answer):
    """Those the asker sees."""

    items: list[ProjectAnswer]


class CreateProject(HubQuestion):
    """`name` "" is made from the display name."""

    name: Annotated[str, Field(max_length=40)] = ""
    display_name: Annotated[str, Field(max_length=200)] = ""
    storage: Annotated[str, Field(max_length=4096)] = ""


class ChangeProject(HubQuestion):
    """Null leaves as it is."""

    display_name: Annotated[str, Field(max_length=200)] | None = None
    storage: Annotated[str, Field(max_length=4096)] | None = None


class MemberAnswer(Answer):
    """One account in the project."""

    account: str
    name: str
    display_name: str
    role: RoleWord
    since: float


class Members(Answer):
    """All of them."""

    items: list[MemberAnswer]


class SetMember(HubQuestion):
    """`account` is a name or an id."""

    account: Annotated[str, Field(min_length=1, max_length=200)]
    role: RoleWord
