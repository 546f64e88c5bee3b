"""Who a request comes from: a bearer token, or the cookie of a login.

What was found is believed for a second, since pages ask in bursts; when somebody's access is taken away here it is
forgotten, and other replicas of the hub follow within that second.
"""

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from starlette.requests import HTTPConnection

from lightboard.hub.access import Principal
from lightboard.hub.api.signed_tokens import digest_of
from lightboard.hub.db import accounts, sessions, tokens
from lightboard.hub.db.changes import Commit, touches_access
from lightboard.hub.db.engine import Database

COOKIE = "lightboard_session"
LOGIN_SECS = 14 * 86_400.0
"""From when it was last used to the end of a login."""
CACHE_SECS = 1.0
MOST_KEPT = 10_000
LONGEST_SECRET = 1024


@dataclass(frozen=True, kw_only=True)
class Identity:
    """`digest` is of the secret that was shown; `csrf` is "" unless that was a cookie, `token` unless a token.

    It is good until `expires_at` (seconds since the epoch, None: no end) if it is not used before.
    """

    who: Principal
    digest: str
    csrf: str = ""
    token: str = ""
    expires_at: float | None = None


class Identities:
    """Looks secrets up. `clock` gives seconds since the epoch."""

    def __init__(self, database: Database, clock: Callable[[], float]) -> None:
        self._database = database
        self._clock = clock
        self._cache: OrderedDict[str, tuple[float, Identity | None]] = OrderedDict()

    def remembered(self, secret: "Secret") -> tuple[bool, Identity | None]:
        """Whether the answer is known without asking the database, and the answer."""
        kept = self._cache.get(secret.key)
        if kept is None or time.monotonic() - kept[0] > CACHE_SECS:
            return False, None
        return True, kept[1]

    def find(self, secret: "Secret") -> Identity | None:
        """Whose secret it is; None if nobody's, or not any more."""
        found = self.of_token(secret.text) if secret.bearer else self.of_session(secret.text)
        self._cache[secret.key] = (time.monotonic(), found)
        while len(self._cache) > MOST_KEPT:
            self._cache.popitem(last=False)
        return found

    def of_token(self, text: str) -> Identity | None:
        """Of an API token."""
        return self.of_token_digest(digest_of(text))

    def of_token_digest(self, digest: str) -> Identity | None:
        """Of an API token, by what is kept of it."""
        with self._database.read() as session:
            found = tokens.by_digest(session, digest, self._clock())
            if found is None:
                return None
            token, account = found
            who = accounts.principal(session, account, token.scopes, token.project, token.name)
        return Identity(who=who, digest=digest, token=token.id, expires_at=token.expires_at)

    def of_session(self, text: str) -> Identity | None:
        """Of the cookie of a login."""
        return self.of_login(digest_of(text))

    def of_login(self, digest: str) -> Identity | None:
        """Of a login, by what is kept of its secret."""
        with self._database.read() as session:
            found = sessions.by_digest(session, digest, self._clock())
            if found is None:
                return None
            login, account = found
            who = accounts.principal(session, account, label="session")
        return Identity(who=who, digest=digest, csrf=login.csrf, expires_at=login.expires_at)

    def on_commit(self, commit: Commit) -> None:
        """Forgets all where somebody may do less."""
        if touches_access(commit):
            self.forget()

    def forget(self) -> None:
        """Believes nothing any more: somebody's access has changed."""
        self._cache.clear()


@dataclass(frozen=True)
class Secret:
    """What a request shows to be let in."""

    text: str
    bearer: bool

    @property
    def key(self) -> str:
        """By what it is remembered: never the secret itself."""
        return ("b" if self.bearer else "c") + digest_of(self.text)


def secret_of(request: HTTPConnection) -> Secret | None:
    """The bearer token of a request, else the cookie of its login; None where there is neither.

    A request that shows a token is judged by the token alone.
    """
    authorization = request.headers.get("authorization", "")
    if authorization:
        word, _, text = authorization.partition(" ")
        text = text.strip()
        return Secret(text[:LONGEST_SECRET], True) if word.lower() == "bearer" else Secret("", True)
    text = request.cookies.get(COOKIE, "")
    return Secret(text[:LONGEST_SECRET], False) if text else None
