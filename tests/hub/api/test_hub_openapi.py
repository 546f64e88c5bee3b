"""The OpenAPI document of the hub."""

import json
import pathlib

from lightboard.hub.api.app import create_api, openapi

FILE = pathlib.Path(__file__).resolve().parents[3] / "docs" / "hub-openapi.json"


def test_the_committed_document_is_current() -> None:
    """`make docs` writes it; the types of the console are generated from it."""
    assert json.loads(FILE.read_text("utf-8")) == json.loads(json.dumps(openapi(create_api())))
