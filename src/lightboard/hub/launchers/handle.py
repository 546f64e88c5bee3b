"""What a local launcher writes down to find a board again: whoever has the key can ask its worker. Holds no secret."""

import hmac
import json
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from lightboard.schema.worker import BoardId, BoardState


class Handle(BaseModel):
    """Which board of which worker, and where that is."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    worker: BoardId
    url: Annotated[str, Field(pattern=r"^http://[A-Za-z0-9.:\[\]-]+$", max_length=300)]
    pid: Annotated[int, Field(ge=0)]
    board: BoardId
    version: Annotated[int, Field(ge=0)]

    def text(self) -> str:
        """As it is kept."""
        return json.dumps(self.model_dump(), separators=(",", ":"))


def parse(text: str) -> Handle | None:
    """The handle in a text; None where there is none."""
    try:
        return Handle.model_validate_json(text)
    except ValidationError:
        return None


def handle_of(state: BoardState, worker: str, url: str, pid: int) -> str:
    """The text for a board as its worker answered."""
    return Handle(worker=worker, url=url, pid=pid, board=state.id, version=state.version).text()


def secret_of(key: bytes, worker: str) -> str:
    """What lets a hub with this key into this worker, and into no other."""
    return hmac.new(key, worker.encode(), "sha256").hexdigest()
