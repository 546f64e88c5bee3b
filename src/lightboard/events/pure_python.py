"""The pure-Python implementation of the compiled core: the same names, collected from the modules that define them."""

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
from lightboard.events.groups import group_many
from lightboard.events.python_decoder import Decoder
from lightboard.events.smoothing import smooth
from lightboard.events.table import parse_table

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
