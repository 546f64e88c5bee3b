"""Builds the OpenAPI document from the endpoints and their models."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaMode, models_json_schema

from lightboard import __version__
from lightboard.asgi.errors import CODES
from lightboard.board.endpoint import Endpoint
from lightboard.schema.changes import AnnotationsChange, Change
from lightboard.schema.error import ErrorResponse

REFERENCE = "#/components/schemas/{model}"


def document_json(endpoints: Iterable[Endpoint]) -> str:
    """The document as JSON with sorted keys, so that it is reproducible."""
    return json.dumps(document(tuple(endpoints)), indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def document(endpoints: tuple[Endpoint, ...]) -> dict[str, Any]:
    """The document as plain values."""
    schemas, components = schemas_of(endpoints)
    paths: dict[str, dict[str, Any]] = {}
    for endpoint in endpoints:
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = operation(endpoint, schemas, components)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Lightboard",
            "version": __version__,
            "description": "Reads TensorBoard event files. All addresses are below the path prefix of the server.",
        },
        "paths": paths,
        "components": {"schemas": components},
    }


Schemas = Mapping[tuple[Any, JsonSchemaMode], dict[str, Any]]


def schemas_of(endpoints: tuple[Endpoint, ...]) -> tuple[Schemas, dict[str, Any]]:
    """The schemas of all models, and their components."""
    models: list[tuple[type[BaseModel], JsonSchemaMode]] = [
        (ErrorResponse, "serialization"),
        (Change, "serialization"),
        (AnnotationsChange, "serialization"),
    ]
    for endpoint in endpoints:
        if not isinstance(endpoint.response, str):
            models.append((endpoint.response, "serialization"))
        models += [(model, "validation") for model in (endpoint.body, endpoint.query) if model]
    schemas, definitions = models_json_schema(list(dict.fromkeys(models)), ref_template=REFERENCE)
    return schemas, definitions["$defs"]


def operation(endpoint: Endpoint, schemas: Schemas, components: dict[str, Any]) -> dict[str, Any]:
    """One method of one path."""
    if isinstance(endpoint.response, str):
        content: dict[str, Any] = {media_type: {} for media_type in endpoint.response.split(", ")}
    else:
        content = {"application/json": {"schema": schemas[endpoint.response, "serialization"]}}
    failure = {"application/json": {"schema": schemas[ErrorResponse, "serialization"]}}
    responses: dict[str, Any] = {"200": {"description": "done", "content": content}}
    for status in sorted({*endpoint.errors, 403, 500}):
        responses[str(status)] = {"description": CODES[status][1], "content": failure}
    fields: dict[str, Any] = {
        "operationId": endpoint.handler.__name__,
        "summary": endpoint.summary,
        "responses": responses,
    }
    if endpoint.body:
        body = {"application/json": {"schema": schemas[endpoint.body, "validation"]}}
        fields["requestBody"] = {"required": True, "content": body}
    if endpoint.query:
        fields["parameters"] = parameters(schemas[endpoint.query, "validation"], components)
    return fields


def parameters(schema: dict[str, Any], components: dict[str, Any]) -> list[dict[str, Any]]:
    """The fields of a query model as parameters."""
    model = components[schema["$ref"].rpartition("/")[2]]
    required = model.get("required", [])
    return [
        {"name": name, "in": "query", "required": name in required, "schema": field}
        for name, field in model["properties"].items()
    ]
