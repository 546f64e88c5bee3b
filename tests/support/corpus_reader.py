"""Reads the corpus with Lightboard and prints everything it found, pickled; a process of its own so that either
implementation of the decoder can be asked for by the environment.

    python corpus_reader.py LOGDIR

    {"native": bool, "runs": {name: {"first_wall": float, "tags": {tag: Found as a dict}}}}
"""

import pickle
import struct
import sys
from typing import Any

from lightboard.events import decode
from lightboard.ingest.loader import Loader, LoaderOptions
from lightboard.ingest.logdir import Source
from lightboard.series.catalog import Catalog
from lightboard.series.run import Run
from lightboard.series.timeseries import Tag
from lightboard.storage.local import LocalStorage


def numbers(kind: str, data: bytes) -> list[Any]:
    """The little-endian numbers of a packed column."""
    return list(struct.unpack(f"<{len(data) // struct.calcsize(kind)}{kind}", data))


def scalar(tag: Tag) -> dict[str, Any]:
    steps, walls, values, marks = decode.series_points(tag.parts, False)
    shown = decode.series_points(tag.parts, True)
    return {
        "steps": numbers("q", steps),
        "walls": numbers("d", walls),
        "values": numbers("d", values),
        "superseded": numbers("B", marks),
        "purged": [numbers("q", shown[0]), numbers("d", shown[1]), numbers("d", shown[2])],
    }


def reference(tag: Tag) -> dict[str, Any]:
    *_, steps, walls = decode.references(tag.parts, False)
    *_, purged, purged_walls = decode.references(tag.parts, True)
    return {
        "steps": numbers("q", steps),
        "walls": numbers("d", walls),
        "purged": [numbers("q", purged), numbers("d", purged_walls)],
    }


def read_run(run: Run) -> dict[str, Any]:
    found = {}
    for name, tag in run.tags().items():
        columns = scalar(tag) if tag.form == "scalar" else reference(tag)
        found[name] = {"form": tag.form, "plugin": tag.plugin, "data_class": tag.data_class} | columns
    return {"first_wall": run.start_wall_time, "tags": found}


def load_catalog(logdir: str) -> Catalog:
    """The board's catalog of a log directory, read to the end."""
    catalog = Catalog()
    loader = Loader(catalog, [Source("", LocalStorage(logdir))], LoaderOptions(watch=False))
    loader.load()
    loader.stop()
    return catalog


if __name__ == "__main__":
    answer = {
        "native": decode.NATIVE,
        "runs": {run.name: read_run(run) for run in load_catalog(sys.argv[1]).runs()},
    }
    sys.stdout.buffer.write(pickle.dumps(answer))
