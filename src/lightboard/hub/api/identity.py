"""Authentication: finds the account behind a bearer token or the cookie of a login.

Results are cached for a second, because pages send requests in bursts. The cache is cleared when somebody loses access
in this process; other replicas follow when their entries expire.
"""

from collections.abc import Callable
from dataclasses import dataclass

from starlette.requests import HTTPConnection

from lightboard.hub.access import Principal
from lightboard.hub.api.expiring_cache import Cached, ExpiringCache
from lightboard.hub.api.signed_tokens import digest_of
from lightboard.hub.db import accounts, sessions, tokens
from lightboard.hub.db.changes import Commit, touches_access
from lightboard.hub.db.engine import Database

COOKIE = "lightboard_session"
LOGIN_SECS = 14 * 86_400.0
"""How long a login lasts after its last use."""
CACHE_SECS = 1.0
MAX_KEPT = 10_000
LONGEST_SECRET = 1024
LOG_IN = "log in, or send Authorization: Bearer TOKEN"
"""The hint of errors for want of a login."""


@dataclass(frozen=True, kw_only=True)
class Identity:
    """The result of authentication. `digest` is of the secret; `csrf` is set for a login, `token` for an API token.

    `job` is the id of the job whose token it is.
    It expires at `expires_at` (seconds since the epoch, None: never) unless it is used before.
    """

    principal: Principal
    digest: str
    csrf: str = ""
    token: str = ""
    job: str = ""
    expires_at: float | None = None


class Identities:
    """Looks up and caches identities. `clock` gives seconds since the epoch."""

    def __init__(self, database: Database, clock: Callable[[], float]) -> None:
        self._database = database
        self._clock = clock
        self._cache = ExpiringCache[str, Identity | None](CACHE_SECS, MAX_KEPT)

    def cached(self, secret: "Secret") -> Cached[Identity | None] | None:
        """The cached result of `find`, None if there is none."""
        return self._cache.get(secret.key)

    def find(self, secret: "Secret") -> Identity | None:
        """The identity that a secret belongs to, None if it is unknown or no longer valid."""
        load = self.of_token if secret.bearer else self.of_session
        return self._cache.load(secret.key, lambda: load(secret.text))

    def of_token(self, text: str) -> Identity | None:
        """The identity of an API token."""
        return self.of_token_digest(digest_of(text))

    def of_token_digest(self, digest: str) -> Identity | None:
        """The identity of an API token, by its stored digest."""
        with self._database.read() as session:
            found = tokens.by_digest(session, digest, self._clock())
            if found is None:
                return None
            token, account = found
            principal = accounts.principal_of(session, account, token.scopes, token.project, token.name)
        return Identity(principal=principal, digest=digest, token=token.id, expires_at=token.expires_at)

    def of_session(self, text: str) -> Identity | None:
        """The identity of a login cookie."""
        return self.of_login(digest_of(text))

    def of_login(self, digest: str) -> Identity | None:
        """The identity of a login, by its stored digest."""
        with self._database.read() as session:
            found = sessions.by_digest(session, digest, self._clock())
            if found is None:
                return None
            login, account = found
            principal = accounts.principal_of(session, account, label="session")
        return Identity(principal=principal, digest=digest, csrf=login.csrf, expires_at=login.expires_at)

    def on_commit(self, commit: Commit) -> None:
        """Clears the cache if somebody's access has changed."""
        if touches_access(commit):
            self.clear_cache()

    def clear_cache(self) -> None:
        """Drops all cached results."""
        self._cache.clear()


@dataclass(frozen=True)
class Secret:
    """The secret that a request authenticates with."""

    text: str
    bearer: bool

    @property
    def key(self) -> str:
        """The cache key, which never contains the secret itself."""
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
    return login_of(request)


def login_of(request: HTTPConnection) -> Secret | None:
    """The cookie of the login of a request; None where there is none."""
    text = request.cookies.get(COOKIE, "")
    return Secret(text[:LONGEST_SECRET], False) if text else None
