"""The block `analysis` of a job: whether it is created with a TensorBoard, and of which logs."""

from collections.abc import Mapping
from typing import Any

from lightboard.errors import UsageError

SETTINGS = frozenset({"enabled", "dataset", "log_path"})


def log_folder(analysis: Mapping[str, Any] | None) -> str:
    """The folder that a block names as the sources of TensorBoards are written; "" for that of the job itself.

    A `log_path` without a `dataset` is in the storage of the project. Raises UsageError for other settings.
    """
    analysis = analysis or {}
    if other := sorted(analysis.keys() - SETTINGS):
        raise UsageError(f"analysis cannot have {other[0]}", hint=f"it has {', '.join(sorted(SETTINGS))}")
    path = str(analysis.get("log_path") or "").strip("/")
    if dataset := analysis.get("dataset"):
        return f"dataset:{dataset}/{path}".rstrip("/")
    return f"storage:{path}" if path else ""


def is_enabled(analysis: Mapping[str, Any] | None) -> bool:
    """Whether a block asks for a TensorBoard; one that says nothing of it does."""
    return analysis is not None and bool(analysis.get("enabled", True))
