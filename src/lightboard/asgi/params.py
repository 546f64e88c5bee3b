"""Parses request bodies and queries into models, with helpful error messages."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from pydantic import BaseModel, ValidationError
from starlette.requests import Request

from lightboard.asgi.bodies import MAX_INLINE_BYTES, fields_of_form, is_form, parse
from lightboard.asgi.scheduler import Scheduler
from lightboard.errors import BadRequest, OverBudget

M = TypeVar("M", bound=BaseModel)
Item = TypeVar("Item")


MAX_MARKS = 100_000
"""Limit of objects, lists and fields of a body: parsing each takes microseconds and holds the interpreter lock."""

MAX_ITEMS = 700_000
"""Limit of items of all lists, enough for a full body of run ids or rows with six digits."""


async def read_body(request: Request, model: type[M], pool: Scheduler) -> M:
    """The JSON body as `model`.

    Raises:
        BadRequest: it is not JSON or does not match the model; the message names the first invalid field.
        OverBudget: it would take too long to parse.
    """
    body = await request.body()
    if len(body) > MAX_INLINE_BYTES:
        check_complexity(body)
    return await parse(parse_model, body, pool, model)


def check_complexity(body: bytes) -> None:
    """Raise OverBudget for JSON that would take long to parse, estimated by counting its punctuation."""
    if sum(map(body.count, (b"{", b"[", b":"))) > MAX_MARKS:
        raise OverBudget(f"the body has over {MAX_MARKS:,} objects, lists and fields", hint="ask for less at once")
    if body.count(b",") > MAX_ITEMS:
        raise OverBudget(f"the lists of the body have over {MAX_ITEMS:,} items", hint="ask for less at once")


async def read_body_or_form(request: Request, model: type[M], pool: Scheduler) -> M:
    """The JSON body as `model`, or the JSON in the field `question` of a form.

    Browsers stream only responses to forms to disk. Others are held in memory first.

    Raises:
        BadRequest: as `read_body`.
    """
    read = parse_form_model if is_form(request) else parse_model
    return await parse(read, await request.body(), pool, model)


def parse_form_model(body: bytes, model: type[M]) -> M:
    """The JSON in the field `question` of a form as `model`. Raises BadRequest."""
    *_, question = fields_of_form(body).get("question") or [""]
    return parse_model(question.encode("utf-8", "surrogatepass"), model)


def parse_model(body: bytes, model: type[M]) -> M:
    """JSON as `model`. Raises BadRequest."""
    try:
        return model.model_validate_json(body or b"null")
    except ValidationError as error:
        raise BadRequest(explain(error), hint="/api/v1/openapi.json describes the body") from None


def need_json(request: Request) -> None:
    """Raise BadRequest unless Content-Type is JSON, which forms of other sites cannot send without a preflight."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise BadRequest("the Content-Type of the body must be JSON", hint="send Content-Type: application/json")


def read_query(request: Request, model: type[M]) -> M:
    """The query string as `model`. Of a repeated parameter the last value is used.

    Raises:
        BadRequest: a parameter is missing, unknown or invalid; the message names the first one.
    """
    return query_as(dict(request.query_params), model)


def query_as(params: Mapping[str, str], model: type[M]) -> M:
    """Parameters as `model`. Raises BadRequest as `read_query`."""
    try:
        return model.model_validate(params)
    except ValidationError as error:
        raise BadRequest(explain(error), hint="/api/v1/openapi.json describes the parameters") from None


MAX_NAME_CHARS = 200
"""Characters of an unknown name that are repeated in the message."""


def explain(error: ValidationError) -> str:
    """The first error with its field: "charts.0.px: Input should be ..."."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    field = ".".join(str(part)[:MAX_NAME_CHARS] for part in first["loc"])
    return f"{field}: {first['msg']}" if field else first["msg"]


def page_of(items: Sequence[Item], offset: int, limit: int | None) -> Sequence[Item]:
    """At most `limit` items (None: all) after the first `offset`."""
    return items[offset : None if limit is None else offset + limit]
