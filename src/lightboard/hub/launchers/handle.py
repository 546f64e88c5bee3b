"""Handles of local boards. They contain no secret: the key of the hub is needed to use them."""

import hmac
import json
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from lightboard.schema.worker import BoardId, BoardState


class Handle(BaseModel):
    """A board, its worker, and the worker's address."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    worker: BoardId
    url: Annotated[str, Field(pattern=r"^http://[A-Za-z0-9.:\[\]-]+$", max_length=300)]
    pid: Annotated[int, Field(ge=0)]
    board: BoardId
    version: Annotated[int, Field(ge=0)]

    def text(self) -> str:
        """The handle as stored text."""
        return json.dumps(self.model_dump(), separators=(",", ":"))


def parse(text: str) -> Handle | None:
    """Parses a handle; None if it is invalid."""
    try:
        return Handle.model_validate_json(text)
    except ValidationError:
        return None


def handle_of(state: BoardState, worker: str, url: str, pid: int) -> str:
    """The handle of a board from the response of its worker."""
    return Handle(worker=worker, url=url, pid=pid, board=state.id, version=state.version).text()


def secret_of(key: bytes, worker: str) -> str:
    """The secret that authenticates a hub with this key to this worker only."""
    return hmac.new(key, worker.encode(), "sha256").hexdigest()
