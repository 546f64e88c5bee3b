"""A reconciler that tests step by hand, over a scripted launcher."""

import pathlib
from typing import Any

from lightboard.hub import lifecycle
from lightboard.hub.db import tensorboards
from lightboard.hub.launchers.memory import MemoryLauncher
from lightboard.hub.reconcile import Reconciler
from lightboard.hub.resources.sources import Source
from lightboard.hub.resources.tensorboards import Tensorboard
from lightboard.hub.source_resolver import SourceResolver
from support.personas import START_TIME, Personas, folder_source


class ReconcilerHarness:
    """A hub without HTTP: personas, log folders, a scripted launcher, and a first replica, `reconciler`."""

    def __init__(self, personas: Personas, folder: pathlib.Path) -> None:
        self.personas = personas
        self.database = personas.database
        self.logs = folder / "logs"
        self.logs.mkdir()
        self.source_resolver = SourceResolver(folder / "hub")
        personas.bind(str(self.logs))
        self.launcher = MemoryLauncher()
        self._made: list[Reconciler] = []
        self.reconciler = self.add_replica("first")

    def add_replica(self, name: str, launcher: MemoryLauncher | None = None) -> Reconciler:
        """The reconciler of another hub process."""
        made = Reconciler(self.database, launcher or self.launcher, self.source_resolver.board_spec, replica=name)
        self._made.append(made)
        return made

    def create_logs(self, name: str = "runs", **fields: Any) -> Source:
        """A source over a new folder below the root."""
        (self.logs / name).mkdir(exist_ok=True)
        return folder_source(str(self.logs / name), **fields)

    def create_board(self, at: float = START_TIME, **fields: Any) -> Tensorboard:
        """A board over such a source."""
        return self.personas.create_board(at=at, **{"sources": (self.create_logs(),), **fields})

    def create_running_board(self, **fields: Any) -> Tensorboard:
        """A board that runs since START_TIME."""
        board = self.create_board(**fields)
        self.reconciler.step(START_TIME)
        self.reconciler.step(START_TIME)
        return self.reload(board)

    def reload(self, board: Tensorboard) -> Tensorboard:
        """The current state of a board."""
        with self.database.read() as session:
            kept = tensorboards.get_unchecked(session, board.id)
        assert kept is not None
        return kept

    def apply_event(self, board: Tensorboard, event: lifecycle.Event, at: float = START_TIME) -> None:
        """Apply an event as the administrator."""
        with self.database.write() as session:
            tensorboards.apply_event(session, self.personas.admin, board.id, "tensorboards.get", event, at)

    def history(self, board: Tensorboard) -> list[tuple[str, str]]:
        """Status and reason of each transition."""
        with self.database.read() as session:
            return [
                (step.status.value, step.reason)
                for step in tensorboards.history(session, self.personas.admin, board.id)
            ]

    def close(self) -> None:
        """Stop all threads."""
        for reconciler in self._made:
            reconciler.close()
