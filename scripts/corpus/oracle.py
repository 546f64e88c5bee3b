"""Records how TensorBoard's own `EventAccumulator`, with unlimited size, reads every run of the corpus.

    python oracle.py LOGS OUT        (with tensorboard==2.21.0 and tensorflow-cpu==2.21.0)

Writes OUT/<folder>.json.gz:

    {"tensorboard": "2.21.0", "runs": {run: {
        "first_wall": wall time of the first event,
        "meta_graph": has a meta graph,
        "series": {tag: {
            "plugin": name of the plugin of the tag in TensorBoard ("" = none),
            "data_class": 0 unknown, 1 scalar, 2 tensor, 3 blobs,
            "steps": [...], "walls": [...],       every value of the tag, in the order it was read
            "values": [...] or absent,            the numbers as doubles, if each value is one number
            "error": "...",                       why TensorBoard cannot read it as numbers; if there are
                                                  values as well, they are those that TensorFlow reads
            "hidden": [positions],                purged with purge_orphaned_data=True
            "hidden_plain": [positions],          the same without the extension to tensors, if that differs
            "hidden_server": [positions]          purged by the Python server's accumulator, if that differs
        }}}}}

JSON numbers are Python's shortest exact form; NaN and infinities are bare words.
"""

# ruff: noqa: N802, ARG002 -- overrides keep the names they have in TensorBoard

import argparse
import contextlib
import gzip
import json
import logging
import math
import os
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf
from tensorboard import version
from tensorboard.backend.event_processing import event_accumulator, plugin_event_accumulator, reservoir
from tensorboard.util import tensor_util
from tensorflow.core.framework import tensor_pb2

UNLIMITED = dict.fromkeys(event_accumulator.DEFAULT_SIZE_GUIDANCE, 0)


class Numbered(event_accumulator.ScalarEvent):
    """One value. `value` is a tuple of its index among the values of its tag, its kind, and its content."""


class Plain(event_accumulator.EventAccumulator):
    """The public accumulator, which also keeps all values of a tag in one list in file order."""

    purges_tensors = False

    def __init__(self, path: str, purge: bool) -> None:
        self.everything = reservoir.Reservoir(size=0)
        self.counts: dict[str, int] = defaultdict(int)
        super().__init__(path, size_guidance=UNLIMITED, purge_orphaned_data=purge)

    def _keep(self, tag: str, wall: float, step: int, kind: str, datum: Any) -> None:
        self.everything.AddItem(tag, Numbered(wall, step, (self.counts[tag], kind, datum)))
        self.counts[tag] += 1

    def _ProcessEvent(self, event):
        """Record values that only the server's migrations turn into series: graphs, run metadata, bare hparams."""
        super()._ProcessEvent(event)
        if event.HasField("graph_def"):
            self._keep("__run_graph__", event.wall_time, event.step, "blob", None)
        if event.HasField("tagged_run_metadata"):
            self._keep(event.tagged_run_metadata.tag, event.wall_time, event.step, "blob", None)
        for value in event.summary.value:
            if not value.WhichOneof("value") and value.metadata.plugin_data.plugin_name == "hparams":
                self._keep(value.tag, event.wall_time, event.step, "tensor", None)

    def _ProcessScalar(self, tag, wall_time, step, scalar):
        super()._ProcessScalar(tag, wall_time, step, scalar)
        self._keep(tag, wall_time, step, "scalar", scalar)

    def _ProcessTensor(self, tag, wall_time, step, tensor):
        super()._ProcessTensor(tag, wall_time, step, tensor)
        self._keep(tag, wall_time, step, "tensor", tensor)

    def _ProcessImage(self, tag, wall_time, step, image):
        super()._ProcessImage(tag, wall_time, step, image)
        self._keep(tag, wall_time, step, "image", None)

    def _ProcessAudio(self, tag, wall_time, step, audio):
        super()._ProcessAudio(tag, wall_time, step, audio)
        self._keep(tag, wall_time, step, "audio", None)

    def _ProcessHistogram(self, tag, wall_time, step, histo):
        super()._ProcessHistogram(tag, wall_time, step, histo)
        self._keep(tag, wall_time, step, "histogram", None)

    def _Purge(self, event, by_tags):
        """Apply the same filter to the extra list, to tensors only if `purges_tensors`."""
        super()._Purge(event, by_tags)

        def stays(item: Numbered) -> bool:
            return item.step < event.step or (item.value[1] == "tensor" and not self.purges_tensors)

        for tag in {value.tag for value in event.summary.value} if by_tags else self.everything.Keys():
            self.everything.FilterItems(stays, tag)


class Oracle(Plain):
    """The rule of Lightboard: that of the public accumulator, applied also to tensors."""

    purges_tensors = True


