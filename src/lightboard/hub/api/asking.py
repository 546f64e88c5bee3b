"""One request as the handlers see it: the hub, who asks, and how an answer is made.

`need` stands before every handler: it finds out who asks and refuses what can be refused without looking at the thing.
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
from lightboard.hub.api.tickets import same
from lightboard.hub.db import idempotency, permissions
from lightboard.hub.db.idempotency import KeptAnswer
from lightboard.hub.resources.tensorboards import Tensorboard
from lightboard.untrusted.numbers import whole_number

ASKING = "lightboard.asking"
CSRF = "x-csrf-token"
KEY = "idempotency-key"


Reveal = Callable[[dict[str, Any]], dict[str, Any]]
"""Puts into a body what is shown but not kept."""


class Made:
    """An answer before it is one: what is kept of it for an Idempotency-Key has no secrets in it."""

    def __init__(self, body: BaseModel | None, status: int, *, version: int | None = None, location: str = "") -> None:
        self.json = body.model_dump_json() if body else ""
        self.status = status
        self.headers: dict[str, str] = {}
        if version is not None:
            self.headers["etag"] = f'"{version}"'
        if location:
            self.headers["location"] = location

    @classmethod
    def of(cls, kept: KeptAnswer) -> "Made":
        """The answer of then."""
        made = cls(None, kept.status)
        made.json, made.headers = kept.body, dict(kept.headers)
        return made

    def kept(self) -> KeptAnswer:
        """What is kept of it."""
        return KeptAnswer(status=self.status, body=self.json, headers=self.headers)

    def answer(self, reveal: Reveal | None = None) -> Response:
        """The answer, with what is only shown."""
        body = json.dumps(reveal(json.loads(self.json)), ensure_ascii=False) if reveal else self.json
        return Response(body or None, self.status, self.headers, "application/json" if body else None)


class Asking:
    """What a handler is given."""

    def __init__(self, request: Request, hub: Hub, identity: Identity | None) -> None:
        self.request = request
        self.hub = hub
        self.identity = identity
        self.at = hub.clock()

    @property
    def who(self) -> Principal:
        """Who asks. Raises Unauthenticated where nobody is logged in."""
        if self.identity is None:
            raise Unauthenticated("nobody is logged in", hint="log in, or send Authorization: Bearer TOKEN")
        return self.identity.who

    @property
    def address(self) -> str:
        """Where the request came from."""
        return self.request.client.host if self.request.client else ""

    @property
    def client(self) -> str:
        """The same as far as it counts for who asks too often."""
        return client_of(self.address)

    def url(self, path: str) -> str:
        """The whole address of a path of ours, as people reach it."""
        return self.hub.base(self.request) + path

    def board_url(self, board: Tensorboard, owner: str) -> str:
        """The link of a board; `owner` is its owner's name, which is part of its host name where it has one."""
        domain = self.hub.settings.domain
        if domain:
            scheme = self.hub.base(self.request).partition(":")[0]
            return f"{scheme}://{board.name}--{owner}.{domain}/"
        return self.url(f"/tb/{board.id}/")

    def read(self) -> AbstractContextManager[Session]:
        """A look at the database."""
        return self.hub.database.read()

    def write(self) -> AbstractContextManager[Session]:
        """A change of the database: all of it or nothing."""
        return self.hub.database.write(self.address)

    def wanted_version(self) -> int | None:
        """The version that If-Match names; None where it names none. Raises BadRequest for what is no version."""
        tag = self.request.headers.get("if-match", "").strip()
        if tag in ("", "*"):
            return None
        version = whole_number(tag.removeprefix("W/").strip('"'))
        if version is None:
            raise BadRequest(f"If-Match: {tag[:40]} is no version", hint="send the ETag that came with the answer")
        return version

    @property
    def key(self) -> str:
        """The Idempotency-Key, "" where there is none."""
        return self.request.headers.get(KEY, "")

    def once(self, body: BaseModel | None, act: Callable[[Session], Made], reveal: Reveal | None = None) -> Response:
        """Does `act` in one transaction; for an Idempotency-Key that was seen before gives the answer of then instead.

        `reveal` puts into the answer what is not to be kept with it.

        Raises:
            Conflict: the key was used for something else.
        """
        with self.write() as session:
            made = self._recalled(session, body, act) if self.key else act(session)
        return made.answer(reveal)

    def _recalled(self, session: Session, body: BaseModel | None, act: Callable[[Session], Made]) -> Made:
        question = self._question(body)
        kept = idempotency.recall(session, self.who, self.key, question, self.at)
        if kept is not None:
            return Made.of(kept)
        made = act(session)
        idempotency.keep(session, self.who, self.key, question, made.kept(), self.at)
        return made

    def _question(self, body: BaseModel | None) -> str:
        """What was asked, and with what rights: no answer is for a token that may do less than who it was made for."""
        said = body.model_dump_json() if body else ""
        url, who = self.request.url, self.who
        rights = f"{sorted(who.scopes)} {who.project}"
        return hashlib.sha256(f"{self.request.method} {url.path}?{url.query}\n{rights}\n{said}".encode()).hexdigest()


def need(right: str) -> Callable[[Request], Awaitable[None]]:
    """The check that stands before a handler which needs `right`; "open" needs nobody."""

    async def check(request: Request) -> None:
        hub = hub_of(request)
        identity = await identify(request, hub)
        request.scope[ASKING] = Asking(request, hub, identity)
        if right == "open":
            return
        if identity is None:
            raise Unauthenticated(*WHO_ARE_YOU[secret_of(request) is not None], hint=LOG_IN)
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
WHO_ARE_YOU = {False: ("nobody is logged in",), True: ("the login or token is not known, or not any more",)}


async def identify(request: Request, hub: Hub) -> Identity | None:
    """Who asks, None for nobody known."""
    secret = secret_of(request)
    if secret is None:
        return None
    known, identity = hub.identities.remembered(secret)
    if not known:
        identity = await hub.pool.call(hub.identities.find, secret)
    if identity is not None:
        note_use(hub, identity)
    return identity


def note_use(hub: Hub, identity: Identity) -> None:
    """A token or login was used; the login lasts on from here."""
    at = hub.clock()
    if identity.token:
        hub.activity.token(identity.token, at)
    else:
        hub.activity.login(identity.digest, at, at + LOGIN_SECS)


def check_csrf(request: Request, identity: Identity) -> None:
    """Raises PermissionDenied unless a page of ours made this change."""
    if not same(request.headers.get(CSRF, ""), identity.csrf):
        raise PermissionDenied(
            "the change does not come from a page of this hub",
            hint="send the header X-CSRF-Token with the value of `csrf` in /api/v1/me",
        )


def asking(request: Request) -> Asking:
    """What `need` has found out."""
    found: Asking = request.scope[ASKING]
    return found


Asked = Annotated[Asking, Depends(asking)]


def answered(body: BaseModel, status: int = 200, *, version: int | None = None, location: str = "") -> Response:
    """`body` as JSON; `version` becomes the ETag."""
    return Made(body, status, version=version, location=location).answer()


def done() -> Response:
    """204: it is done, and there is nothing to say."""
    return Response(status_code=204)


def leave_out_none(body: BaseModel) -> dict[str, Any]:
    """The fields of a change that say something."""
    return {name: value for name, value in body.model_dump().items() if value is not None}
