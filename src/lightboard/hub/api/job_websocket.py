"""WebSockets to a running job, for its owner alone: further commands and connections to ports.

Whoever uses them acts in the job as its owner, as in a notebook. Errors before the WebSocket is accepted are HTTP
responses, like those of other routes; but browsers hide these from their pages, so pages get a WebSocket that is closed
at once and says why.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar

from starlette.datastructures import QueryParams
from starlette.requests import HTTPConnection
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocketClose

from lightboard.asgi.errors import error_response
from lightboard.config import HubSettings
from lightboard.errors import BadRequest, Conflict, LightboardError, PermissionDenied, Unauthenticated
from lightboard.hub.api.connection_limit import ConnectionLimit
from lightboard.hub.api.identity import LOG_IN, Identity
from lightboard.hub.api.own_pages import is_own_page
from lightboard.hub.api.request_context import authenticate
from lightboard.hub.api.services import Auth, Jobs, Runtime
from lightboard.hub.db import job_access
from lightboard.hub.resources.jobs import Job, JobStatus
from lightboard.untrusted.numbers import whole_number

REFUSED = 4000
"""Plus the status of an error: the code of a WebSocket that is refused to a page."""
MAX_REASON = 123
"""Bytes of the reason for an end (RFC 6455, 7.4.1)."""


@dataclass(frozen=True, kw_only=True)
class JobQuery:
    """The replica that a client asks for, and the project of the job, "" for any."""

    rank: int
    project: str


Q = TypeVar("Q", bound=JobQuery)


class JobWebSocket(ABC, Generic[Q]):
    """The ASGI application for one kind of them. An account has at most `most_of_account` at once, in all jobs.

    `act` is what they do to a job, for errors: `run commands in`.
    """

    right: ClassVar[str]
    act: ClassVar[str]
    most_of_account: ClassVar[int]
    most_of_hub: ClassVar[int]

    def __init__(self, settings: HubSettings, auth: Auth, jobs: Jobs, runtime: Runtime) -> None:
        self._settings = settings
        self._auth = auth
        self._jobs = jobs
        self._runtime = runtime
        self._limit = ConnectionLimit(self.act, most_of_account=self.most_of_account, most_of_hub=self.most_of_hub)

    @abstractmethod
    def query_of(self, params: QueryParams) -> Q:
        """What the query of a request asks for. Raises BadRequest."""

    @abstractmethod
    async def run(
        self, connection: HTTPConnection, receive: Receive, send: Send, identity: Identity, job: Job, query: Q
    ) -> None:
        """Handles the WebSocket, which has not been accepted yet. Raises LightboardError before it is."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one WebSocket, whose path is `/api/v1/jobs/{id}/...`."""
        connection = HTTPConnection(scope)
        id_or_name = scope["path"].split("/")[4]
        own_page = is_own_page(self._settings, connection)
        try:
            if not own_page:
                raise PermissionDenied(
                    f"pages of other sites may not {self.act} jobs", hint="open the console of this hub"
                )
            query = self.query_of(connection.query_params)
            identity = await self._identity(connection)
            job = await self._runtime.pool.call(self._job, identity, id_or_name, query)
            with self._limit.counted(identity.principal.account):
                await self.run(connection, receive, send, identity, job, query)
        except LightboardError as error:
            if own_page and "origin" in connection.headers:
                await refuse_page(error, scope, receive, send)
                return
            response = error_response(scope, error.status, code=error.code, message=error.message, hint=error.hint)
            await response(scope, receive, send)

    async def recheck(self, connection: HTTPConnection, job: Job, query: Q) -> float | bool | None:
        """Until when it may continue, or False if access was lost. That the job ends is noticed elsewhere."""
        try:
            identity = await self._identity(connection)
            await self._runtime.pool.call(self._job, identity, job.id, query)
        except Conflict:
            return identity.expires_at
        except (PermissionDenied, Unauthenticated, LookupError):
            return False
        return identity.expires_at

    async def _identity(self, connection: HTTPConnection) -> Identity:
        identity = await authenticate(connection, self._auth, self._runtime)
        if identity is None:
            raise Unauthenticated("you are not logged in", hint=LOG_IN)
        return identity

    def _job(self, identity: Identity, id_or_name: str, query: Q) -> Job:
        """The job, if it runs and the account may act in it. Raises LightboardError."""
        with self._runtime.database.read() as session:
            job = job_access.get(session, identity.principal, id_or_name, self.right, query.project)
        if job.owner != identity.principal.account:
            raise PermissionDenied(
                f"only its owner may {self.act} the {job.kind} {job.name}", hint="whoever does acts as its owner"
            )
        if job.status is not JobStatus.RUNNING:
            raise Conflict(f"the {job.kind} {job.name} is {job.status}", hint="wait until it runs, or start it again")
        if query.rank >= job.replicas:
            raise BadRequest(f"{job.name} has no replica {query.rank}", hint=f"0 to {job.replicas - 1}")
        return job


async def refuse_page(error: LightboardError, scope: Scope, receive: Receive, send: Send) -> None:
    """Tells a page why it gets no WebSocket."""
    await receive()  # the request to connect
    await send({"type": "websocket.accept"})
    await WebSocketClose(REFUSED + error.status, short_reason(error.message))(scope, receive, send)


def short_reason(message: str) -> str:
    """As much of a message as fits into the end of a WebSocket."""
    return message.encode()[:MAX_REASON].decode(errors="ignore")


def rank_of(params: QueryParams) -> int:
    """The number of the replica in a query. Raises BadRequest."""
    rank = whole_number(params.get("rank", "0"))
    if rank is None:
        raise BadRequest("rank is not a number", hint="replicas are numbered from 0")
    return rank
