"""The life cycle of a worker: it reads its configuration, serves, and stops with its parent process."""

import asyncio
import json
import os
import sys
import threading
from collections.abc import Callable

from pydantic import ValidationError

from lightboard.asgi.guard import Guard
from lightboard.asgi.server import GRACE_SECS, serve_app
from lightboard.asgi.signals import interrupt_on_signals
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
from lightboard.ingest.reader import DEFAULT_MAX_THREADS
from lightboard.ingest.thread_pool import ThreadPool
from lightboard.schema.worker import WorkerBody, WorkerReady

SLOW_THREADS = 8
"""Limit of operations on slow storages at once."""


def main() -> None:
    """Serve until a signal, or until standard input ends because the parent process has ended."""
    try:
        body = WorkerBody.model_validate_json(sys.stdin.buffer.readline())
    except ValidationError as error:
        # The error itself would show the input, which contains a secret.
        sys.exit(f"a worker is started by a launcher, with one line of JSON ({error.error_count()} fields are wrong)")
    try:
        serve_worker(body)
    except UsageError as error:
        sys.exit(error.message)
    except KeyboardInterrupt:
        pass
    leave()


def serve_worker(body: WorkerBody) -> None:
    """Serve until the end. Raises UsageError if the host cannot be used."""
    interrupt_on_signals()
    listening = listen(BoardSettings(host=body.host, port=0))
    shared, slow = create_shared(), AsyncThreadPool(SLOW_THREADS)
    boards = Boards(Engines(slow, ThreadPool(DEFAULT_MAX_THREADS)), shared)
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
        """Print that the worker is ready, and watch the parent process."""
        loop = asyncio.get_running_loop()
        threading.Thread(target=stop_with_parent, args=(loop, stop), name="lightboard-hub", daemon=True).start()
        self.boards.shared.pool.run(self.boards.shared.api.load)
        print(json.dumps(self.ready.model_dump()), flush=True)

    def close(self) -> None:
        """End all streams."""
        self.boards.close()

    def end(self) -> None:
        """Store slots and stop all threads."""
        self.boards.end()
        self.boards.shared.pool.close()
        self.slow.close()


def stop_with_parent(loop: asyncio.AbstractEventLoop, stop: Callable[[], None]) -> None:
    """Wait for the end of standard input, then stop gracefully, or exit after a timeout."""
    while os.read(0, 4096):
        pass
    loop.call_soon_threadsafe(stop)
    threading.Event().wait(5 * GRACE_SECS)
    os._exit(1)
