"""An invitation to a project, which the invited account accepts or declines."""

from dataclasses import dataclass

from lightboard.hub.resources.accounts import PREFIX as ACCOUNT_PREFIX
from lightboard.hub.resources.accounts import login_name
from lightboard.hub.resources.ids import is_id
from lightboard.hub.resources.names import check_name
from lightboard.hub.resources.roles import Role

PREFIX = "inv"
LASTS_SECS = 14 * 86_400
LONGEST_SECS = 90 * 86_400


@dataclass(frozen=True, kw_only=True)
class Invitation:
    """`invited` is the name or id of an account, which may not exist; that is not revealed.

    Only the invited account sees `declined_at`. Times are seconds since the epoch.
    """

    id: str
    project: str
    invited: str
    role: Role
    inviter: str
    created_at: float
    expires_at: float
    declined_at: float | None = None


def invited_name(typed: str) -> str:
    """The normalized name or id of the invited account. Raises Invalid if no account can have it."""
    name = login_name(typed)
    return name if is_id(name, ACCOUNT_PREFIX) else check_name(name, "name of an account")
