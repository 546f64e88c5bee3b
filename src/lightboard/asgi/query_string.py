"""The query string by TensorBoard's rules, for routes that need no model. Our own API reads models: `asgi.params`."""

from starlette.requests import Request


def first(request: Request, name: str) -> str | None:
    """The first value of a parameter, as TensorBoard counts them; None if it is not there."""
    return next(iter(request.query_params.getlist(name)), None)
