"""Query strings by TensorBoard's rules, for routes without a model. Our own API uses models: `asgi.params`."""

from starlette.requests import Request


def first(request: Request, name: str) -> str | None:
    """The first value of a parameter, as in TensorBoard, or None."""
    return next(iter(request.query_params.getlist(name)), None)
