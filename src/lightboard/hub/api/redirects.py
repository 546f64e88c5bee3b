"""Redirects that depend on who asks."""

from starlette.responses import RedirectResponse

HEADERS = {"cache-control": "no-store", "referrer-policy": "no-referrer"}


def uncached_redirect(url: str, status: int = 302) -> RedirectResponse:
    """A redirect to `url` that no cache keeps. Where it leads to is not told where it came from."""
    return RedirectResponse(url, status, HEADERS)
