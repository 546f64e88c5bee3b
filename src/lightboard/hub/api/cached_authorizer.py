"""Decisions about who may open a page that the hub proxies, kept for a second.

They are dropped when the thing or somebody's rights change in this process; changes made by other replicas take effect
when the entries expire.
"""

from abc import ABC, abstractmethod
from typing import ClassVar, Generic, TypeVar

from lightboard.errors import LightboardError
from lightboard.hub.api.expiring_cache import Cached, ExpiringCache
from lightboard.hub.api.visitor_credentials import VisitorCredentials
from lightboard.hub.db.changes import Commit, touches_access

CACHE_SECS = 1.0
MAX_CACHED = 10_000

A = TypeVar("A")


class CachedAuthorizer(ABC, Generic[A]):
    """Decides who may open which thing of one kind. Subclasses say how; denials are kept as accesses are."""

    kind: ClassVar[str]
    """Of the changes that concern these things."""

    def __init__(self) -> None:
        self._cache = ExpiringCache[tuple[str, str], A | LightboardError](CACHE_SECS, MAX_CACHED)

    @abstractmethod
    def decide(self, credentials: VisitorCredentials, id: str) -> A:
        """The access of a visitor. Reads the database. Raises NotFound, PermissionDenied or Unauthenticated."""

    def cached(self, credentials: VisitorCredentials, id: str) -> Cached[A | LightboardError] | None:
        """The cached result, None if there is none."""
        return self._cache.get((credentials.key, id))

    def authorize(self, credentials: VisitorCredentials, id: str) -> A | LightboardError:
        """The access of a visitor, with the thing itself, or the error that explains the denial.

        Reads the database, so call it in a thread.
        """

        def load() -> A | LightboardError:
            try:
                return self.decide(credentials, id)
            except LightboardError as error:
                return error

        return self._cache.load((credentials.key, id), load)

    def clear_cache(self) -> None:
        """Drops all cached results, because somebody's access has changed."""
        self._cache.clear()

    def on_commit(self, commit: Commit) -> None:
        """Drops cached results of changed things, or all of them if somebody's access has changed."""
        if touches_access(commit):
            self.clear_cache()
        changed = {change.target for change in commit.changed if change.kind == self.kind}
        self._cache.drop(lambda key: key[1] in changed)
