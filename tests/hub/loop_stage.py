"""A loop that a test makes go, over a launcher that it moves by hand."""

import pathlib
from typing import Any

from cast import AT, Cast, folder

from lightboard.hub import lifecycle
from lightboard.hub.db import tensorboards
from lightboard.hub.launchers.memory import MemoryLauncher
from lightboard.hub.reconcile import Reconciler
from lightboard.hub.resources.sources import Source
from lightboard.hub.resources.tensorboards import Tensorboard
from lightboard.hub.source_resolver import SourceResolver


class Stage:
    """A hub without its HTTP half: people, folders with logs, a fake launcher, and one replica named `first`."""

    def __init__(self, cast: Cast, folder: pathlib.Path) -> None:
        self.cast = cast
        self.database = cast.database
        self.logs = folder / "logs"
        self.logs.mkdir()
        self.source_resolver = SourceResolver(folder / "hub")
        cast.bind(str(self.logs))
        self.launcher = MemoryLauncher()
        self._made: list[Reconciler] = []
        self.first = self.replica("first")

    def replica(self, name: str, launcher: MemoryLauncher | None = None) -> Reconciler:
        """Another process of the hub."""
        made = Reconciler(self.database, launcher or self.launcher, self.source_resolver.board_spec, replica=name)
        self._made.append(made)
        return made

    def place(self, name: str = "runs", **fields: Any) -> Source:
        """A folder with logs, below the allowed one."""
        (self.logs / name).mkdir(exist_ok=True)
        return folder(str(self.logs / name), **fields)

    def board(self, at: float = AT, **fields: Any) -> Tensorboard:
        """A new board over such a folder."""
        return self.cast.board(at=at, **{"sources": (self.place(),), **fields})

    def running(self, **fields: Any) -> Tensorboard:
        """A board that runs since AT."""
        board = self.board(**fields)
        self.first.step(AT)
        self.first.step(AT)
        return self.now(board)

    def now(self, board: Tensorboard) -> Tensorboard:
        """The board as it is."""
        with self.database.read() as session:
            kept = tensorboards.peek(session, board.id)
        assert kept is not None
        return kept

    def happen(self, board: Tensorboard, event: lifecycle.Event, at: float = AT) -> None:
        """Somebody asks for something."""
        with self.database.write() as session:
            tensorboards.apply_event(session, self.cast.admin, board.id, "tensorboards.get", event, at)

    def steps(self, board: Tensorboard) -> list[tuple[str, str]]:
        """Its history: status and reason."""
        with self.database.read() as session:
            return [
                (step.status.value, step.reason) for step in tensorboards.history(session, self.cast.admin, board.id)
            ]

    def close(self) -> None:
        """Ends the threads."""
        for reconciler in self._made:
            reconciler.close()
