"""Links and folders are swapped at random while everything is read: no byte from outside is returned."""

import os
import pathlib
import random
import threading
from collections.abc import Iterator
from contextlib import suppress

import pytest

from lightboard.errors import Unshowable, ValueNotFound
from lightboard.ingest.loader import Loader, LoaderOptions
from lightboard.ingest.logdir import Source
from lightboard.query.graph_files import OpenGraphFile, graph_files
from lightboard.query.projector.folder import Folder, open_file
from lightboard.query.values import file_of
from lightboard.series.catalog import Catalog
from lightboard.storage import openat2
from lightboard.storage.base import Storage
from lightboard.storage.confined import ConfinedStorage
from lightboard.testing.fakes import event_file

ROUNDS = 60
PATHS = ("a/run/tfevents.1", "a/b/run/tfevents.1", "a/b/text", "a/text", "text", "a/run/model.onnx")
PLAIN = ("text", "model.onnx")
INSIDE, OUTSIDE = b"inside", b"secret"


class Swapper:
    """Two equal trees, and a thread that replaces parts of one by links to the other and back."""

    def __init__(self, top: pathlib.Path, seed: int) -> None:
        self.inside, self.outside = top / "inside", top / "outside"
        for tree, tag in ((self.inside, INSIDE), (self.outside, OUTSIDE)):
            for path in PATHS:
                file = tree / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(tag if file.name in PLAIN else event_file(tag.decode(), [(1, 1.0)]))
        self.swaps = 0
        self._random = random.Random(seed)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._swap)

    def __enter__(self) -> "Swapper":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _swap(self) -> None:
        targets = ("a", "a/b", "a/run", "a/b/run", *PATHS)
        while not self._stop.is_set():
            path = self._random.choice(targets)
            here, moved = self.inside / path, self.inside / f"{path}.kept"
            up = "../" * (path.count("/") + 1)
            target = self._random.choice(
                (str(self.outside / path), f"{up}outside/{path}", f"{up}inside/{path}.kept", f"{up}outside/a/..")
            )
            with suppress(OSError):
                if here.is_symlink():
                    here.unlink()
                    moved.rename(here)
                elif not moved.exists():
                    here.rename(moved)
                    here.symlink_to(target)
                self.swaps += 1


def read_storage(storage: Storage) -> Iterator[tuple[str, bytes]]:
    """All data a storage returns: listings, ranges, descriptors, files of a config."""
    paths = set(PATHS)
    for folder in storage.walk(on_error=lambda *_: None):
        paths.update(info.path for info in folder.files)
    for path in paths:
        with suppress(OSError):
            yield path, storage.read(path, 0, 1000)
        with suppress(OSError):
            fd = storage.open_fd(path)
            assert fd is not None
            yield path, os.pread(fd, 1000, 0)
            os.close(fd)
        folder, _, name = path.rpartition("/")
        with suppress(Unshowable):
            yield path, open_file(Folder(storage, folder), name).all(1000)


def read_board(loader: Loader, catalog: Catalog) -> Iterator[tuple[str, bytes]]:
    """All data of charts, values, exports and model files."""
    loader.refresh()
    for run in catalog.runs():
        yield run.name, " ".join(run.tags()).encode()
        for file in run.files:
            with suppress(OSError):
                assert file.reader
                yield file.path, file_of(run, file.path).reader.read(0, 1000)  # type: ignore[union-attr]
    for graph in graph_files({run.name for run in catalog.runs()}, catalog.assets()):
        with suppress(Unshowable, ValueNotFound):
            yield graph.name, OpenGraphFile(graph).read(0, 1000)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("way", ["at once", "step by step"])
def test_swapped_links_never_expose_outside_files(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, seed: int, way: str
) -> None:
    """With openat2 and without it. Files inside are still read."""
    if way == "step by step":
        monkeypatch.setattr(openat2, "is_available", lambda: False)
    found: list[tuple[str, bytes]] = []
    with Swapper(tmp_path, seed) as swapper:
        storage = ConfinedStorage(str(swapper.inside))
        catalog = Catalog()
        loader = Loader(catalog, [Source("", storage)], LoaderOptions(threads=0))
        loader.load()
        rounds = 0
        while rounds < ROUNDS or swapper.swaps < ROUNDS:
            rounds += 1
            found += read_storage(storage)
            found += read_board(loader, catalog)

    assert [each for each in found if OUTSIDE in each[1]] == []
    assert any(INSIDE in data for _, data in found)
    assert ("model.onnx", INSIDE) in found
