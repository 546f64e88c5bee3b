"""Parses request bodies. Long ones are parsed in a thread, so that they do not block the event loop.

Not here: models (`asgi.params`) and the size limit (`asgi.body_limit`).
"""

from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar
from urllib.parse import parse_qsl

from starlette.requests import Request

from lightboard.asgi.scheduler import Scheduler
from lightboard.errors import BadRequest

P = ParamSpec("P")
T = TypeVar("T")

MAX_INLINE_BYTES = 16 << 10
"""Bodies up to this size are parsed in the event loop, in a fraction of a millisecond."""

MAX_FIELDS = 20_000
"""Limit of the fields of a form."""


async def parse(
    read: Callable[Concatenate[bytes, P], T], body: bytes, pool: Scheduler, *more: P.args, **options: P.kwargs
) -> T:
    """`read(body, ...)`, in a thread if the body is long. Long bodies are parsed one at a time."""
    if len(body) <= MAX_INLINE_BYTES:
        return read(body, *more, **options)
    return await pool.call_alone(read, body, *more, **options)


async def read_form(request: Request, pool: Scheduler) -> dict[str, list[str]]:
    """The values of each field of a form; files count as empty. Raises BadRequest."""
    if is_form(request):
        return await parse(fields_of_form, await request.body(), pool)
    fields: dict[str, list[str]] = {}
    for name, value in (await request.form()).multi_items():  # multipart; few fields
        fields.setdefault(name, []).append(value if isinstance(value, str) else "")
    return fields


def is_form(request: Request) -> bool:
    """Whether the body is a URL-encoded form."""
    return request.headers.get("content-type", "").startswith("application/x-www-form-urlencoded")


def fields_of_form(body: bytes) -> dict[str, list[str]]:
    """The values of each field of a URL-encoded form. Raises BadRequest."""
    try:
        pairs = parse_qsl(body.decode("latin-1"), keep_blank_values=True, max_num_fields=MAX_FIELDS)
    except ValueError:
        raise BadRequest(f"the form has more than {MAX_FIELDS:,} fields", hint="ask for less at once") from None
    fields: dict[str, list[str]] = {}
    for name, value in pairs:
        fields.setdefault(name, []).append(value)
    return fields
