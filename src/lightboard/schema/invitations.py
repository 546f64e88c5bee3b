"""Invitations to projects."""

from typing import Annotated

from pydantic import Field

from lightboard.schema.model import HubRequestModel, ResponseModel
from lightboard.schema.projects import RoleWord


class InvitationResponse(ResponseModel):
    """An invitation. `account` is the invited name or id, whether or not such an account exists."""

    id: str
    project: str
    project_name: str
    project_display_name: str
    account: str
    role: RoleWord
    inviter_name: str
    created_at: float
    expires_at: float


class Invitations(ResponseModel):
    """Invitations that have not expired."""

    items: list[InvitationResponse]


class Invite(HubRequestModel):
    """A new invitation. `account` is a name or an id. It expires after 14 days by default, and 90 days at most."""

    account: Annotated[str, Field(min_length=1, max_length=200)]
    role: RoleWord
    expires_secs: Annotated[float, Field(gt=0, le=7_776_000)] = 1_209_600
