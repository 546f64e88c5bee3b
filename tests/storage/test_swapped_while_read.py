"""Links and folders are swapped at random while everything is read: no byte from outside ever comes back."""

import os
import pathlib
import random
import threading
from collections.abc import Iterator
from contextlib import suppress

import pytest

from lightboard.errors import Unshowable
from lightboard.ingest.loader import Loader, LoaderOptions
from lightboard.ingest.logdir import Source
from lightboard.query.projector.folder import Folder, open_file
from lightboard.query.values import file_of
from lightboard.series.catalog import Catalog
from lightboard.storage import openat2
from lightboard.storage.base import Storage
from lightboard.storage.confined import ConfinedStorage
from lightboard.testing.fakes import event_file

ROUNDS = 60
PATHS = ("a/run/tfevents.1", "a/b/run/tfevents.1", "a/b/text", "a/text", "text")
INSIDE, OUTSIDE = b"inside", b"secret"


class Swapper:
    """Two trees alike, and a thread that swaps what is in the one for links to the other, and back."""

    def __init__(self, top: pathlib.Path, seed: int) -> None:
        self.inside, self.outside = top / "inside", top / "outside"
        for tree, tag in ((self.inside, INSIDE), (self.outside, OUTSIDE)):
            for path in PATHS:
                file = tree / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(tag if file.name == "text" else event_file(tag.decode(), [(1, 1.0)]))
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
        places = ("a", "a/b", "a/run", "a/b/run", *PATHS)
        while not self._stop.is_set():
            place = self._random.choice(places)
            here, kept = self.inside / place, self.inside / f"{place}.kept"
            up = "../" * (place.count("/") + 1)
            target = self._random.choice(
                (str(self.outside / place), f"{up}outside/{place}", f"{up}inside/{place}.kept", f"{up}outside/a/..")
            )
            with suppress(OSError):
                if here.is_symlink():
                    here.unlink()
                    kept.rename(here)
                elif not kept.exists():
                    here.rename(kept)
                    here.symlink_to(target)
                self.swaps += 1


def everything(storage: Storage) -> Iterator[tuple[str, bytes]]:
    """Whatever can be had: listings, ranges, descriptors, files of a config."""
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


def read_by_a_board(loader: Loader, catalog: Catalog) -> Iterator[tuple[str, bytes]]:
    """What charts, values and exports are made of."""
    loader.refresh()
    for run in catalog.runs():
        yield run.name, " ".join(run.tags()).encode()
        for file in run.files:
            with suppress(OSError):
                assert file.opener
                yield file.path, file_of(run, file.path).opener.read(0, 1000)  # type: ignore[union-attr]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("way", ["at once", "step by step"])
def test_no_byte_from_outside_comes_back(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, seed: int, way: str
) -> None:
    """Whatever is swapped meanwhile, with openat2 and without it; and what is inside is still read."""
    if way == "step by step":
        monkeypatch.setattr(openat2, "is_available", lambda: False)
    found: list[bytes] = []
    with Swapper(tmp_path, seed) as swapper:
        storage = ConfinedStorage(str(swapper.inside))
        catalog = Catalog()
        loader = Loader(catalog, [Source("", storage)], LoaderOptions(threads=0))
        loader.load()
        rounds = 0
        while rounds < ROUNDS or swapper.swaps < ROUNDS:
            rounds += 1
            found += [data for _, data in everything(storage)]
            found += [data for _, data in read_by_a_board(loader, catalog)]

    assert [data for data in found if OUTSIDE in data] == []
    assert any(INSIDE in data for data in found)
