"""Who may look at which board: by a login or token, by a share link, or because the board asks nobody.

An answer is believed for a second, and only until its board, or what somebody may do, is changed here; other replicas
follow within it.
"""

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from starlette.requests import HTTPConnection

from lightboard.errors import LightboardError, NotFound, Unauthenticated
from lightboard.hub.access import RIGHTS, Permission, Principal, lacking
from lightboard.hub.api.identity import Identities, Identity, Secret, secret_of
from lightboard.hub.api.signed_tokens import TokenSigner, digest_of
from lightboard.hub.db import changes, permissions, shares, tensorboards
from lightboard.hub.db.changes import TENSORBOARD, Commit
from lightboard.hub.db.engine import Database, Session
from lightboard.hub.db.rights import may
from lightboard.hub.resources.tensorboards import Access, Tensorboard

BOARD_COOKIE = "lightboard_door"
"""Opens one board: a ticket that says by whose right, and which board."""
BOARD_PURPOSE = "door"
"""The purpose of that ticket."""
CACHE_SECS = 1.0
MOST_KEPT = 10_000
LOG_IN = "log in, or send Authorization: Bearer TOKEN"


@dataclass(frozen=True, kw_only=True)
class BoardAccess:
    """What somebody was let in to. `identity` is None for a guest, `by` says how one came in.

    It is to be asked again at `until` (seconds since the epoch, None: never).
    """

    board: Tensorboard
    writes: bool
    identity: Identity | None
    by: str
    until: float | None = None

    @property
    def visitor(self) -> Principal:
        """Who it is, for the audit; a guest has no account."""
        return self.identity.who if self.identity else Principal(account="", label=self.by)


@dataclass(frozen=True)
class BoardCredentials:
    """What a request shows at the door of a board."""

    secret: Secret | None
    ticket: str

    @classmethod
    def of(cls, request: HTTPConnection) -> "BoardCredentials":
        """Of a request. Who shows a token is judged by the token alone."""
        secret = secret_of(request)
        return cls(secret, "" if secret and secret.bearer else request.cookies.get(BOARD_COOKIE, ""))

    @property
    def key(self) -> str:
        """By what the answer is remembered."""
        return f"{self.secret.key if self.secret else ''} {digest_of(self.ticket) if self.ticket else ''}"


class BoardAuthorizer:
    """Decides, in a thread. `clock` gives seconds since the epoch."""

    def __init__(
        self, database: Database, identities: Identities, token_signer: TokenSigner, clock: Callable[[], float]
    ) -> None:
        self._database = database
        self._identities = identities
        self._token_signer = token_signer
        self._clock = clock
        self._cache: OrderedDict[tuple[str, str], tuple[float, BoardAccess | LightboardError]] = OrderedDict()

    def remembered(self, visitor: BoardCredentials, id: str) -> BoardAccess | LightboardError | None:
        """The answer where it is known without asking the database."""
        kept = self._cache.get((visitor.key, id))
        return kept[1] if kept and time.monotonic() - kept[0] <= CACHE_SECS else None

    def decide(self, visitor: BoardCredentials, id: str) -> BoardAccess | LightboardError:
        """Whether the visitor may come in, and the board as it stands; an error says why not."""
        at = time.monotonic()
        try:
            answer: BoardAccess | LightboardError = self._admit(visitor, id)
        except LightboardError as error:
            answer = error
        self._cache[visitor.key, id] = (at, answer)
        while len(self._cache) > MOST_KEPT:
            self._cache.popitem(last=False)
        return answer

    def forget(self) -> None:
        """Believes nothing any more: somebody's access has changed."""
        self._cache.clear()

    def on_commit(self, commit: Commit) -> None:
        """Forgets what is believed of boards that are not as they were, and all where somebody may do less."""
        if changes.touches_access(commit):
            self.forget()
        changed = {change.target for change in commit.changed if change.kind == TENSORBOARD}
        for key in [key for key in list(self._cache) if key[1] in changed]:
            self._cache.pop(key, None)

    def _admit(self, visitor: BoardCredentials, id: str) -> BoardAccess:
        """Raises NotFound, PermissionDenied or Unauthenticated: what the login says, where neither way leads in."""
        refusal: LightboardError = Unauthenticated("nobody is logged in", hint=LOG_IN)
        held = self._token_signer.read(BOARD_PURPOSE, visitor.ticket) or {}
        with self._database.read() as session:
            for identity in self._identities_of(visitor, held, id):
                try:
                    access = self._known(session, identity, id)
                    ends = [end for end in (access.until, held.get("until")) if end is not None]
                    return replace(access, until=min(ends, default=None))
                except LightboardError as error:
                    refusal = error
            board = tensorboards.peek(session, id)
            if board is None:
                raise refusal
            shared = held.get("by") == "share" and shares.opened(session, str(held.get("ref")), self._clock())
            if shared and shared.id == id:
                return BoardAccess(board=board, writes=False, identity=None, by="share", until=held["until"])
            if not board.http_auth and permissions.may_owner(session, board.owner, Permission.DISABLE_HTTP_AUTH):
                return BoardAccess(board=board, writes=False, identity=None, by="anybody")
        raise refusal

    def _identities_of(self, visitor: BoardCredentials, held: dict[str, Any], id: str) -> list[Identity]:
        """Everybody the visitor may be: of the token or login shown, and of the ticket in the board's own cookie."""
        found = [self._identities.find(visitor.secret)] if visitor.secret else []
        if held.get("board") == id:
            if held.get("by") == "login":
                found.append(self._identities.of_login(str(held.get("ref"))))
            if held.get("by") == "token":
                found.append(self._identities.of_token_digest(str(held.get("ref"))))
        return [identity for identity in found if identity]

    def _known(self, session: Session, identity: Identity, id: str) -> BoardAccess:
        who = identity.who
        try:
            board = tensorboards.get(session, who, id, "tensorboards.open")
        except NotFound:
            linked = tensorboards.peek(session, id)
            if linked is None or linked.access is not Access.LINK or who.project:
                raise
            if not permissions.may_owner(session, linked.owner, Permission.SHARE_PUBLICLY):
                raise
            if missing := lacking(who, RIGHTS["tensorboards.open"].needs):
                raise permissions.refusal(missing) from None
            return BoardAccess(board=linked, writes=False, identity=identity, by="link", until=identity.expires_at)
        writes = may(session, who, "tensorboards.annotate", board.project, board.owner)
        return BoardAccess(board=board, writes=writes, identity=identity, by=who.label, until=identity.expires_at)
