"""All runs of a board, and what changed when. Thread-safe.

Ingest publishes changes. Readers take cheap snapshots and ask what changed since a generation.
"""

import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Literal, NamedTuple, Protocol

from lightboard.errors import RunNotFound
from lightboard.series.color_slots import ColorSlots
from lightboard.series.run import Run
from lightboard.storage.base import ObjectInfo, Storage
from lightboard.types import Progress

Live = Literal["watch", "poll", "once"]


class Asset(NamedTuple):
    """A file with data beside the event files of a run, such as the projector's config, as last listed.

    `run` is the run of its folder; the folder may lack event files and not be a run.
    """

    run: str
    storage: Storage
    info: ObjectInfo


class NearbyFolder(NamedTuple):
    """A folder with runs near an empty logdir."""

    path: str
    runs: int


class Changes(NamedTuple):
    """What changed after a generation: ids of changed or new runs, and whether runs or tags were added or removed."""

    generation: int
    runs: tuple[int, ...]
    structure: bool
    loading: bool


class CatalogLoader(Protocol):
    """The loader that fills the catalog, as seen by readers of the catalog."""

    @property
    def live(self) -> Live: ...
    @property
    def live_reason(self) -> str: ...
    @property
    def loading(self) -> bool: ...
    def progress(self) -> Progress: ...
    def refresh(self) -> None: ...
    def nearby_folders(self) -> list[NearbyFolder]: ...
    def unreadable(self) -> dict[str, str]: ...
    def skipped_links(self) -> int: ...


class Catalog:
    """Runs by name and id. Each name gets one id and one slot, in the order of addition; they are never reused.

    Ids last as long as the catalog. Slots may last longer: `slots` are those that names had before. If one catalog can
    replace another on an open page, each needs a different initial `generation`.
    """

    def __init__(self, slots: Mapping[str, int] | None = None, *, generation: int = 0) -> None:
        self._lock = threading.Lock()
        self._generation = generation
        self._structure_at = generation
        self._ids: dict[str, int] = {}
        self._slots = ColorSlots(slots or {})
        self._by_id: dict[int, Run] = {}
        self._by_name: dict[str, Run] = {}
        self._changed: dict[int, int] = {}
        self._listed: list[Run] | None = []
        self._assets: tuple[Asset, ...] = ()
        self._callbacks: tuple[Callable[[int], None], ...] = ()
        self._loader: CatalogLoader | None = None

    # Reading

    @property
    def generation(self) -> int:
        """A counter that grows with every visible change."""
        return self._generation

    @property
    def structure_generation(self) -> int:
        """The generation at which runs, tags or assets were last added or removed."""
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
        """The assets, by path."""
        return self._assets

    def changed_at(self, run: Run) -> int:
        """The generation at which the run was last marked as changed; 0 if it is not in the catalog."""
        return self._changed.get(run.id, 0)

    def slots(self) -> dict[str, int]:
        """The slot of every name that ever had one, including removed runs, to be passed to the next catalog."""
        with self._lock:
            return self._slots.assigned()

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
        """Call `callback(generation)` after each change, in the thread that made the change; it must be fast.

        Returns a function that removes the subscription.
        """
        with self._lock:
            self._callbacks = (*self._callbacks, callback)

        def unsubscribe() -> None:
            with self._lock:
                self._callbacks = tuple(one for one in self._callbacks if one is not callback)

        return unsubscribe

    @property
    def progress(self) -> Progress:
        """How much of the files is read."""
        return self._loader.progress() if self._loader else Progress(0, 0, 0, 0, False, 0, 0.0)

    @property
    def loading(self) -> bool:
        """Whether the first load is in progress."""
        return self._loader is not None and self._loader.loading

    @property
    def live(self) -> Live:
        """How changes of files are noticed."""
        return self._loader.live if self._loader else "once"

    @property
    def live_reason(self) -> str:
        """Why files are not watched, if they are not."""
        return self._loader.live_reason if self._loader else ""

    @property
    def unreadable(self) -> dict[str, str]:
        """Folders and files that could not be read, with the reason."""
        return self._loader.unreadable() if self._loader else {}

    @property
    def skipped_links(self) -> int:
        """How many links were not followed because they lead out of the allowed folders."""
        return self._loader.skipped_links() if self._loader else 0

    def nearby_folders(self) -> list[NearbyFolder]:
        """Folders with runs near an empty logdir, nearest first. Empty if there are runs."""
        return self._loader.nearby_folders() if self._loader and not self._by_id else []

    def refresh(self) -> None:
        """Check all files now. Returns when all new data is read."""
        if self._loader:
            self._loader.refresh()

    # Publishing

    def attach(self, loader: CatalogLoader) -> None:
        """Set the loader."""
        self._loader = loader

    def publish(
        self,
        *,
        changed: Iterable[Run] = (),
        added: Iterable[Run] = (),
        removed: Iterable[Run] = (),
        structure: bool = False,
        assets: tuple[Asset, ...] | None = None,
    ) -> int:
        """Publish changes at once and notify the subscribers. Returns the new generation.

        Runs in `added` get their id and slot in the given order; a known name keeps its own. Runs in `changed` that are
        not in the catalog are ignored. `assets` replaces the previous ones.
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
            # Set last, because readers take no lock: with the new numbers, they must see all changes.
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
        """Returns whether the run was in the catalog."""
        if self._by_id.get(run.id) is not run:
            return False
        del self._by_id[run.id], self._by_name[run.name], self._changed[run.id]
        self._listed = None
        return True

    def _mark(self, run: Run, generation: int) -> None:
        # Ordered by the last change, so that recent changes are found from the end.
        self._changed.pop(run.id, None)
        self._changed[run.id] = generation
