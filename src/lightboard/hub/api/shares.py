"""Share links: anybody who has one may look at one board, until it expires or is revoked."""

from typing import Annotated, Any

from fastapi import Query
from sqlalchemy.orm import Session
from starlette.responses import RedirectResponse, Response

from lightboard.errors import PermissionDenied
from lightboard.hub.api.asking import Asked, Asking, Made, answered, done
from lightboard.hub.api.cookies import set_door
from lightboard.hub.api.front import ROOT, refusal
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
def create(asked: Asked, id: str, body: CreateShare, project: str = "") -> Response:
    """Make a link by which anybody may look at a TensorBoard."""

    def act(session: Session) -> Made:
        made = shares.create(session, asked.who, id, body.expires_secs, asked.at, project)
        return Made(answer_of(session, made), 201)

    return asked.once(body, act, lambda kept: revealed(asked, kept))


@routes.get(f"{PATH}/{{id}}/sharedurl", right="tensorboards.share", answer=ShareAnswer)
def shared_url(
    asked: Asked,
    id: str,
    seconds: Annotated[float, Query(alias="ExpireTimeSeconds", gt=0, le=LONGEST_SHARE_SECS)] = A_DAY_SECS,
    project: str = "",
) -> Response:
    """The same in PAI's form, which makes a link although it is a GET."""
    site = asked.request.headers.get("sec-fetch-site", "same-origin")
    if asked.identity and asked.identity.csrf and site != "same-origin":
        raise PermissionDenied(
            "a page of another site may not ask for a link", hint="ask for it on the hub's own pages"
        )
    with asked.write() as session:
        made = shares.create(session, asked.who, id, seconds, asked.at, project)
        told = answer_of(session, made)
    return Made(told, 200).answer(lambda kept: revealed(asked, kept))


@routes.get(f"{PATH}/{{id}}/shares", right="tensorboards.share", answer=Shares)
def find(asked: Asked, id: str, project: str = "") -> Response:
    """All links to a TensorBoard that have not expired; the links themselves are not shown again."""
    with asked.read() as session:
        found = shares.find(session, asked.who, id, asked.at, project)
        return answered(Shares(items=[answer_of(session, each) for each in found]))


@routes.delete(f"{PATH}/{{id}}/shares/{{share}}", right="tensorboards.share", status=204)
def revoke(asked: Asked, id: str, share: str, project: str = "") -> Response:
    """End a link now."""
    with asked.write() as session:
        shares.revoke(session, asked.who, id, share, asked.at, project)
    return done()


@routes.get(f"{LINK}{{ticket}}", right=OPEN, include_in_schema=False)
def follow(asked: Asked, ticket: str) -> Response:
    """Look at the board that a link shares: the link becomes a cookie for that board alone."""
    hub, request = asked.hub, asked.request
    held = hub.tickets.read(PURPOSE, ticket) or {}
    board = opened(asked, str(held.get("share", "")))
    if board is None or board.id != held.get("board"):
        return refusal(request, hub, error_status=404, message="this link has expired, was revoked, or never was one")
    home = f"{hub.settings.path_prefix}{ROOT}{board.id}/"
    answer = RedirectResponse(home, 303, {"cache-control": "no-store", "referrer-policy": "no-referrer"})
    holds = {"by": "share", "ref": held["share"], "board": board.id}
    set_door(answer, request, hub, holds, until=held["until"], path=home)
    return answer


def opened(asked: Asking, share: str) -> Tensorboard | None:
    """The board that a share opens now."""
    with asked.read() as session:
        return shares.opened(session, share, asked.at)


def revealed(asked: Asking, kept: dict[str, Any]) -> dict[str, Any]:
    """The answer with the link, which is made anew from what is kept: the same each time."""
    holds = {"share": kept["id"], "board": kept["tensorboard"]}
    url = asked.url(LINK + asked.hub.tickets.issue(PURPOSE, holds, kept["expires_at"]))
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
