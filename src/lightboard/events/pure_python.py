"""The pure-Python implementation of the compiled core, with the same names."""

from lightboard.events.charts import (
    chart_many,
    count_rows,
    part_points,
    references,
    series_chart,
    series_points,
    series_samples,
    stats_many,
)
from lightboard.events.crc32c import crc32c
from lightboard.events.files import read_files
from lightboard.events.group_charts import group_many
from lightboard.events.protocol import Bytes
from lightboard.events.python_decoder import Decoder
from lightboard.events.smoothing import smooth

__all__ = [
    "Decoder",
    "chart_many",
    "count_rows",
    "crc32c",
    "group_many",
    "parse_table",
    "part_points",
    "read_files",
    "references",
    "series_chart",
    "series_points",
    "series_samples",
    "smooth",
    "stats_many",
]


def parse_table(text: Bytes, columns: int) -> bytes | None:  # noqa: ARG001  # named by the core
    """None for every table, so that callers use NumPy, which is faster than any pure-Python code."""
    if columns < 1:
        raise ValueError("columns must be at least 1")
    return None
