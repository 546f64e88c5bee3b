"""Bodies on their way in, without models: long ones are read in a thread, so that the event loop waits for none.

Not here: which shape a body has (`asgi.params`), how long it may be (`asgi.body_limit`).
"""

from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar
from urllib.parse import parse_qsl

from starlette.requests import Request

from lightboard.asgi.scheduler import Scheduler
from lightboard.errors import BadRequest

P = ParamSpec("P")
T = TypeVar("T")

LARGEST_INLINE = 16 << 10
"""Bytes of a body that are read on the event loop, in a fraction of a millisecond."""

MOST_FIELDS = 20_000
"""Of a form."""


async def parse(
    read: Callable[Concatenate[bytes, P], T], body: bytes, pool: Scheduler, *more: P.args, **options: P.kwargs
) -> T:
    """`read(body, ...)`, in a thread unless the body is short; long ones one after another."""
    if len(body) <= LARGEST_INLINE:
        return read(body, *more, **options)
    return await pool.call_alone(read, body, *more, **options)


async def read_form(request: Request, pool: Scheduler) -> dict[str, list[str]]:
    """The fields of a form, each with its values; files count as empty. Raises BadRequest."""
    if is_form(request):
        return await parse(fields_of_form, await request.body(), pool)
    fields: dict[str, list[str]] = {}
    for name, value in (await request.form()).multi_items():  # parts of a body that names them; there are few
        fields.setdefault(name, []).append(value if isinstance(value, str) else "")
    return fields


def is_form(request: Request) -> bool:
    """Are there fields in the body, written as in an address?"""
    return request.headers.get("content-type", "").startswith("application/x-www-form-urlencoded")


def fields_of_form(body: bytes) -> dict[str, list[str]]:
    """The fields of such a form. Raises BadRequest."""
    try:
        pairs = parse_qsl(body.decode("latin-1"), keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError:
        raise BadRequest(f"the form has more than {MOST_FIELDS:,} fields", hint="ask for less at once") from None
    fields: dict[str, list[str]] = {}
    for name, value in pairs:
        fields.setdefault(name, []).append(value)
    return fields
