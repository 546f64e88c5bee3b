"""The boards of one worker: what is wanted of each, what it shows, how it is. Belongs to the event loop."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace

from starlette.types import ASGIApp

from lightboard.board.app import Shared, create_board, create_place, create_routes
from lightboard.board.board import Board
from lightboard.board.lazy_projector import LazyProjector
from lightboard.board.slots import SlotKeeper
from lightboard.board.worker.engines import Engine, Engines
from lightboard.board.worker.log import Log
from lightboard.board.worker.overlays import Overlays, SharedOverlay
from lightboard.config import BoardSettings
from lightboard.errors import Conflict, LaunchError
from lightboard.query.provider import CatalogProvider
from lightboard.schema.worker import BoardBody, BoardProgress, BoardState
from lightboard.types import UNREACHABLE

PATIENCE_SECS = 0.25
"""So long a board may take to open before who asked is told that it is starting."""

CONTROL = "/control"
"""Where the hub talks to the worker; no board may lie there."""


MOST_PREFIX = 300
"""No prefix is longer, so that a path of a megabyte is not looked through."""


class Hosted:
    """One board. `wanted` is what was asked for last, `body` what is shown; both agree unless something is opening."""

    def __init__(self, wanted: BoardBody) -> None:
        self.wanted = wanted
        self.body = wanted
        self.log = Log()
        self.board: Board | None = None
        self.app: ASGIApp | None = None
        self.engine: Engine | None = None
        self.overlay: SharedOverlay | None = None
        self.opening: asyncio.Task[None] | None = None
        self.failure: LaunchError | None = None
        self.keeper: SlotKeeper | None = None
        self.stop_keeping: Callable[[], None] = lambda: None

    @property
    def id(self) -> str:
        """What the hub calls it."""
        return self.wanted.id


class Boards:
    """By id and by prefix. `shared` is what they need only once."""

    def __init__(self, engines: Engines, shared: Shared) -> None:
        self.engines = engines
        self.shared = shared
        self.overlays = Overlays()
        self.routes = create_routes(shared)
        self.by_id: dict[str, Hosted] = {}
        self.by_prefix: dict[str, Hosted] = {}

    def at(self, path: str) -> Hosted | None:
        """The board that a path of a request leads to: the longest prefix counts."""
        end = min(len(path), MOST_PREFIX + 1)
        while end > 0:
            hosted = self.by_prefix.get(path[:end])
            if hosted is not None:
                return hosted
            end = path.rfind("/", 0, end)
        return None

    async def put(self, body: BoardBody) -> Hosted:
        """Has the board as `body` says: made, changed under open pages, or left as it is if it is so already.

        Waits for a moment only; what takes longer goes on.

        Raises:
            LaunchError: it cannot be; a new board is gone again, an old one shows what it showed.
            Conflict: a newer version is here, or another board lies there.
        """
        hosted = self.by_id.get(body.id)
        if hosted is None or body.version != hosted.wanted.version or hosted.failure is not None:
            hosted = self._want(hosted, body)
        if hosted.opening is not None:
            await asyncio.wait([hosted.opening], timeout=PATIENCE_SECS)
        if hosted.failure is None:
            return hosted
        failure = hosted.failure
        if hosted.engine is None:
            if self.by_id.get(hosted.id) is hosted:
                self.remove(hosted.id)
        else:
            hosted.failure, hosted.wanted = None, hosted.body
        raise failure

    def _want(self, hosted: Hosted | None, body: BoardBody) -> Hosted:
        neighbour = self.by_prefix.get(body.prefix)
        if neighbour is not None and neighbour is not hosted:
            raise Conflict(f"another board lies at {body.prefix}")
        if body.prefix == CONTROL or body.prefix.startswith(f"{CONTROL}/"):
            raise Conflict(f"no board can lie at {body.prefix}")
        if hosted is None:
            hosted = self.by_id[body.id] = self.by_prefix[body.prefix] = Hosted(body)
            hosted.log.say(f"starting board {body.id}, version {body.version}")
        elif body.version < hosted.wanted.version:
            raise Conflict(f"version {hosted.wanted.version} of this board is here already")
        elif body.prefix != hosted.wanted.prefix:
            raise Conflict("the address of a board stays as it is")
        else:
            hosted.log.say(f"changing to version {body.version}")
        if hosted.opening is not None:
            hosted.opening.cancel()
        hosted.wanted, hosted.failure = body, None
        hosted.opening = asyncio.create_task(self._open(hosted, body))
        return hosted

    async def _open(self, hosted: Hosted, body: BoardBody) -> None:
        """Shows what `body` asks for, or notes why not."""
        overlay = hosted.overlay
        if overlay is None or overlay.path != body.overlay:
            overlay = self.overlays.take(body.overlay, hosted.log, self._teller(hosted))
        engine: Engine | None = None
        try:
            content = await self.shared.pool.call(overlay.read)
            engine = await self.engines.take(body.sources, body.reload_secs, content.slots)
            keeper = await self.shared.pool.call(SlotKeeper, engine.catalog, overlay)
        except BaseException as error:
            if engine is not None:
                self.engines.give_back(engine)
            if overlay is not hosted.overlay:
                self.overlays.give_back(overlay, hosted.log)
            if isinstance(error, asyncio.CancelledError):
                raise
            hosted.failure = failure_of(error)
            hosted.log.say(f"failed: {hosted.failure.message}")
        else:
            self._show(hosted, body, engine, overlay, keeper)
        hosted.opening = None

    def _teller(self, hosted: Hosted) -> Callable[[int], None]:
        """Passes an edit of the overlay on to the pages of the board, from any thread."""
        loop = asyncio.get_running_loop()

        def tell(revision: int) -> None:
            if hosted.board is not None:
                with suppress(RuntimeError):  # the loop has ended
                    loop.call_soon_threadsafe(hosted.board.changes.tell_overlay, revision)

        return tell

    def _show(
        self, hosted: Hosted, body: BoardBody, engine: Engine, overlay: SharedOverlay, keeper: SlotKeeper
    ) -> None:
        """All at once: a request sees the old logs or the new."""
        before, engine_before, overlay_before = hosted.board, hosted.engine, hosted.overlay
        settings = settings_of(body, engine)
        provider = CatalogProvider(engine.catalog, settings)
        if before is None:
            hosted.board = create_board(provider, settings, overlay, shared=self.shared)
        else:
            service = LazyProjector(provider)
            hosted.board = replace(before, provider=provider, settings=settings, overlay=overlay, projector=service)
            if engine is not engine_before:
                hosted.board.changes.follow(provider)
            hosted.board.changes.tell_overlay(overlay.read().revision)
        hosted.app = create_place(hosted.board, self.routes)
        hosted.engine, hosted.overlay, hosted.body = engine, overlay, body
        hosted.log.say(f"running with {engine.location}")
        if engine is not engine_before:
            engine.log_buffer.open(hosted.log)
        self._stop_keeping(hosted)
        hosted.keeper, hosted.stop_keeping = keeper, keeper.start(asyncio.get_running_loop(), self.shared.pool)
        self._drop(hosted, before, engine_before, overlay_before)

    def _stop_keeping(self, hosted: Hosted) -> None:
        hosted.stop_keeping()
        if hosted.keeper is not None:
            self.shared.pool.run(hosted.keeper.keep)

    def _drop(self, hosted: Hosted, board: Board | None, engine: Engine | None, overlay: SharedOverlay | None) -> None:
        """Gives back what a board no longer shows."""
        if board is not None:
            board.projector.close()
        if engine is not None:
            if engine is not hosted.engine:
                engine.log_buffer.close(hosted.log)
            self.engines.give_back(engine)  # also where it is the same: it was taken twice
        if overlay is not None and overlay is not hosted.overlay:
            self.overlays.give_back(overlay, hosted.log)

    def remove(self, id: str) -> None:
        """Ends the board; one that is not here is no fault."""
        hosted = self.by_id.pop(id, None)
        if hosted is None:
            return
        del self.by_prefix[hosted.wanted.prefix]
        if hosted.opening is not None:
            hosted.opening.cancel()
        if hosted.board is not None:
            hosted.board.changes.close()
        board, engine, overlay = hosted.board, hosted.engine, hosted.overlay
        hosted.board = hosted.app = hosted.engine = hosted.overlay = None
        self._stop_keeping(hosted)
        self._drop(hosted, board, engine, overlay)

    def close(self) -> None:
        """Ends all streams of all boards."""
        for hosted in self.by_id.values():
            if hosted.board is not None:
                hosted.board.changes.close()

    def end(self) -> None:
        """Writes what has to be kept, and ends what works in the background."""
        for hosted in self.by_id.values():
            hosted.stop_keeping()
            if hosted.keeper is not None:
                hosted.keeper.keep()
            if hosted.board is not None:
                hosted.board.projector.close()


CONSOLE = "../../"
"""From `<hub>/tb/<id>/` to the hub's own page, whatever stands before it."""


