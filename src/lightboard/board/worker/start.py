"""The life of a worker: it is told who it is, serves, and ends with whoever started it."""

import asyncio
import json
import os
import sys
import threading
from collections.abc import Callable

from pydantic import ValidationError

from lightboard.asgi.ending import end_on_signals
from lightboard.asgi.guard import Guard
from lightboard.asgi.server import GRACE_SECS, serve_app
from lightboard.asgi.thread_pool import AsyncThreadPool
from lightboard.board.app import create_shared
from lightboard.board.ports import listen
from lightboard.board.start import leave
from lightboard.board.worker.auth import WorkerAuth
from lightboard.board.worker.boards import Boards
from lightboard.board.worker.control import Control, create_control
from lightboard.board.worker.engines import Engines
from lightboard.config import BoardSettings
from lightboard.errors import UsageError
from lightboard.ingest.reader import MAX_THREADS
from lightboard.ingest.thread_pool import ThreadPool
from lightboard.schema.worker import WorkerBody, WorkerReady

SLOW_THREADS = 8
"""So many storages may be waited for at once; a ninth that does not answer waits for the others."""


def main() -> None:
    """Serves until it is told to stop, or standard input ends: whoever started it is gone then."""
    try:
        body = WorkerBody.model_validate_json(sys.stdin.buffer.readline())
    except ValidationError as error:
        # Not the error itself: it would show what was sent, and that is a secret.
        sys.exit(f"a worker is started by a launcher, with one line of JSON ({error.error_count()} fields are wrong)")
    try:
        serve_worker(body)
    except UsageError as error:
        sys.exit(error.message)
    except KeyboardInterrupt:
        pass
    leave()


def serve_worker(body: WorkerBody) -> None:
    """Answers until the end. Raises UsageError where the host cannot be used."""
    end_on_signals()
    listening = listen(BoardSettings(host=body.host, port=0))
    shared, slow = create_shared(), AsyncThreadPool(SLOW_THREADS)
    boards = Boards(Engines(slow, ThreadPool(MAX_THREADS)), shared)
    control = create_control(Control(body.id, boards, slow))
    ready = WorkerReady(id=body.id, port=listening.port, pid=os.getpid())
    app = Guard(WorkerAuth(control, boards, body.secret), None)
    serve_app(app, WorkerService(boards, slow, ready), listening.sockets)


class WorkerService:
    """See `asgi.server.Service`."""

    def __init__(self, boards: Boards, slow: AsyncThreadPool, ready: WorkerReady) -> None:
        self.boards = boards
        self.slow = slow
        self.ready = ready

    def begin(self, stop: Callable[[], None]) -> None:
        """Says that it can be asked, and listens whether anybody is there."""
        loop = asyncio.get_running_loop()
        threading.Thread(target=outlive_nobody, args=(loop, stop), name="lightboard-hub", daemon=True).start()
        self.boards.shared.pool.run(self.boards.shared.api.load)
        print(json.dumps(self.ready.model_dump()), flush=True)

    def close(self) -> None:
        """Ends all streams."""
        self.boards.close()

    def end(self) -> None:
        """Keeps what has to be kept, and ends everything else."""
        self.boards.end()
        self.boards.shared.pool.close()
        self.slow.close()


def outlive_nobody(loop: asyncio.AbstractEventLoop, stop: Callable[[], None]) -> None:
    """Waits for the end of standard input, then for a good end, and makes one if it does not come."""
    while os.read(0, 4096):
        pass
    loop.call_soon_threadsafe(stop)
    threading.Event().wait(5 * GRACE_SECS)
    os._exit(1)
