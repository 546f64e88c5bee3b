"""Access to notebooks: by a login or a token of their owner.

Only its owner opens a notebook, since whoever does runs programs as its owner. Not even administrators do: the page
of a notebook is made by its owner, and would act for them.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from starlette.requests import HTTPConnection

from lightboard.errors import LightboardError, NotFound, PermissionDenied, Unauthenticated
from lightboard.hub.api.board_access import CACHE_SECS, MAX_CACHED
from lightboard.hub.api.cookies import ADMISSION_PURPOSE
from lightboard.hub.api.expiring_cache import Cached, ExpiringCache
from lightboard.hub.api.identity import LOG_IN, Identities, Identity, login_of, secret_of
from lightboard.hub.api.signed_tokens import TokenSigner
from lightboard.hub.api.visitor_credentials import VisitorCredentials
from lightboard.hub.db import job_access
from lightboard.hub.db.changes import Commit, touches_access
from lightboard.hub.db.engine import Database
from lightboard.hub.db.jobs import KIND
from lightboard.hub.resources.jobs import Job, JobKind

JUPYTER_SCHEME = "token "


@dataclass(frozen=True)
class NotebookAccess:
    """A notebook that its owner opens."""

    job: Job
    identity: Identity


class NotebookAuthorizer:
    """Decides who may open which notebook. As for boards, results are cached for a second."""

    def __init__(self, database: Database, identities: Identities, token_signer: TokenSigner) -> None:
        self._database = database
        self._identities = identities
        self._token_signer = token_signer
        self._cache = ExpiringCache[tuple[str, str], NotebookAccess | LightboardError](CACHE_SECS, MAX_CACHED)

    def cached(self, credentials: VisitorCredentials, id: str) -> Cached[NotebookAccess | LightboardError] | None:
        """The cached result, None if there is none."""
        return self._cache.get((credentials.key, id))

    def authorize(self, credentials: VisitorCredentials, id: str) -> NotebookAccess | LightboardError:
        """The access of a visitor to a notebook, or the error that explains the denial.

        Reads the database, so call it in a thread.
        """

        def load() -> NotebookAccess | LightboardError:
            try:
                return self._authorize(credentials, id)
            except LightboardError as error:
                return error

        return self._cache.load((credentials.key, id), load)

    def clear_cache(self) -> None:
        """Drops all cached results, because somebody's access has changed."""
        self._cache.clear()

    def on_commit(self, commit: Commit) -> None:
        """Drops cached results of changed notebooks, or all of them if somebody's access has changed."""
        if touches_access(commit):
            self.clear_cache()
        changed = {change.target for change in commit.changed if change.kind == KIND}
        self._cache.drop(lambda key: key[1] in changed)

    def _authorize(self, credentials: VisitorCredentials, id: str) -> NotebookAccess:
        """Raises NotFound, PermissionDenied or Unauthenticated."""
        denial: LightboardError = Unauthenticated("you are not logged in", hint=LOG_IN)
        for identity in self._identities_of(credentials, id):
            try:
                return self._authorize_identity(identity, id)
            except LightboardError as error:
                denial = error
        raise denial

    def _authorize_identity(self, identity: Identity, id: str) -> NotebookAccess:
        with self._database.read() as session:
            job = job_access.get(session, identity.principal, id, "notebooks.open")
        if job.kind is not JobKind.NOTEBOOK:
            raise NotFound("this job is not a notebook")
        if job.owner != identity.principal.account:
            raise PermissionDenied("only its owner opens a notebook", hint="its files are in the project's storage")
        return NotebookAccess(job, identity)

    def _identities_of(self, credentials: VisitorCredentials, id: str) -> Iterator[Identity]:
        """The identities of a visitor: from the token or login, and from the cookie at the host of the notebook."""
        if credentials.secret and (identity := self._identities.find(credentials.secret)):
            yield identity
        ticket = self._token_signer.read(ADMISSION_PURPOSE, credentials.ticket) or {}
        if ticket.get("board") == id and (identity := self._identities.of_login(str(ticket.get("ref")))):
            yield identity


def notebook_credentials(connection: HTTPConnection) -> VisitorCredentials:
    """The credentials of a request. JupyterLab's page sends the token of its server, which is no token of the hub."""
    own = connection.headers.get("authorization", "").lower().startswith(JUPYTER_SCHEME)
    return VisitorCredentials.with_secret(connection, login_of(connection) if own else secret_of(connection))
