"""The context of one API request: the hub, the authenticated principal, and helpers for responses.

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
from starlette.responses import Response

from lightboard.asgi.guard import SAFE_METHODS
from lightboard.errors import BadRequest, PermissionDenied, Unauthenticated
from lightboard.hub.access import HUB_RIGHTS, RIGHTS, Principal, allowed_on_hub, lacking
from lightboard.hub.api.hub import Hub, hub_of
from lightboard.hub.api.identity import LOGIN_SECS, Identity, secret_of
from lightboard.hub.api.login_throttle import client_of
from lightboard.hub.api.signed_tokens import constant_time_equals
from lightboard.hub.db import idempotency, permissions
from lightboard.hub.db.idempotency import StoredResponse
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
    """What a handler receives instead of the raw request."""

    def __init__(self, request: Request, hub: Hub, identity: Identity | None) -> None:
        self.request = request
        self.hub = hub
        self.identity = identity
        self.at = hub.clock()

    @property
    def who(self) -> Principal:
        """The authenticated principal. Raises Unauthenticated if there is none."""
        if self.identity is None:
            raise Unauthenticated("nobody is logged in", hint="log in, or send Authorization: Bearer TOKEN")
        return self.identity.who

    @property
    def address(self) -> str:
        """The client's IP address."""
        return self.request.client.host if self.request.client else ""

    @property
    def client(self) -> str:
        """The address as rate limits count it."""
        return client_of(self.address)

    def url(self, path: str) -> str:
        """The public URL of a path of the hub."""
        return self.hub.base(self.request) + path

    def board_url(self, board: Tensorboard, owner: str) -> str:
        """The public URL of a board. `owner` is the name of its owner, which is part of subdomains."""
        domain = self.hub.settings.domain
        if domain:
            scheme = self.hub.base(self.request).partition(":")[0]
            return f"{scheme}://{board.name}--{owner}.{domain}/"
        return self.url(f"/tb/{board.id}/")

    def read(self) -> AbstractContextManager[Session]:
        """A read-only database session."""
        return self.hub.database.read()

    def write(self) -> AbstractContextManager[Session]:
        """A database session that commits at the end, or rolls back if an exception is raised."""
        return self.hub.database.write(self.address)

    def if_match_version(self) -> int | None:
        """The version in the If-Match header, None without one. Raises BadRequest if it is not a version."""
        tag = self.request.headers.get("if-match", "").strip()
        if tag in ("", "*"):
            return None
        version = whole_number(tag.removeprefix("W/").strip('"'))
        if version is None:
            raise BadRequest(f"If-Match: {tag[:40]} is no version", hint="send the ETag that came with the answer")
        return version

    @property
    def key(self) -> str:
        """The Idempotency-Key, "" without one."""
        return self.request.headers.get(IDEMPOTENCY_HEADER, "")

    def run_idempotent(
        self, body: BaseModel | None, act: Callable[[Session], StorableResponse], reveal: Reveal | None = None
    ) -> Response:
        """Runs `act` in one transaction. A request with a known Idempotency-Key gets the stored response instead.

        `reveal` adds fields to the response that must not be stored.

        Raises:
            Conflict: the key was used for a different request.
        """
        with self.write() as session:
            response = self._run_or_replay(session, body, act) if self.key else act(session)
        return response.to_response(reveal)

    def _run_or_replay(
        self, session: Session, body: BaseModel | None, act: Callable[[Session], StorableResponse]
    ) -> StorableResponse:
        fingerprint = self._fingerprint(body)
        stored = idempotency.load(session, self.who, self.key, fingerprint, self.at)
        if stored is not None:
            return StorableResponse.from_stored(stored)
        response = act(session)
        idempotency.store(session, self.who, self.key, fingerprint, response.to_stored(), self.at)
        return response

    def _fingerprint(self, body: BaseModel | None) -> str:
        """A digest of the request and of the principal's rights.

        The rights are included so that a token with fewer rights never gets a response made for one with more.
        """
        content = body.model_dump_json() if body else ""
        url, who = self.request.url, self.who
        rights = f"{sorted(who.scopes)} {who.project}"
        return hashlib.sha256(f"{self.request.method} {url.path}?{url.query}\n{rights}\n{content}".encode()).hexdigest()


def require_right(right: str) -> Callable[[Request], Awaitable[None]]:
    """The dependency that checks `right` before a handler runs. "open" needs no authentication."""

    async def check(request: Request) -> None:
        hub = hub_of(request)
        identity = await authenticate(request, hub)
        request.scope[CONTEXT_KEY] = RequestContext(request, hub, identity)
        if right == "open":
            return
        if identity is None:
            raise Unauthenticated(*UNAUTHENTICATED_MESSAGES[secret_of(request) is not None], hint=LOG_IN)
        if identity.csrf and request.method not in SAFE_METHODS:
            check_csrf(request, identity)
        rule = RIGHTS.get(right) or HUB_RIGHTS[right]
        if rule.scope not in identity.who.scopes:
            raise PermissionDenied(
                f"this token is not for {rule.scope.value}: {right} needs it", hint="make a token with that scope"
            )
        if missing := lacking(identity.who, rule.needs):
            raise permissions.refusal(missing)
        if right in HUB_RIGHTS and not allowed_on_hub(identity.who, right):
            raise PermissionDenied(f"this account has not the right {right}", hint="ask an administrator of the hub")

    return check


LOG_IN = "log in, or send Authorization: Bearer TOKEN"
UNAUTHENTICATED_MESSAGES = {
    False: ("nobody is logged in",),
    True: ("the login or token is not known, or not any more",),
}


async def authenticate(request: Request, hub: Hub) -> Identity | None:
    """The identity behind the request, None if it has no valid credentials."""
    secret = secret_of(request)
    if secret is None:
        return None
    known, identity = hub.identities.cached(secret)
    if not known:
        identity = await hub.pool.call(hub.identities.find, secret)
    if identity is not None:
        record_use(hub, identity)
    return identity


def record_use(hub: Hub, identity: Identity) -> None:
    """Records the use of a token or login. Using a login extends it."""
    at = hub.clock()
    if identity.token:
        hub.activity.token(identity.token, at)
    else:
        hub.activity.login(identity.digest, at, at + LOGIN_SECS)


def check_csrf(request: Request, identity: Identity) -> None:
    """Raises PermissionDenied unless the request carries the CSRF token of its login."""
    if not constant_time_equals(request.headers.get(CSRF_HEADER, ""), identity.csrf):
        raise PermissionDenied(
            "the change does not come from a page of this hub",
            hint="send the header X-CSRF-Token with the value of `csrf` in /api/v1/me",
        )


def context_of(request: Request) -> RequestContext:
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
