"""Projects and their members."""

from typing import Annotated, Literal

from pydantic import Field

from lightboard.schema.model import HubRequestModel, ResponseModel

RoleWord = Literal["owner", "admin", "editor", "viewer"]


class ProjectResponse(ResponseModel):
    """A project. `role` is that of the authenticated account, null for an administrator who is not a member."""

    id: str
    name: str
    display_name: str
    storage: str
    created_at: float
    version: int
    role: RoleWord | None
    members: int


class Projects(ResponseModel):
    """The visible projects."""

    items: list[ProjectResponse]


class CreateProject(HubRequestModel):
    """A new project. If `name` is "", it is derived from the display name."""

    name: Annotated[str, Field(max_length=40)] = ""
    display_name: Annotated[str, Field(max_length=200)] = ""
    storage: Annotated[str, Field(max_length=4096)] = ""


class ChangeProject(HubRequestModel):
    """Changes of a project. Null means no change."""

    display_name: Annotated[str, Field(max_length=200)] | None = None
    storage: Annotated[str, Field(max_length=4096)] | None = None


class MemberResponse(ResponseModel):
    """A member of the project."""

    account: str
    name: str
    display_name: str
    role: RoleWord
    since: float


class Members(ResponseModel):
    """All members."""

    items: list[MemberResponse]


class SetMember(HubRequestModel):
    """The role of a member. `account` is a name or an id."""

    account: Annotated[str, Field(min_length=1, max_length=200)]
    role: RoleWord
