"""Bodies and queries on their way in: bytes to models, with errors a person can act on."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from pydantic import BaseModel, ValidationError
from starlette.requests import Request

from lightboard.asgi.bodies import LARGEST_INLINE, fields_of_form, is_form, parse
from lightboard.asgi.scheduler import Scheduler
from lightboard.errors import BadRequest, OverBudget

M = TypeVar("M", bound=BaseModel)
Item = TypeVar("Item")


MOST_MARKS = 100_000
"""Objects, lists and fields of a body: each costs the parser microseconds in which nothing else is done."""

MOST_ITEMS = 700_000
"""And so many items of all its lists, which is what a body of run ids or rows with six digits has room for."""


async def read_body(request: Request, model: type[M], pool: Scheduler) -> M:
    """The JSON body as `model`.

    Raises:
        BadRequest: it is not JSON or not of that shape; the message names the first wrong field.
        OverBudget: it would take too long to be read.
    """
    body = await request.body()
    if len(body) > LARGEST_INLINE:
        need_few_parts(body)
    return await parse(parsed, body, pool, model)


def need_few_parts(body: bytes) -> None:
    """Raises OverBudget for JSON that would take long to be read, by counting its marks, also those in texts."""
    if sum(map(body.count, (b"{", b"[", b":"))) > MOST_MARKS:
        raise OverBudget(f"the body has over {MOST_MARKS:,} objects, lists and fields", hint="ask for less at once")
    if body.count(b",") > MOST_ITEMS:
        raise OverBudget(f"the lists of the body have over {MOST_ITEMS:,} items", hint="ask for less at once")


async def read_body_or_form(request: Request, model: type[M], pool: Scheduler) -> M:
    """The JSON body as `model`, or the JSON in the field `question` of a form.

    Only what answers a form is saved by browsers while it comes, without being held in memory first.

    Raises:
        BadRequest: as `read_body`.
    """
    read = parsed_form if is_form(request) else parsed
    return await parse(read, await request.body(), pool, model)


def parsed_form(body: bytes, model: type[M]) -> M:
    """The JSON in the field `question` of a form as `model`. Raises BadRequest."""
    *_, question = fields_of_form(body).get("question") or [""]
    return parsed(question.encode("utf-8", "surrogatepass"), model)


def parsed(body: bytes, model: type[M]) -> M:
    """JSON as `model`. Raises BadRequest."""
    try:
        return model.model_validate_json(body or b"null")
    except ValidationError as error:
        raise BadRequest(explain(error), hint="/api/v1/openapi.json describes the body") from None


def need_json(request: Request) -> None:
    """Raises BadRequest unless the body says that it is JSON: a form of another site cannot say so unasked."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise BadRequest("the body must be JSON and say so", hint="send the header Content-Type: application/json")


def read_query(request: Request, model: type[M]) -> M:
    """The query string as `model`; of a repeated parameter the last one counts.

    Raises:
        BadRequest: a parameter is missing, unknown or wrong; the message names the first one.
    """
    return query_as(dict(request.query_params), model)


def query_as(given: Mapping[str, str], model: type[M]) -> M:
    """Parameters as `model`. Raises BadRequest as `read_query`."""
    try:
        return model.model_validate(given)
    except ValidationError as error:
        raise BadRequest(explain(error), hint="/api/v1/openapi.json describes the parameters") from None


LONGEST_PLACE = 200
"""So much of a wrong name is said back."""


def explain(error: ValidationError) -> str:
    """The first thing wrong, with its place: "charts.0.px: Input should be ..."."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    place = ".".join(str(part)[:LONGEST_PLACE] for part in first["loc"])
    return f"{place}: {first['msg']}" if place else first["msg"]


def page_of(items: Sequence[Item], offset: int, limit: int | None) -> Sequence[Item]:
    """At most `limit` items, None for all, after the first `offset`."""
    return items[offset : None if limit is None else offset + limit]
