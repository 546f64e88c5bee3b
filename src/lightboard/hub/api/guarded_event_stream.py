"""Event streams of the hub that end when their client has fewer rights than at the beginning."""

from contextlib import AbstractContextManager, nullcontext
from functools import partial

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from lightboard.asgi.event_stream import ClosableSend, EventStream
from lightboard.hub.api.identity import secret_of
from lightboard.hub.api.job_tokens import is_job_token
from lightboard.hub.api.proxy import ResponseCut
from lightboard.hub.api.request_context import RequestContext
from lightboard.hub.api.services import Auth, Runtime
from lightboard.hub.db import projects
from lightboard.hub.resources.roles import Role

HEARTBEAT_SECS = 15.0
"""Between two comments of a stream without events."""


class GuardedEventStream(Response):
    """An event stream that ends when its client has fewer rights than at the beginning.

    `slot` is entered while it runs, and may refuse it.
    """

    def __init__(
        self,
        stream: EventStream,
        context: RequestContext,
        auth: Auth,
        runtime: Runtime,
        slot: AbstractContextManager[None] | None = None,
    ) -> None:
        super().__init__()
        self.stream = stream
        self.slot = slot or nullcontext()
        self.context = context
        self.auth = auth
        self.runtime = runtime

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Streams until the client disconnects, the hub stops, or access is lost."""
        with self.slot:
            await self._guard(scope, receive, send)

    async def _guard(self, scope: Scope, receive: Receive, send: Send) -> None:
        pool, identity, ending = self.runtime.pool, self.context.identity, ClosableSend(send)
        memberships = await pool.call(memberships_of, self.context)
        check = partial(pool.call, recheck_principal, self.context, self.auth, memberships)
        try:
            async with self.runtime.change_notifier.guard(identity.expires_at if identity else None, check) as limit:
                await self.stream(scope, receive, ending.send)
        except TimeoutError:
            if not limit.expired():
                raise
            if not await ending.end():
                raise ResponseCut("the rights of the principal have changed") from None


Memberships = frozenset[tuple[str, Role]]


def memberships_of(context: RequestContext) -> Memberships:
    """The projects of the client and its roles in them."""
    with context.read() as session:
        return frozenset((project.id, role) for project, role in projects.memberships(session, context.principal))


def recheck_principal(context: RequestContext, auth: Auth, before: Memberships) -> float | bool | None:
    """When the login or token expires; False if it is no longer valid or its rights have changed."""
    secret = secret_of(context.request)
    identities = auth.job_tokens if secret and is_job_token(secret) else auth.identities
    now = identities.find(secret) if secret else None
    if now is None or now.principal != context.principal or not before <= memberships_of(context):
        return False
    return now.expires_at
