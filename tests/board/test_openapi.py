"""The OpenAPI document of the board."""

import json
import pathlib

from lightboard.board.api import every_endpoint
from lightboard.board.openapi import document, document_json

FILE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "openapi.json"


def test_the_committed_document_of_the_board_is_current() -> None:
    """`make docs` writes it."""
    assert FILE.read_text(encoding="utf-8") == document_json(every_endpoint())


def test_every_endpoint_is_described_with_its_errors() -> None:
    """Method, path, and the error shape."""
    made = document(every_endpoint())
    described = {(method.upper(), path) for path, methods in made["paths"].items() for method in methods}
    shapes = {
        response["content"]["application/json"]["schema"]["$ref"]
        for methods in made["paths"].values()
        for operation in methods.values()
        for status, response in operation["responses"].items()
        if status >= "400"
    }

    assert described == {(endpoint.method, endpoint.path) for endpoint in every_endpoint()}
    assert shapes == {"#/components/schemas/ErrorResponse"}


def test_every_reference_resolves() -> None:
    """No dangling $ref."""
    text = document_json(every_endpoint())
    made = json.loads(text)
    references = {piece.split('"')[0] for piece in text.split('"#/components/schemas/')[1:]}

    assert references <= set(made["components"]["schemas"])
