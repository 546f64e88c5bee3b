"""Writes docs/openapi.json from the route table and the models. A test fails when the file is stale."""

from pathlib import Path

from lightboard.board.api import every_endpoint
from lightboard.board.openapi import document_json

TARGET = Path(__file__).resolve().parents[1] / "docs" / "openapi.json"

if __name__ == "__main__":
    TARGET.write_text(document_json(every_endpoint()), encoding="utf-8")
    print(TARGET.relative_to(Path.cwd()) if TARGET.is_relative_to(Path.cwd()) else TARGET)
