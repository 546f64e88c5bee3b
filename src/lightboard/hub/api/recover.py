"""Login with the one-time link that `lightboard hub --recover NAME` prints."""

from starlette.responses import Response

from lightboard.errors import NotFound
from lightboard.hub.access import HUB
from lightboard.hub.api.login_throttle import ADDRESS
from lightboard.hub.api.redirects import uncached_redirect
from lightboard.hub.api.request_context import ContextDep
from lightboard.hub.api.routes import OPEN, Routes
from lightboard.hub.api.services import AuthDep
from lightboard.hub.api.sessions import begin_login
from lightboard.hub.api.signed_tokens import constant_time_equals, digest_of
from lightboard.hub.db import accounts, settings

PATH = "/api/v1/recover"
SETTING = "recovery"
"""Digest of the key, id of the account, and expiry time, separated by spaces."""
LASTS_SECS = 900.0

routes = Routes("recovery")


@routes.get(PATH, right=OPEN)
def recover(context: ContextDep, auth: AuthDep, key: str = "") -> Response:
    """Log in as an administrator with a one-time link from the command line."""
    auth.login_throttle.spend((ADDRESS, context.client))
    with context.write() as session:
        digest, _, rest = settings.get(session, SETTING).partition(" ")
        id, _, until = rest.partition(" ")
        if not digest or not constant_time_equals(digest_of(key), digest) or float(until) <= context.at:
            raise NotFound("this link was used or has expired", hint="lightboard hub --recover NAME prints a new one")
        settings.remove(session, SETTING)
        account = accounts.change(session, HUB, id, {"administrator": True, "disabled": False}, context.at)
        _, secret = begin_login(session, context, account)
    response = uncached_redirect(context.url("/"), 303)
    auth.cookies.set_login(response, context.request, secret)
    return response
