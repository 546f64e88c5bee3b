"""Share links: they open one board without an account until they expire or are revoked."""

from typing import Annotated, Any

from fastapi import Query
from sqlalchemy.orm import Session
from starlette.responses import Response

from lightboard.errors import PermissionDenied
from lightboard.hub.api.board_proxy import ROOT
from lightboard.hub.api.error_pages import error_page
from lightboard.hub.api.redirects import uncached_redirect
from lightboard.hub.api.request_context import ContextDep, RequestContext, StorableResponse, json_response, no_content
from lightboard.hub.api.routes import OPEN, Routes
from lightboard.hub.api.services import Auth, AuthDep, SettingsDep
from lightboard.hub.api.tensorboards import PATH
from lightboard.hub.db import accounts, shares
from lightboard.hub.resources.tensorboards import Tensorboard
from lightboard.hub.resources.tokens import LONGEST_SHARE_SECS, Share
from lightboard.schema.tensorboards import CreateShare, ShareResponse, Shares

PURPOSE = "share"
LINK = "/s/"
A_DAY_SECS = 86_400.0

routes = Routes("shares")


@routes.post(f"{PATH}/{{id}}/shares", right="tensorboards.share", response=ShareResponse, status=201)
def create(context: ContextDep, auth: AuthDep, id: str, body: CreateShare, project: str = "") -> Response:
    """Create a share link for a TensorBoard."""

    def run(session: Session) -> StorableResponse:
        made = shares.create(session, context.principal, id, body.expires_secs, context.at, project)
        return StorableResponse(to_response(session, made), 201)

    return context.run_idempotent(body, run, lambda stored: add_url(context, auth, stored))


@routes.get(f"{PATH}/{{id}}/sharedurl", right="tensorboards.share", response=ShareResponse)
def shared_url(
    context: ContextDep,
    auth: AuthDep,
    id: str,
    seconds: Annotated[float, Query(alias="ExpireTimeSeconds", gt=0, le=LONGEST_SHARE_SECS)] = A_DAY_SECS,
    project: str = "",
) -> Response:
    """Create a share link in PAI's format, which uses GET."""
    site = context.request.headers.get("sec-fetch-site", "same-origin")
    if context.identity and context.identity.csrf and site != "same-origin":
        raise PermissionDenied("pages of other sites cannot create links", hint="use the hub's own pages")
    with context.write() as session:
        made = shares.create(session, context.principal, id, seconds, context.at, project)
        result = to_response(session, made)
    return StorableResponse(result, 200).to_response(lambda stored: add_url(context, auth, stored))


@routes.get(f"{PATH}/{{id}}/shares", right="tensorboards.share", response=Shares)
def find(context: ContextDep, id: str, project: str = "") -> Response:
    """List the share links of a TensorBoard that have not expired, without their URLs."""
    with context.read() as session:
        found = shares.find(session, context.principal, id, context.at, project)
        return json_response(Shares(items=[to_response(session, each) for each in found]))


@routes.delete(f"{PATH}/{{id}}/shares/{{share}}", right="tensorboards.share", status=204)
def revoke(context: ContextDep, id: str, share: str, project: str = "") -> Response:
    """Revoke a share link."""
    with context.write() as session:
        shares.revoke(session, context.principal, id, share, context.at, project)
    return no_content()


@routes.get(f"{LINK}{{ticket}}", right=OPEN, include_in_schema=False)
def follow(context: ContextDep, settings: SettingsDep, auth: AuthDep, ticket: str) -> Response:
    """Open the board of a share link: sets a cookie for this board only."""
    request = context.request
    payload = auth.token_signer.read(PURPOSE, ticket) or {}
    board = find_board(context, str(payload.get("share", "")))
    if board is None or board.id != payload.get("board"):
        message = "this link is invalid, has expired, or was revoked"
        return error_page(request, settings, error_status=404, message=message)
    path = f"{settings.path_prefix}{ROOT}{board.id}/"
    response = uncached_redirect(path, 303)
    cookie = {"by": "share", "ref": payload["share"], "board": board.id}
    auth.cookies.set_admission(response, request, cookie, until=payload["until"], path=path)
    return response


def find_board(context: RequestContext, share: str) -> Tensorboard | None:
    """The board that a share opens now."""
    with context.read() as session:
        return shares.find_shared_board(session, share, context.at)


def add_url(context: RequestContext, auth: Auth, stored: dict[str, Any]) -> dict[str, Any]:
    """Adds the link to a stored response. It is not stored, but derived from the other fields each time."""
    payload = {"share": stored["id"], "board": stored["tensorboard"]}
    url = context.url(LINK + auth.token_signer.issue(PURPOSE, payload, stored["expires_at"]))
    return {**stored, "url": url, "TensorboardSharedUrl": url}


def to_response(session: Session, share: Share) -> ShareResponse:
    """A share without its URL."""
    return ShareResponse(
        id=share.id,
        tensorboard=share.tensorboard,
        url="",
        TensorboardSharedUrl="",
        created_at=share.created_at,
        expires_at=share.expires_at,
        revoked_at=share.revoked_at,
        issuer_name=accounts.names(session, {share.issuer}).get(share.issuer, ""),
    )
