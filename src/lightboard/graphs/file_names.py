"""Which files hold graphs, by their names. Cheap to import, since folders are listed before anything else."""

import re
from typing import Literal

GraphFormat = Literal["onnx", "torch_export", "stablehlo", "hlo", "graph_def", "saved_model", "model_explorer"]

FORMATS: tuple[tuple[str, GraphFormat], ...] = (
    (".onnx", "onnx"),
    (".pt2", "torch_export"),
    (".mlir", "stablehlo"),
    (".hlo", "hlo"),
    (".hlo.txt", "hlo"),
    ("before_optimizations.txt", "hlo"),
    ("after_optimizations.txt", "hlo"),
    (".hlo.pb", "hlo"),
    (".hlo_proto.pb", "hlo"),
    ("saved_model.pb", "saved_model"),
    ("saved_model.pbtxt", "saved_model"),
    (".pb", "graph_def"),
    ("graph.pbtxt", "graph_def"),
    (".graph.json", "model_explorer"),
)
"""Formats by the end of a name. Other texts and JSON are too often something else to be shown without being asked."""

EXTENSIONS = (".onnx", ".pt2", ".mlir", ".hlo", ".txt", ".pb", ".pbtxt", ".json")

OTHERS = re.compile(
    r"(?:^|\.)(?:xplane|input_pipeline|kernel_stats|memory_profile|op_profile|overview_page|pod_viewer|tensorflow_stats|"
    r"tf_stats|framework_op_stats|hlo_stats|roofline_model|trace|fingerprint|keras_metadata|debug_info|"
    r"assets_extra|dataset_spec|snapshot|labels?|label_map)\.pb$"
)
"""Files of the profiler, and those beside a SavedModel, which are no graphs."""

ASKED_FOR: dict[str, GraphFormat] = {".pb": "graph_def", ".pbtxt": "graph_def", ".json": "model_explorer"}
"""Formats of further files, which are shown if somebody names them."""


def graph_format(name: str) -> GraphFormat | None:
    """The format of the graph in a file of this base name, None if it is not taken for one."""
    lowered = name.lower()
    if not lowered.endswith(EXTENSIONS) or OTHERS.search(lowered):
        return None
    return next((each for end, each in FORMATS if lowered.endswith(end)), None)


def likely_format(name: str) -> GraphFormat | None:
    """The format of the graph in a file that somebody has named, None if it cannot be told."""
    found = graph_format(name)
    return found or next((each for end, each in ASKED_FOR.items() if name.lower().endswith(end)), None)
