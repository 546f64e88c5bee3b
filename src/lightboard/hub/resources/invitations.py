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
    """`invited` is the name or id of an account, whether or not there is such a one: nobody is told.

    `declined_at` is known to the invited account alone. Times are seconds since the epoch.
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
    """Whom an invitation is for, as it is kept. Raises Invalid for what no account can be called."""
    name = login_name(typed)
    return name if is_id(name, ACCOUNT_PREFIX) else check_name(name, "name of an account")
