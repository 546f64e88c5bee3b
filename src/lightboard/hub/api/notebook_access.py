"""Access to notebooks: by a login or a token of their owner.

Only its owner opens a notebook, since whoever does runs programs as its owner. Not even administrators do: the page
of a notebook is made by its owner, and would act for them.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from starlette.requests import HTTPConnection

from lightboard.errors import LightboardError, NotFound, PermissionDenied, Unauthenticated
from lightboard.hub.api.board_access import BOARD_COOKIE, BOARD_PURPOSE, LOG_IN
from lightboard.hub.api.identity import Identities, Identity, Secret, login_of, secret_of
from lightboard.hub.api.signed_tokens import TokenSigner
from lightboard.hub.db import job_access
from lightboard.hub.db.engine import Database
from lightboard.hub.resources.jobs import Job, JobKind

JUPYTER_SCHEME = "token "


@dataclass(frozen=True)
class NotebookAccess:
    """A notebook that its owner opens."""

    job: Job
    identity: Identity


class NotebookAuthorizer:
    """Decides who may open which notebook."""

    def __init__(self, database: Database, identities: Identities, token_signer: TokenSigner) -> None:
        self._database = database
        self._identities = identities
        self._token_signer = token_signer

    def authorize(self, connection: HTTPConnection, id: str) -> NotebookAccess | LightboardError:
        """The access of whoever sends a request, or the error that explains the denial.

        Reads the database, so call it in a thread.
        """
        denial: LightboardError = Unauthenticated("you are not logged in", hint=LOG_IN)
        for identity in self._identities_of(connection, id):
            try:
                return self._authorize(identity, id)
            except LightboardError as error:
                denial = error
        return denial

    def _authorize(self, identity: Identity, id: str) -> NotebookAccess:
        with self._database.read() as session:
            job = job_access.get(session, identity.principal, id, "notebooks.open")
        if job.kind is not JobKind.NOTEBOOK:
            raise NotFound("this job is not a notebook")
        if job.owner != identity.principal.account:
            raise PermissionDenied("only its owner opens a notebook", hint="its files are in the project's storage")
        return NotebookAccess(job, identity)

    def _identities_of(self, connection: HTTPConnection, id: str) -> Iterator[Identity]:
        """The identities of a visitor: from the token or login, and from the cookie at the host of the notebook."""
        secret = secret_of_visitor(connection)
        if secret is not None:
            known, identity = self._identities.cached(secret)
            if identity := identity if known else self._identities.find(secret):
                yield identity
        ticket = self._token_signer.read(BOARD_PURPOSE, connection.cookies.get(BOARD_COOKIE, "")) or {}
        if ticket.get("board") == id and (identity := self._identities.of_login(str(ticket.get("ref")))):
            yield identity


def secret_of_visitor(connection: HTTPConnection) -> Secret | None:
    """As `secret_of`. JupyterLab's page sends the token of its own server, which is no token of the hub."""
    own = connection.headers.get("authorization", "").lower().startswith(JUPYTER_SCHEME)
    return login_of(connection) if own else secret_of(connection)
