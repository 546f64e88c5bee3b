"""A response with a file that is open already, so that it is complete although the file is deleted meanwhile."""

import os
from pathlib import Path

from starlette.responses import FileResponse
from starlette.types import Receive, Scope, Send


class OpenFileResponse(FileResponse):
    """As FileResponse, with ranges and all. Raises FileNotFoundError when it is made, and never later. Linux only."""

    def __init__(self, path: Path, *, media_type: str, filename: str) -> None:
        self._file = path.open("rb")  # freed with the response, if that is never sent
        fd = self._file.fileno()
        super().__init__(f"/proc/self/fd/{fd}", media_type=media_type, filename=filename, stat_result=os.fstat(fd))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends the file, once."""
        with self._file:
            await super().__call__(scope, receive, send)
