"""Share links: anybody who has one may look at one board, until it expires or is revoked."""

from typing import Annotated, Any

from fastapi import Query
from sqlalchemy.orm import Session
from starlette.responses import RedirectResponse, Response

from lightboard.errors import PermissionDenied
from lightboard.hub.api.board_proxy import ROOT, error_page
from lightboard.hub.api.cookies import set_board_cookie
from lightboard.hub.api.request_context import ContextDep, RequestContext, StorableResponse, json_response, no_content
from lightboard.hub.api.routes import OPEN, Routes
from lightboard.hub.api.tensorboards import PATH
from lightboard.hub.db import accounts, shares
from lightboard.hub.resources.tensorboards import Tensorboard
from lightboard.hub.resources.tokens import LONGEST_SHARE_SECS, Share
from lightboard.schema.tensorboards import CreateShare, ShareAnswer, Shares

PURPOSE = "share"
LINK = "/s/"
A_DAY_SECS = 86_400.0

routes = Routes("shares")


@routes.post(f"{PATH}/{{id}}/shares", right="tensorboards.share", answer=ShareAnswer, status=201)
def create(context: ContextDep, id: str, body: CreateShare, project: str = "") -> Response:
    """Make a link by which anybody may look at a TensorBoard."""

    def act(session: Session) -> StorableResponse:
        made = shares.create(session, context.who, id, body.expires_secs, context.at, project)
        return StorableResponse(answer_of(session, made), 201)

    return context.run_idempotent(body, act, lambda kept: revealed(context, kept))


@routes.get(f"{PATH}/{{id}}/sharedurl", right="tensorboards.share", answer=ShareAnswer)
def shared_url(
    context: ContextDep,
    id: str,
    seconds: Annotated[float, Query(alias="ExpireTimeSeconds", gt=0, le=LONGEST_SHARE_SECS)] = A_DAY_SECS,
    project: str = "",
) -> Response:
    """The same in PAI's form, which makes a link although it is a GET."""
    site = context.request.headers.get("sec-fetch-site", "same-origin")
    if context.identity and context.identity.csrf and site != "same-origin":
        raise PermissionDenied(
            "a page of another site may not ask for a link", hint="ask for it on the hub's own pages"
        )
    with context.write() as session:
        made = shares.create(session, context.who, id, seconds, context.at, project)
        told = answer_of(session, made)
    return StorableResponse(told, 200).to_response(lambda kept: revealed(context, kept))


@routes.get(f"{PATH}/{{id}}/shares", right="tensorboards.share", answer=Shares)
def find(context: ContextDep, id: str, project: str = "") -> Response:
    """All links to a TensorBoard that have not expired; the links themselves are not shown again."""
    with context.read() as session:
        found = shares.find(session, context.who, id, context.at, project)
        return json_response(Shares(items=[answer_of(session, each) for each in found]))


@routes.delete(f"{PATH}/{{id}}/shares/{{share}}", right="tensorboards.share", status=204)
def revoke(context: ContextDep, id: str, share: str, project: str = "") -> Response:
    """End a link now."""
    with context.write() as session:
        shares.revoke(session, context.who, id, share, context.at, project)
    return no_content()


@routes.get(f"{LINK}{{ticket}}", right=OPEN, include_in_schema=False)
def follow(context: ContextDep, ticket: str) -> Response:
    """Look at the board that a link shares: the link becomes a cookie for that board alone."""
    hub, request = context.hub, context.request
    held = hub.token_signer.read(PURPOSE, ticket) or {}
    board = opened(context, str(held.get("share", "")))
    if board is None or board.id != held.get("board"):
        return error_page(
            request, hub, error_status=404, message="this link has expired, was revoked, or never was one"
        )
    home = f"{hub.settings.path_prefix}{ROOT}{board.id}/"
    answer = RedirectResponse(home, 303, {"cache-control": "no-store", "referrer-policy": "no-referrer"})
    holds = {"by": "share", "ref": held["share"], "board": board.id}
    set_board_cookie(answer, request, hub, holds, until=held["until"], path=home)
    return answer


def opened(context: RequestContext, share: str) -> Tensorboard | None:
    """The board that a share opens now."""
    with context.read() as session:
        return shares.opened(session, share, context.at)


def revealed(context: RequestContext, kept: dict[str, Any]) -> dict[str, Any]:
    """The answer with the link, which is made anew from what is kept: the same each time."""
    holds = {"share": kept["id"], "board": kept["tensorboard"]}
    url = context.url(LINK + context.hub.token_signer.issue(PURPOSE, holds, kept["expires_at"]))
    return {**kept, "url": url, "TensorboardSharedUrl": url}


def answer_of(session: Session, share: Share) -> ShareAnswer:
    """A link as it travels, without what opens."""
    return ShareAnswer(
        id=share.id,
        tensorboard=share.tensorboard,
        url="",
        TensorboardSharedUrl="",
        created_at=share.created_at,
        expires_at=share.expires_at,
        revoked_at=share.revoked_at,
        issuer_name=accounts.names(session, {share.issuer}).get(share.issuer, ""),
    )
