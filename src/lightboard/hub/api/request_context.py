"""The context of one API request: the authenticated principal, database sessions, and helpers for responses.

`require_right` runs before every handler. It authenticates the request and rejects whatever can be rejected without
loading the resource.
"""

import hashlib
import json
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from typing import Annotated, Any

from fastapi import Depends, Request
from pydantic import BaseModel
from sqlalchemy.orm import Session
from starlette.requests import HTTPConnection
from starlette.responses import Response

from lightboard.asgi.guard import SAFE_METHODS
from lightboard.config import HubSettings
from lightboard.errors import BadRequest, PermissionDenied, Unauthenticated
from lightboard.hub.access import HUB_RIGHTS, RIGHTS, Principal, allowed_on_hub, missing_permissions
from lightboard.hub.api.identity import LOG_IN, Identity, secret_of
from lightboard.hub.api.job_tokens import RIGHTS as JOB_RIGHTS
from lightboard.hub.api.job_tokens import is_job_token
from lightboard.hub.api.login_throttle import client_of
from lightboard.hub.api.services import Auth, AuthDep, JobsDep, Runtime, RuntimeDep, SettingsDep
from lightboard.hub.api.signed_tokens import constant_time_equals
from lightboard.hub.api.urls import base_url, board_url, server_url
from lightboard.hub.db import idempotency, permissions
from lightboard.hub.db.engine import Database
from lightboard.hub.db.idempotency import StoredResponse
from lightboard.hub.resources.jobs import Job
from lightboard.hub.resources.tensorboards import Tensorboard
from lightboard.untrusted.numbers import whole_number

CONTEXT_KEY = "lightboard.request_context"
CSRF_HEADER = "x-csrf-token"
IDEMPOTENCY_HEADER = "idempotency-key"


Reveal = Callable[[dict[str, Any]], dict[str, Any]]
"""Adds fields to a response body that are sent but not stored."""


class StorableResponse:
    """A response that can be stored for an Idempotency-Key. It contains no secrets; `to_response` can add them."""

    def __init__(self, body: BaseModel | None, status: int, *, version: int | None = None, location: str = "") -> None:
        self.json = body.model_dump_json() if body else ""
        self.status = status
        self.headers: dict[str, str] = {}
        if version is not None:
            self.headers["etag"] = f'"{version}"'
        if location:
            self.headers["location"] = location

    @classmethod
    def from_stored(cls, stored: StoredResponse) -> "StorableResponse":
        """The response to an earlier request with the same key."""
        response = cls(None, stored.status)
        response.json, response.headers = stored.body, dict(stored.headers)
        return response

    def to_stored(self) -> StoredResponse:
        """The form that is written to the database."""
        return StoredResponse(status=self.status, body=self.json, headers=self.headers)

    def to_response(self, reveal: Reveal | None = None) -> Response:
        """The HTTP response, with the fields that `reveal` adds."""
        body = json.dumps(reveal(json.loads(self.json)), ensure_ascii=False) if reveal else self.json
        return Response(body or None, self.status, self.headers, "application/json" if body else None)


class RequestContext:
    """What a handler receives instead of the raw request. `at` is its time in seconds since the epoch.

    `idle_at` gives when a notebook is stopped if nothing runs in it, as `NotebookIdleness.idle_at`.
    """

    def __init__(
        self,
        request: Request,
        identity: Identity | None,
        settings: HubSettings,
        database: Database,
        at: float,
        idle_at: Callable[[Job], float | None],
    ) -> None:
        self.request = request
        self.identity = identity
        self.at = at
        self._settings = settings
        self._database = database
        self.idle_at = idle_at

    @property
    def principal(self) -> Principal:
        """The authenticated principal. Raises Unauthenticated if there is none."""
        if self.identity is None:
            raise Unauthenticated("you are not logged in", hint="log in, or send Authorization: Bearer TOKEN")
        return self.identity.principal

    @property
    def address(self) -> str:
        """The client's IP address."""
        return self.request.client.host if self.request.client else ""

    @property
    def client(self) -> str:
        """The address as rate limits count it."""
        return client_of(self.address)

    @property
    def max_logins(self) -> int:
        """How many logins an account has at once."""
        return self._settings.max_logins

    def url(self, path: str) -> str:
        """The public URL of a path of the hub."""
        return base_url(self._settings, self.request) + path

    def board_url(self, board: Tensorboard, owner: str) -> str:
        """The public URL of a board. `owner` is the name of its owner, which is part of subdomains."""
        return board_url(self._settings, self.request, board, owner)

    def server_url(self, job: Job) -> str:
        """The public URL of a server in a job."""
        return server_url(self._settings, self.request, job.kind, job.id)

    def read(self) -> AbstractContextManager[Session]:
        """A read-only database session."""
        return self._database.read()

    def write(self) -> AbstractContextManager[Session]:
        """A database session that commits at the end, or rolls back if an exception is raised."""
        return self._database.write(self.address)

    def if_match_version(self) -> int | None:
        """The version in the If-Match header, None without one. Raises BadRequest if it is not a version."""
        tag = self.request.headers.get("if-match", "").strip()
        if tag in ("", "*"):
            return None
        version = whole_number(tag.removeprefix("W/").strip('"'))
        if version is None:
            raise BadRequest(f"If-Match: {tag[:40]} is not a version", hint="send the ETag of the response")
        return version

    @property
    def key(self) -> str:
        """The Idempotency-Key, "" without one."""
        return self.request.headers.get(IDEMPOTENCY_HEADER, "")

    def run_idempotent(
        self, body: BaseModel | None, run: Callable[[Session], StorableResponse], reveal: Reveal | None = None
    ) -> Response:
        """Runs `run` in one transaction. A request with a known Idempotency-Key gets the stored response instead.

        `reveal` adds fields to the response that must not be stored.

        Raises:
            Conflict: the key was used for a different request.
        """
        with self.write() as session:
            response = self._run_or_replay(session, body, run) if self.key else run(session)
        return response.to_response(reveal)

    def _run_or_replay(
        self, session: Session, body: BaseModel | None, run: Callable[[Session], StorableResponse]
    ) -> StorableResponse:
        fingerprint = self._fingerprint(body)
        stored = idempotency.load(session, self.principal, self.key, fingerprint, self.at)
        if stored is not None:
            return StorableResponse.from_stored(stored)
        response = run(session)
        idempotency.store(session, self.principal, self.key, fingerprint, response.to_stored(), self.at)
        return response

    def _fingerprint(self, body: BaseModel | None) -> str:
        """A digest of the request and of the principal's rights.

        The rights are included so that a token with fewer rights never gets a response made for one with more.
        """
        content = body.model_dump_json() if body else ""
        url, principal = self.request.url, self.principal
        rights = f"{sorted(principal.scopes)} {principal.project}"
        return hashlib.sha256(f"{self.request.method} {url.path}?{url.query}\n{rights}\n{content}".encode()).hexdigest()


