"""Invitations to projects."""

from typing import Annotated

from pydantic import Field

from lightboard.schema.model import Answer, HubQuestion
from lightboard.schema.projects import RoleWord


class InvitationAnswer(Answer):
    """`account` is the name or id that was invited, whether or not there is such an account."""

    id: str
    project: str
    project_name: str
    project_display_name: str
    account: str
    role: RoleWord
    inviter_name: str
    created_at: float
    expires_at: float


class Invitations(Answer):
    """Those that have not expired."""

    items: list[InvitationAnswer]


class Invite(HubQuestion):
    """`account` is a name or an id; `expires_secs` is up to 90 days, 14 unless said."""

    account: Annotated[str, Field(min_length=1, max_length=200)]
    role: RoleWord
    expires_secs: Annotated[float, Field(gt=0, le=7_776_000)] = 1_209_600