class Server(plugin_event_accumulator.EventAccumulator):
    """The accumulator of `tensorboard --load_fast=false`, which numbers the values of each tag."""

    def __init__(self, path: str) -> None:
        self.counts: dict[str, int] = defaultdict(int)
        guidance = dict.fromkeys(plugin_event_accumulator.DEFAULT_SIZE_GUIDANCE, 0)
        super().__init__(path, size_guidance=guidance, purge_orphaned_data=True)

    def _ProcessTensor(self, tag, wall_time, step, tensor):
        super()._ProcessTensor(tag, wall_time, step, self.counts[tag])
        self.counts[tag] += 1


def number(kind: str, datum: Any, make_ndarray: Callable[[Any], np.ndarray]) -> float:
    """A value of one number as a double. Raises TypeError for other values, and the exceptions of TensorBoard."""
    if kind == "scalar":
        return float(datum)
    if kind != "tensor":
        raise TypeError(f"{kind}, not a number")
    array = make_ndarray(datum)
    if array.size != 1 or array.dtype.kind in "SOUc":
        raise TypeError(f"{array.dtype} of shape {list(array.shape)}, not a number")
    return float(array.astype(np.float64).item())


def numbers(items: list[Numbered]) -> dict[str, Any]:
    try:
        return {"values": [number(item.value[1], item.value[2], tensor_util.make_ndarray) for item in items]}
    except Exception as error:  # recorded as well
        entry: dict[str, Any] = {"error": f"{type(error).__name__}: {error}"}
    # raised if TensorFlow cannot read it either, or if it is not one number
    with contextlib.suppress(TypeError, ValueError, OverflowError):
        entry["values"] = [number(item.value[1], item.value[2], with_tensorflow) for item in items]
    return entry


def with_tensorflow(proto: Any) -> np.ndarray:
    """Read a tensor with TensorFlow, which supports more types than TensorBoard."""
    return tf.make_ndarray(tensor_pb2.TensorProto.FromString(proto.SerializeToString()))


def series(path: str) -> dict[str, Any]:
    everything, purged, plain = Oracle(path, False).Reload(), Oracle(path, True).Reload(), Plain(path, True).Reload()
    server = Server(path).Reload()
    assert set(everything.everything.Keys()) == set(server.tensors_by_tag), path
    found = {}
    for tag in everything.everything.Keys():
        items = everything.everything.Items(tag)
        metadata = server.summary_metadata.get(tag)
        entry: dict[str, Any] = {
            "plugin": metadata.plugin_data.plugin_name if metadata else "",
            "data_class": metadata.data_class if metadata else 0,
            "steps": [item.step for item in items],
            "walls": [item.wall_time for item in items],
        }
        if entry["data_class"] == 1 or not entry["plugin"]:
            entry |= numbers(items)
        hidden = gone(items, {item.value[0] for item in purged.everything.Items(tag)})
        entry["hidden"] = hidden
        check_plain(tag, plain, items)
        if (of_plain := gone(items, {item.value[0] for item in plain.everything.Items(tag)})) != hidden:
            entry["hidden_plain"] = of_plain
        if (of_server := gone(items, {item.tensor_proto for item in server.Tensors(tag)})) != hidden:
            entry["hidden_server"] = of_server
        found[tag] = entry
    return found


def gone(items: list[Numbered], left: set[int]) -> list[int]:
    return [i for i in range(len(items)) if i not in left]


def check_plain(tag: str, plain: Plain, items: list[Numbered]) -> None:
    """Check that the extra list agrees with the accumulator's own `Scalars(tag)` and `Tensors(tag)`."""
    kept = plain.everything.Items(tag)
    for kind, own in (("scalar", plain.scalars), ("tensor", plain.tensors)):
        mine = [(i.wall_time, i.step) for i in kept if i.value[1] == kind and i.value[2] is not None]
        theirs = [(item.wall_time, item.step) for item in own.Items(tag)] if tag in own.Keys() else []
        assert mine == theirs, (tag, kind)
    assert len(kept) <= len(items)


def run(path: str) -> dict[str, Any]:
    first = next(iter(event_accumulator._GeneratorFromPath(path).Load()), None)
    return {
        "first_wall": first.wall_time if first else math.nan,
        "meta_graph": event_accumulator.EventAccumulator(path).Reload().Tags()["meta_graph"],
        "series": series(path),
    }


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("logs", type=Path)
    arguments.add_argument("out", type=Path)
    options = arguments.parse_args()
    logging.disable(logging.CRITICAL)
    options.out.mkdir(parents=True, exist_ok=True)
    for folder in sorted(path for path in options.logs.iterdir() if path.is_dir()):
        runs = {
            os.path.relpath(place, folder): run(place)
            for place, _, files in sorted(os.walk(folder))
            if any("tfevents" in name for name in files)
        }
        text = json.dumps({"tensorboard": version.VERSION, "runs": runs}, ensure_ascii=False, separators=(",", ":"))
        # without a time stamp, so that equal results are equal files
        (options.out / f"{folder.name}.json.gz").write_bytes(gzip.compress(text.encode(), 9, mtime=0))
        print(folder.name, len(runs), "runs,", sum(len(r["series"]) for r in runs.values()), "series")


if __name__ == "__main__":
    main()