def settings_of(body: BoardBody, engine: Engine) -> BoardSettings:
    """The board's settings: everything that has no meaning inside a worker is left out."""
    return BoardSettings(
        logdir=engine.location,
        path_prefix=body.prefix,
        window_title=body.title,
        reload_secs=body.reload_secs,
        console=CONSOLE,
    )


def failure_of(error: BaseException) -> LaunchError:
    """Errors written for readers pass; of others only their kind is told."""
    if isinstance(error, LaunchError):
        return error
    if isinstance(error, OSError):
        return LaunchError(f"cannot be read: {error.strerror or type(error).__name__}", reason=UNREACHABLE)
    return LaunchError(f"something failed inside the worker ({type(error).__name__})")


def states_of(hosted: Sequence[Hosted]) -> list[BoardState]:
    """How these boards are. What costs time is asked once for each engine; not for the event loop."""
    known: dict[str, tuple[BoardProgress, int, tuple[str, str]]] = {}
    states = []
    for one in hosted:
        engine = one.engine
        if engine is not None and engine.key not in known:
            known[engine.key] = engine.progress(), engine.sums().memory_bytes, engine.problem()
        states.append(state_of(one, known[engine.key] if engine is not None else None))
    return states


def state_of(hosted: Hosted, known: tuple[BoardProgress, int, tuple[str, str]] | None) -> BoardState:
    """How one board is, with what is known of its engine."""
    failure, (progress, memory_bytes, (reason, message)) = hosted.failure, known or (None, 0, ("", ""))
    if failure is not None:
        reason, message = failure.reason, failure.message
    return BoardState(
        id=hosted.id,
        version=hosted.body.version,
        state="running" if known else "failed" if failure else "starting",
        reason=reason,
        message=message,
        engine=hosted.engine.key if hosted.engine else "",
        progress=progress,
        memory_bytes=memory_bytes,
    )