def require_right(right: str) -> Callable[..., Awaitable[None]]:
    """The dependency that checks `right` before a handler runs. "open" needs no authentication."""

    async def check(request: Request, settings: SettingsDep, auth: AuthDep, runtime: RuntimeDep, jobs: JobsDep) -> None:
        identity = await authenticate(request, auth, runtime) or await authenticate_job(request, right, auth, runtime)
        request.scope[CONTEXT_KEY] = RequestContext(
            request, identity, settings, runtime.database, runtime.clock(), jobs.idleness.idle_at
        )
        if right == "open":
            return
        if identity is None:
            raise Unauthenticated(*UNAUTHENTICATED_MESSAGES[secret_of(request) is not None], hint=LOG_IN)
        if identity.csrf and request.method not in SAFE_METHODS:
            check_csrf(request, identity)
        rule = RIGHTS.get(right) or HUB_RIGHTS[right]
        if rule.scope not in identity.principal.scopes:
            raise PermissionDenied(
                f"this token is not for {rule.scope.value}: {right} needs it", hint="create a token with that scope"
            )
        if missing := missing_permissions(identity.principal, rule.needs):
            raise permissions.refusal(missing)
        if right in HUB_RIGHTS and not allowed_on_hub(identity.principal, right):
            raise PermissionDenied(
                f"this account does not have the right {right}", hint="ask an administrator of the hub"
            )

    return check


UNAUTHENTICATED_MESSAGES = {
    False: ("you are not logged in",),
    True: ("the login or token is not valid",),
}


async def authenticate(request: HTTPConnection, auth: Auth, runtime: Runtime) -> Identity | None:
    """The identity behind the request, None if it has no valid credentials."""
    secret = secret_of(request)
    if secret is None:
        return None
    cached = auth.identities.cached(secret)
    identity = cached.value if cached else await runtime.pool.call(auth.identities.find, secret)
    if identity is not None:
        runtime.activity.record_identity(identity, runtime.clock())
    return identity


async def authenticate_job(request: Request, right: str, auth: Auth, runtime: Runtime) -> Identity | None:
    """The identity behind the token of a job, None if the request has no valid one.

    Raises PermissionDenied if the route is not for jobs, or names another one.
    """
    secret = secret_of(request)
    if secret is None or not is_job_token(secret):
        return None
    cached = auth.job_tokens.cached(secret)
    identity = cached.value if cached else await runtime.pool.call(auth.job_tokens.find, secret)
    if identity is not None and not (right in JOB_RIGHTS and request.path_params.get("id") == identity.job):
        raise PermissionDenied(
            "the token of a job reads and stops this job alone, by its id",
            hint="create an API token for anything else, and set LIGHTBOARD_TOKEN",
        )
    return identity


def check_csrf(request: Request, identity: Identity) -> None:
    """Raises PermissionDenied unless the request carries the CSRF token of its login."""
    if not constant_time_equals(request.headers.get(CSRF_HEADER, ""), identity.csrf):
        raise PermissionDenied(
            "the change does not come from a page of this hub",
            hint="send the header X-CSRF-Token with the value of `csrf` in /api/v1/me",
        )


async def context_of(request: Request) -> RequestContext:
    """The context that `require_right` has stored in the request."""
    context: RequestContext = request.scope[CONTEXT_KEY]
    return context


ContextDep = Annotated[RequestContext, Depends(context_of)]


def json_response(body: BaseModel, status: int = 200, *, version: int | None = None, location: str = "") -> Response:
    """A JSON response. `version` becomes the ETag."""
    return StorableResponse(body, status, version=version, location=location).to_response()


def no_content() -> Response:
    """A 204 response."""
    return Response(status_code=204)


def non_null_fields(body: BaseModel) -> dict[str, Any]:
    """The fields of `body` that are not None."""
    return {name: value for name, value in body.model_dump().items() if value is not None}
