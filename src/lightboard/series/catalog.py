"""All runs of a board and what changed when. The one place of this package with a lock.

Ingest publishes; everybody else takes snapshots that cost next to nothing and asks what changed since a generation.
Not here: files, decoding, the order of reading.
"""

import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Literal, NamedTuple, Protocol

from lightboard.errors import RunNotFound
from lightboard.series.asset import Asset
from lightboard.series.run import Run
from lightboard.series.slots import Slots
from lightboard.types import Progress

Live = Literal["watch", "poll", "once"]


class Nearby(NamedTuple):
    """A folder near an empty logdir that does hold runs."""

    path: str
    runs: int


class Changes(NamedTuple):
    """What became visible after a generation: ids of runs that changed or came; whether runs or tags came or went."""

    generation: int
    runs: tuple[int, ...]
    structure: bool
    loading: bool


class Keeper(Protocol):
    """Who fills the catalog, as the catalog's readers may ask it."""

    @property
    def live(self) -> Live: ...
    @property
    def live_reason(self) -> str: ...
    @property
    def loading(self) -> bool: ...
    def progress(self) -> Progress: ...
    def refresh(self) -> None: ...
    def nearest(self) -> list[Nearby]: ...
    def unreadable(self) -> dict[str, str]: ...
    def skipped_links(self) -> int: ...


class Catalog:
    """Runs by name and id. Ids and slots are given once per name in the order of admission and never reused.

    An id lives as long as the catalog. A slot may outlive it: `slots` are those that names had before, to be kept.
    Where one catalog may take the place of another on an open page, each begins at a `generation` of its own.
    """

    def __init__(self, slots: Mapping[str, int] | None = None, *, generation: int = 0) -> None:
        self._lock = threading.Lock()
        self._generation = generation
        self._structure_at = generation
        self._ids: dict[str, int] = {}
        self._slots = Slots(slots or {})
        self._by_id: dict[int, Run] = {}
        self._by_name: dict[str, Run] = {}
        self._changed: dict[int, int] = {}
        self._listed: list[Run] | None = []
        self._assets: tuple[Asset, ...] = ()
        self._callbacks: tuple[Callable[[int], None], ...] = ()
        self._keeper: Keeper | None = None

    # Reading

    @property
    def generation(self) -> int:
        """A counter that grows with every visible change."""
        return self._generation

    @property
    def structure_generation(self) -> int:
        """The generation at which runs, tags or assets last came or went."""
        return self._structure_at

    def runs(self) -> list[Run]:
        """All runs, by slot."""
        listed = self._listed
        if listed is None:
            with self._lock:
                listed = self._listed = sorted(self._by_id.values(), key=lambda run: run.slot)
        return listed.copy()

    def run(self, name: str) -> Run:
        """The run of that name. Raises `RunNotFound`."""
        found = self._by_name.get(name)
        if found is None:
            raise RunNotFound(f"no run {name!r}")
        return found

    def assets(self) -> tuple[Asset, ...]:
        """Files beside events that tell of data of their own, by path."""
        return self._assets

    def changed_at(self, run: Run) -> int:
        """The generation at which the run was last said to have changed; 0 if it is not here."""
        return self._changed.get(run.id, 0)

    def slots(self) -> dict[str, int]:
        """The slot of every name that ever had one, also of runs that are gone: what to hand to the next catalog."""
        with self._lock:
            return self._slots.given()

    @property
    def points(self) -> int:
        """Scalar points of all runs."""
        return sum(run.points for run in self.runs())

    def changes_since(self, generation: int) -> Changes:
        """What changed after `generation`; 0 gives everything."""
        runs: list[int] = []
        with self._lock:
            for run_id in reversed(self._changed):
                if self._changed[run_id] <= generation:
                    break
                runs.append(run_id)
            now, structure = self._generation, self._structure_at > generation
        return Changes(now, tuple(sorted(runs)), structure, self.loading)

    def subscribe(self, callback: Callable[[int], None]) -> Callable[[], None]:
        """Call `callback(generation)` after each change, from the thread that made it; it must be quick.

        The answer takes the subscription back.
        """
        with self._lock:
            self._callbacks = (*self._callbacks, callback)

        def unsubscribe() -> None:
            with self._lock:
                self._callbacks = tuple(one for one in self._callbacks if one is not callback)

        return unsubscribe

    @property
    def progress(self) -> Progress:
        """How far reading has come."""
        return self._keeper.progress() if self._keeper else Progress(0, 0, 0, 0, False, 0, 0.0)

    @property
    def loading(self) -> bool:
        """Whether the first reading of all files goes on."""
        return self._keeper is not None and self._keeper.loading

    @property
    def live(self) -> Live:
        """How changes of the files are noticed."""
        return self._keeper.live if self._keeper else "once"

    @property
    def live_reason(self) -> str:
        """Why files are not watched, if they are not."""
        return self._keeper.live_reason if self._keeper else ""

    @property
    def unreadable(self) -> dict[str, str]:
        """Folders and files that could not be read, with the reason."""
        return self._keeper.unreadable() if self._keeper else {}

    @property
    def skipped_links(self) -> int:
        """How many links were not followed because they lead out of what may be shown."""
        return self._keeper.skipped_links() if self._keeper else 0

    def nearest(self) -> list[Nearby]:
        """Folders near an empty logdir that hold runs, nearest first; nothing where there are runs."""
        return self._keeper.nearest() if self._keeper and not self._by_id else []

    def refresh(self) -> None:
        """Look at all files now; returns when what was found is read."""
        if self._keeper:
            self._keeper.refresh()

    # Publishing

    def attach(self, keeper: Keeper) -> None:
        """Say who fills the catalog."""
        self._keeper = keeper

    def publish(
        self,
        *,
        changed: Iterable[Run] = (),
        added: Iterable[Run] = (),
        removed: Iterable[Run] = (),
        structure: bool = False,
        assets: tuple[Asset, ...] | None = None,
    ) -> int:
        """Make changes visible, all at once, and tell the subscribers. The new generation.

        Runs in `added` get id and slot in the order given; a name that was here before gets back its own. Runs in
        `changed` that are not here are passed over. `assets` takes the place of those there were.
        """
        with self._lock:
            generation = self._generation + 1
            for run in removed:
                structure = self._remove(run) or structure
            for run in added:
                self._add(run, generation)
                structure = True
            if assets is not None:
                self._assets = assets
            for run in changed:
                if self._by_id.get(run.id) is run:
                    self._mark(run, generation)
            # Last, as readers take no lock: whoever sees the new numbers sees everything that they stand for.
            if structure:
                self._structure_at = generation
            self._generation = generation
            callbacks = self._callbacks
        for callback in callbacks:
            callback(generation)
        return generation

    def _add(self, run: Run, generation: int) -> None:
        run.id = self._ids.setdefault(run.name, len(self._ids))
        run.slot = self._slots.of(run.name)
        self._by_id[run.id] = run
        self._by_name[run.name] = run
        self._mark(run, generation)
        self._listed = None

    def _remove(self, run: Run) -> bool:
        """Whether the run was here."""
        if self._by_id.get(run.id) is not run:
            return False
        del self._by_id[run.id], self._by_name[run.name], self._changed[run.id]
        self._listed = None
        return True

    def _mark(self, run: Run, generation: int) -> None:
        # Last changed comes last: what changed lately is found from the end.
        self._changed.pop(run.id, None)
        self._changed[run.id] = generation
