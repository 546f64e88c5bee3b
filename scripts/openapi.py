"""Writes docs/openapi.json and docs/hub-openapi.json from the routes and models.

A test fails if a file is stale.
"""

import json
from pathlib import Path

from lightboard.board.api import every_endpoint
from lightboard.board.openapi import document_json
from lightboard.hub.api.app import create_api, openapi

DOCS = Path(__file__).resolve().parents[1] / "docs"


def documents() -> dict[str, str]:
    """The content of each file by its name."""
    hub = json.dumps(openapi(create_api()), indent=2, ensure_ascii=False, sort_keys=True) + "\n"
    return {"openapi.json": document_json(every_endpoint()), "hub-openapi.json": hub}


if __name__ == "__main__":
    for name, text in documents().items():
        (DOCS / name).write_text(text, encoding="utf-8")
        print(f"docs/{name}")
