"""The way back in for who has the hub's machine: a link that `lightboard hub --recover NAME` prints."""

from starlette.responses import RedirectResponse, Response

from lightboard.errors import NotFound
from lightboard.hub.access import HUB
from lightboard.hub.api.cookies import set_login
from lightboard.hub.api.login_throttle import ADDRESS
from lightboard.hub.api.request_context import ContextDep
from lightboard.hub.api.routes import OPEN, Routes
from lightboard.hub.api.sessions import begin_login
from lightboard.hub.api.signed_tokens import constant_time_equals, digest_of
from lightboard.hub.db import accounts, settings

PATH = "/api/v1/recover"
SETTING = "recovery"
"""Digest of the key, id of the account, and until when, apart by spaces."""
LASTS_SECS = 900.0

routes = Routes("recovery")


@routes.get(PATH, right=OPEN)
def recover(context: ContextDep, key: str = "") -> Response:
    """Log in by the one-time link of the command line, as an administrator."""
    context.hub.login_throttle.spend((ADDRESS, context.client))
    with context.write() as session:
        digest, _, rest = settings.get(session, SETTING).partition(" ")
        id, _, until = rest.partition(" ")
        if not digest or not constant_time_equals(digest_of(key), digest) or float(until) <= context.at:
            raise NotFound("this link has been used, or its time is over", hint="lightboard hub --recover NAME")
        settings.remove(session, SETTING)
        account = accounts.change(session, HUB, id, {"administrator": True, "disabled": False}, context.at)
        _, secret = begin_login(session, context, account)
    answer = RedirectResponse(context.url("/"), 303, {"cache-control": "no-store", "referrer-policy": "no-referrer"})
    set_login(answer, context.request, context.hub, secret)
    return answer
