"""Errors of addresses that people open in a browser: a page of the console for them, JSON for programs."""

from starlette.requests import Request
from starlette.responses import Response

from lightboard.asgi.errors import error_response
from lightboard.config import HubSettings
from lightboard.hub.api.identity import LOG_IN
from lightboard.hub.api.pages import page, wants_page

ON_SUBDOMAIN_KEY = "lightboard.own_host"
"""Scope key: the request is for a subdomain, where the assets of the console are not served."""


def error_page(
    request: Request,
    settings: HubSettings,
    *,
    error_status: int,
    code: str = "",
    message: str = "",
    hint: str = "",
    retry_secs: int | None = None,
) -> Response:
    """An error as a console page for browsers and as JSON for programs.

    At a subdomain, browsers get one line of text, because the assets of the console are not served there.
    """
    headers = {"retry-after": str(retry_secs)} if retry_secs else {}
    if error_status == 401:
        headers["www-authenticate"] = "Bearer"
        hint = hint or LOG_IN
    if wants_page(request) and ON_SUBDOMAIN_KEY not in request.scope:
        return page(settings, error_status, headers)
    as_json = not wants_page(request)
    return error_response(
        request.scope, error_status, code=code, message=message, hint=hint, headers=headers, json_wanted=as_json
    )
