"""Access to notebooks: by a login or a token of their owner.

Only its owner opens a notebook, since whoever does runs programs as its owner. Not even administrators do: the page
of a notebook is made by its owner, and would act for them.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from starlette.requests import HTTPConnection

from lightboard.errors import LightboardError, NotFound, PermissionDenied, Unauthenticated
from lightboard.hub.api.cached_authorizer import CachedAuthorizer
from lightboard.hub.api.cookies import ADMISSION_PURPOSE
from lightboard.hub.api.identity import LOG_IN, Identities, Identity, login_of, secret_of
from lightboard.hub.api.signed_tokens import TokenSigner
from lightboard.hub.api.visitor_credentials import VisitorCredentials
from lightboard.hub.db import job_access
from lightboard.hub.db.engine import Database
from lightboard.hub.db.jobs import KIND
from lightboard.hub.resources.jobs import Job, JobKind

JUPYTER_SCHEME = "token "


@dataclass(frozen=True)
class NotebookAccess:
    """A notebook that its owner opens."""

    job: Job
    identity: Identity


class NotebookAuthorizer(CachedAuthorizer[NotebookAccess]):
    """Decides who may open which notebook."""

    kind = KIND

    def __init__(self, database: Database, identities: Identities, token_signer: TokenSigner) -> None:
        super().__init__()
        self._database = database
        self._identities = identities
        self._token_signer = token_signer

    def decide(self, credentials: VisitorCredentials, id: str) -> NotebookAccess:
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
