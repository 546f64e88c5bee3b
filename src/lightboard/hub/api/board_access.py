"""Access to boards: by a login or token, by a share link, or because a board needs no login."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from lightboard.errors import LightboardError, NotFound, Unauthenticated
from lightboard.hub.access import RIGHTS, Permission, Principal, missing_permissions
from lightboard.hub.api.cached_authorizer import CachedAuthorizer
from lightboard.hub.api.cookies import ADMISSION_PURPOSE
from lightboard.hub.api.identity import LOG_IN, Identities, Identity
from lightboard.hub.api.signed_tokens import TokenSigner
from lightboard.hub.api.visitor_credentials import VisitorCredentials
from lightboard.hub.db import permissions, shares, tensorboards
from lightboard.hub.db.access_checks import Resource, has_right
from lightboard.hub.db.changes import TENSORBOARD
from lightboard.hub.db.engine import Database, Session
from lightboard.hub.resources.tensorboards import Access, Tensorboard


@dataclass(frozen=True, kw_only=True)
class BoardAccess:
    """Access that was granted to a board. `identity` is None for a guest, `by` says how the access was obtained.

    It has to be checked again at `until` (seconds since the epoch, None: never).
    """

    board: Tensorboard
    writes: bool
    identity: Identity | None
    by: str
    until: float | None = None

    @property
    def principal(self) -> Principal:
        """The principal for the audit. A guest has no account."""
        return self.identity.principal if self.identity else Principal(account="", label=self.by)


class BoardAuthorizer(CachedAuthorizer[BoardAccess]):
    """Decides who may open which board. `clock` gives seconds since the epoch."""

    kind = TENSORBOARD

    def __init__(
        self, database: Database, identities: Identities, token_signer: TokenSigner, clock: Callable[[], float]
    ) -> None:
        super().__init__()
        self._database = database
        self._identities = identities
        self._token_signer = token_signer
        self._clock = clock

    def decide(self, credentials: VisitorCredentials, id: str) -> BoardAccess:
        """Raises NotFound, PermissionDenied or Unauthenticated. The error is the one for the login, if there is one."""
        denial: LightboardError = Unauthenticated("you are not logged in", hint=LOG_IN)
        ticket = self._token_signer.read(ADMISSION_PURPOSE, credentials.ticket) or {}
        with self._database.read() as session:
            for identity in self._identities_of(credentials, ticket, id):
                try:
                    access = self._authorize_identity(session, identity, id)
                    ends = [end for end in (access.until, ticket.get("until")) if end is not None]
                    return replace(access, until=min(ends, default=None))
                except LightboardError as error:
                    denial = error
            board = tensorboards.get_unchecked(session, id)
            if board is None:
                raise denial
            shared_board = ticket.get("by") == "share" and shares.find_shared_board(
                session, str(ticket.get("ref")), self._clock()
            )
            if shared_board and shared_board.id == id:
                return BoardAccess(board=board, writes=False, identity=None, by="share", until=ticket["until"])
            if not board.http_auth and permissions.is_permitted(session, board.owner, Permission.DISABLE_HTTP_AUTH):
                return BoardAccess(board=board, writes=False, identity=None, by="anybody")
        raise denial

    def _identities_of(self, credentials: VisitorCredentials, ticket: dict[str, Any], id: str) -> list[Identity]:
        """The identities of the visitor: from the token or login, and from the cookie of the board."""
        found = [self._identities.find(credentials.secret)] if credentials.secret else []
        if ticket.get("board") == id:
            if ticket.get("by") == "login":
                found.append(self._identities.of_login(str(ticket.get("ref"))))
            if ticket.get("by") == "token":
                found.append(self._identities.of_token_digest(str(ticket.get("ref"))))
        return [identity for identity in found if identity]

    def _authorize_identity(self, session: Session, identity: Identity, id: str) -> BoardAccess:
        principal = identity.principal
        try:
            board = tensorboards.get(session, principal, id, "tensorboards.open")
        except NotFound:
            board_by_link = tensorboards.get_unchecked(session, id)
            if board_by_link is None or board_by_link.access is not Access.LINK or principal.project:
                raise
            if not permissions.is_permitted(session, board_by_link.owner, Permission.SHARE_PUBLICLY):
                raise
            if missing := missing_permissions(principal, RIGHTS["tensorboards.open"].needs):
                raise permissions.refusal(missing) from None
            return BoardAccess(
                board=board_by_link, writes=False, identity=identity, by="link", until=identity.expires_at
            )
        writes = has_right(session, principal, "tensorboards.annotate", Resource(board.project, board.owner))
        return BoardAccess(board=board, writes=writes, identity=identity, by=principal.label, until=identity.expires_at)
