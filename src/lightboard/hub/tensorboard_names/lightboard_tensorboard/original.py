"""Finds TensorBoard itself, which comes first if it is installed."""

import sys
from importlib.machinery import ModuleSpec, PathFinder


def find_original() -> ModuleSpec | None:
    """The spec of its package; None if it is not installed."""
    for folder in sys.path:
        spec = PathFinder.find_spec("tensorboard", [folder])
        if spec is not None and spec.has_location and spec.submodule_search_locations:
            return spec
    return None
