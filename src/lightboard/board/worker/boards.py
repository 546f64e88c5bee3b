"""The boards of one worker: their requested and current state. Used in the event loop only."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace

from starlette.types import ASGIApp

from lightboard.board.app import create_board, create_routes, mount_board
from lightboard.board.board import Board, Shared
from lightboard.board.color_slots import ColorSlotStore
from lightboard.board.lazy_projector import LazyProjector
from lightboard.board.responses import JsonResponses
from lightboard.board.worker.engines import Engine, Engines
from lightboard.board.worker.log import Log
from lightboard.board.worker.shared_annotations import SharedAnnotationStore, SharedAnnotationStores
from lightboard.config import BoardSettings
from lightboard.errors import Conflict, LaunchError
from lightboard.query.provider import CatalogProvider
from lightboard.schema.worker import BoardBody, BoardProgress, BoardState
from lightboard.types import UNREACHABLE

WAIT_SECS = 0.25
"""How long a request waits for a board to open before it returns that the board is starting."""

CONTROL = "/control"
"""The path of the control API; no board may have it."""


MAX_PREFIX_CHARS = 300
"""Limit of prefixes, so that very long paths are not searched."""


class HostedBoard:
    """One board.

    `requested` is the latest request, `body` the one being served. They differ while the board is opening.
    """

    def __init__(self, requested: BoardBody) -> None:
        self.requested = requested
        self.body = requested
        self.log = Log()
        self.board: Board | None = None
        self.app: ASGIApp | None = None
        self.engine: Engine | None = None
        self.annotations: SharedAnnotationStore | None = None
        self.opening: asyncio.Task[None] | None = None
        self.failure: LaunchError | None = None
        self.slot_store: ColorSlotStore | None = None
        self.stop_storing: Callable[[], None] = lambda: None

    @property
    def id(self) -> str:
        """The id of the board on the hub."""
        return self.requested.id


class Boards:
    """The boards of a worker by id and by prefix."""

    def __init__(self, engines: Engines, shared: Shared) -> None:
        self.engines = engines
        self.shared = shared
        self.annotation_stores = SharedAnnotationStores()
        self.routes = create_routes(shared)
        self.by_id: dict[str, HostedBoard] = {}
        self.by_prefix: dict[str, HostedBoard] = {}

    def at(self, path: str) -> HostedBoard | None:
        """The board with the longest prefix of a request path."""
        end = min(len(path), MAX_PREFIX_CHARS + 1)
        while end > 0:
            hosted = self.by_prefix.get(path[:end])
            if hosted is not None:
                return hosted
            end = path.rfind("/", 0, end)
        return None

    async def put(self, body: BoardBody) -> HostedBoard:
        """Create or change the board so that it matches `body`. Open pages stay open.

        Waits only a moment; slow boards continue to open in the background.

        Raises:
            LaunchError: the board cannot be opened. A new board is removed, an existing one keeps its old state.
            Conflict: there is a newer version, or another board with this prefix.
        """
        hosted = self.by_id.get(body.id)
        if hosted is None or body.version != hosted.requested.version or hosted.failure is not None:
            hosted = self._request(hosted, body)
        if hosted.opening is not None:
            await asyncio.wait([hosted.opening], timeout=WAIT_SECS)
        if hosted.failure is None:
            return hosted
        failure = hosted.failure
        if hosted.engine is None:
            if self.by_id.get(hosted.id) is hosted:
                self.remove(hosted.id)
        else:
            hosted.failure, hosted.requested = None, hosted.body
        raise failure

    def _request(self, hosted: HostedBoard | None, body: BoardBody) -> HostedBoard:
        neighbour = self.by_prefix.get(body.prefix)
        if neighbour is not None and neighbour is not hosted:
            raise Conflict(f"there is another board at {body.prefix}")
        if body.prefix == CONTROL or body.prefix.startswith(f"{CONTROL}/"):
            raise Conflict(f"{body.prefix} is reserved")
        if hosted is None:
            hosted = self.by_id[body.id] = self.by_prefix[body.prefix] = HostedBoard(body)
            hosted.log.say(f"starting board {body.id}, version {body.version}")
        elif body.version < hosted.requested.version:
            raise Conflict(f"version {hosted.requested.version} of this board already exists")
        elif body.prefix != hosted.requested.prefix:
            raise Conflict("the prefix of a board cannot change")
        else:
            hosted.log.say(f"changing to version {body.version}")
        if hosted.opening is not None:
            hosted.opening.cancel()
        hosted.requested, hosted.failure = body, None
        hosted.opening = asyncio.create_task(self._open(hosted, body))
        return hosted

    async def _open(self, hosted: HostedBoard, body: BoardBody) -> None:
        """Open the sources of `body` and show them, or store the failure."""
        annotations = hosted.annotations
        if annotations is None or annotations.path != body.overlay:
            annotations = self.annotation_stores.open(body.overlay, hosted.log, self._publisher(hosted))
        engine: Engine | None = None
        try:
            content = await self.shared.pool.call(annotations.read)
            engine = await self.engines.acquire(body.sources, body.reload_secs, content.slots)
            slot_store = await self.shared.pool.call(ColorSlotStore, engine.catalog, annotations)
        except BaseException as error:
            if engine is not None:
                self.engines.release(engine)
            if annotations is not hosted.annotations:
                self.annotation_stores.close(annotations, hosted.log)
            if isinstance(error, asyncio.CancelledError):
                raise
            hosted.failure = failure_of(error)
            hosted.log.say(f"failed: {hosted.failure.message}")
        else:
            self._show(hosted, body, engine, annotations, slot_store)
        hosted.opening = None

    def _publisher(self, hosted: HostedBoard) -> Callable[[int], None]:
        """A thread-safe function that publishes edits of annotations to the pages of the board."""
        loop = asyncio.get_running_loop()

        def publish(revision: int) -> None:
            if hosted.board is not None:
                with suppress(RuntimeError):  # the loop was closed
                    loop.call_soon_threadsafe(hosted.board.changes.publish_annotations, revision)

        return publish

    def _show(
        self,
        hosted: HostedBoard,
        body: BoardBody,
        engine: Engine,
        annotations: SharedAnnotationStore,
        slot_store: ColorSlotStore,
    ) -> None:
        """Switch to the new state atomically: each request sees the old logs or the new ones."""
        before, engine_before, annotations_before = hosted.board, hosted.engine, hosted.annotations
        settings = settings_of(body, engine)
        provider = CatalogProvider(engine.catalog, settings)
        if before is None:
            hosted.board = create_board(provider, settings, annotations, shared=self.shared)
        else:
            hosted.board = replace(
                before,
                provider=provider,
                settings=settings,
                annotations=annotations,
                projector=LazyProjector(provider),
                responses=JsonResponses(self.shared.pool, self.shared.cache),
            )
            if engine is not engine_before:
                hosted.board.changes.follow(provider)
            hosted.board.changes.publish_annotations(annotations.read().revision)
        hosted.app = mount_board(hosted.board, self.routes)
        hosted.engine, hosted.annotations, hosted.body = engine, annotations, body
        hosted.log.say(f"running with {engine.location}")
        if engine is not engine_before:
            engine.log_buffer.open(hosted.log)
        self._stop_storing(hosted)
        hosted.slot_store, hosted.stop_storing = (
            slot_store,
            slot_store.start(asyncio.get_running_loop(), self.shared.pool),
        )
        self._release(hosted, before, engine_before, annotations_before)

    def _stop_storing(self, hosted: HostedBoard) -> None:
        hosted.stop_storing()
        if hosted.slot_store is not None:
            self.shared.pool.run(hosted.slot_store.store)

    def _release(
        self, hosted: HostedBoard, board: Board | None, engine: Engine | None, store: SharedAnnotationStore | None
    ) -> None:
        """Release resources that a board no longer uses."""
        if board is not None:
            board.projector.close()
        if engine is not None:
            if engine is not hosted.engine:
                engine.log_buffer.close(hosted.log)
            self.engines.release(engine)  # also if it is the same engine, which was acquired twice
        if store is not None and store is not hosted.annotations:
            self.annotation_stores.close(store, hosted.log)

    def remove(self, id: str) -> None:
        """Remove the board, if it exists."""
        hosted = self.by_id.pop(id, None)
        if hosted is None:
            return
        del self.by_prefix[hosted.requested.prefix]
        if hosted.opening is not None:
            hosted.opening.cancel()
        if hosted.board is not None:
            hosted.board.changes.close()
        board, engine, annotations = hosted.board, hosted.engine, hosted.annotations
        hosted.board = hosted.app = hosted.engine = hosted.annotations = None
        self._stop_storing(hosted)
        self._release(hosted, board, engine, annotations)

    def close(self) -> None:
        """End all streams of all boards."""
        for hosted in self.by_id.values():
            if hosted.board is not None:
                hosted.board.changes.close()

    def end(self) -> None:
        """Store slots and stop background work."""
        for hosted in self.by_id.values():
            hosted.stop_storing()
            if hosted.slot_store is not None:
                hosted.slot_store.store()
            if hosted.board is not None:
                hosted.board.projector.close()


CONSOLE = "../../"
"""The relative URL from `<hub>/tb/<id>/` to the page of the hub."""


def settings_of(body: BoardBody, engine: Engine) -> BoardSettings:
    """The settings of a board, without those that do not apply in a worker."""
    return BoardSettings(
        logdir=engine.location,
        path_prefix=body.prefix,
        window_title=body.title,
        reload_secs=body.reload_secs,
        console=CONSOLE,
    )


def failure_of(error: BaseException) -> LaunchError:
    """The LaunchError of an exception. Messages of unexpected exceptions are not passed on."""
    if isinstance(error, LaunchError):
        return error
    if isinstance(error, OSError):
        return LaunchError(f"cannot be read: {error.strerror or type(error).__name__}", reason=UNREACHABLE)
    return LaunchError(f"something failed inside the worker ({type(error).__name__})")


def states_of(hosted: Sequence[HostedBoard]) -> list[BoardState]:
    """The states of boards. Slow, so do not call it in the event loop."""
    details: dict[str, tuple[BoardProgress, int, tuple[str, str]]] = {}
    states = []
    for board in hosted:
        engine = board.engine
        if engine is not None and engine.key not in details:
            details[engine.key] = engine.progress(), engine.totals().memory_bytes, engine.problem()
        states.append(state_of(board, details[engine.key] if engine is not None else None))
    return states


def state_of(hosted: HostedBoard, details: tuple[BoardProgress, int, tuple[str, str]] | None) -> BoardState:
    """The state of one board, given the state of its engine."""
    failure, (progress, memory_bytes, (reason, message)) = hosted.failure, details or (None, 0, ("", ""))
    if failure is not None:
        reason, message = failure.reason, failure.message
    return BoardState(
        id=hosted.id,
        version=hosted.body.version,
        state="running" if details else "failed" if failure else "starting",
        reason=reason,
        message=message,
        engine=hosted.engine.key if hosted.engine else "",
        progress=progress,
        memory_bytes=memory_bytes,
    )
