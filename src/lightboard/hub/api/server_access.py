"""Access to the servers of notebooks and jobs: by a login or a token of their owner.

Only its owner opens a notebook, since whoever does runs programs as its owner. Not even administrators do: the page
of a notebook is made by its owner, and would act for them. So would that of a job, whatever it does.
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


RIGHTS = {JobKind.NOTEBOOK: "notebooks.open", JobKind.JOB: "jobs.connect"}


@dataclass(frozen=True)
class ServerAccess:
    """A notebook or job that its owner opens."""

    job: Job
    identity: Identity


class ServerAuthorizer(CachedAuthorizer[ServerAccess]):
    """Decides who may open which notebook or job."""

    kind = KIND

    def __init__(self, database: Database, identities: Identities, token_signer: TokenSigner) -> None:
        super().__init__()
        self._database = database
        self._identities = identities
        self._token_signer = token_signer

    def decide(self, credentials: VisitorCredentials, id: str) -> ServerAccess:
        """Raises NotFound, PermissionDenied or Unauthenticated."""
        denial: LightboardError = Unauthenticated("you are not logged in", hint=LOG_IN)
        for identity in self._identities_of(credentials, id):
            try:
                return self._authorize_identity(identity, id)
            except LightboardError as error:
                denial = error
        raise denial

    def _authorize_identity(self, identity: Identity, id: str) -> ServerAccess:
        with self._database.read() as session:
            job = job_access.get(session, identity.principal, id)
            job_access.get(session, identity.principal, id, RIGHTS[job.kind])
        if not job.has_server:
            raise NotFound(f"the job {job.name} has no web page", hint="run it again with a port: --http PORT")
        if job.owner != identity.principal.account:
            raise PermissionDenied(f"only its owner opens a {job.kind}", hint="its files are in the project's storage")
        return ServerAccess(job, identity)

    def _identities_of(self, credentials: VisitorCredentials, id: str) -> Iterator[Identity]:
        """The identities of a visitor: from the token or login, and from the cookie at the host of the server."""
        if credentials.secret and (identity := self._identities.find(credentials.secret)):
            yield identity
        ticket = self._token_signer.read(ADMISSION_PURPOSE, credentials.ticket) or {}
        if ticket.get("board") == id and (identity := self._identities.of_login(str(ticket.get("ref")))):
            yield identity


def server_credentials(connection: HTTPConnection) -> VisitorCredentials:
    """The credentials of a request. JupyterLab's page sends the token of its server, which is no token of the hub."""
    own = connection.headers.get("authorization", "").lower().startswith(JUPYTER_SCHEME)
    return VisitorCredentials.with_secret(connection, login_of(connection) if own else secret_of(connection))
