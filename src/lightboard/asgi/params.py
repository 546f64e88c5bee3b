"""Bodies and queries on their way in: bytes to models, with errors a person can act on."""

from typing import TypeVar
from urllib.parse import parse_qsl

from pydantic import BaseModel, ValidationError
from starlette.requests import Request

from lightboard.errors import BadRequest

M = TypeVar("M", bound=BaseModel)


async def read_body(request: Request, model: type[M]) -> M:
    """The JSON body as `model`.

    Raises:
        BadRequest: it is not JSON or not of that shape; the message names the first wrong field.
    """
    return parsed(await request.body(), model)


async def read_body_or_form(request: Request, model: type[M]) -> M:
    """The JSON body as `model`, or the JSON in the field `question` of a form.

    Only what answers a form is saved by browsers while it comes, without being held in memory first.

    Raises:
        BadRequest: as `read_body`.
    """
    body = await request.body()
    if request.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
        body = dict(parse_qsl(body, keep_blank_values=True)).get(b"question", b"")
    return parsed(body, model)


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
    try:
        return model.model_validate(dict(request.query_params))
    except ValidationError as error:
        raise BadRequest(explain(error), hint="/api/v1/openapi.json describes the parameters") from None


def explain(error: ValidationError) -> str:
    """The first thing wrong, with its place: "charts.0.px: Input should be ..."."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    return f"{place}: {first['msg']}" if place else first["msg"]
