"""The columns of a series of values as JSON."""

from lightboard.asgi.scheduler import Pieces
from lightboard.board import json_pieces
from lightboard.query.values import Values


def value_columns(values: Values, *, sizes: bool) -> Pieces:
    """Columns for an unfinished JSON object: steps, wall times, sizes if requested, keys."""
    yield b',"steps":'
    yield from json_pieces.column(values.steps)
    yield b',"walls":'
    yield from json_pieces.column(values.walls)
    if sizes:
        yield b',"sizes":'
        yield from json_pieces.column(values.lengths)
    yield b',"keys":'
    size = json_pieces.BATCH
    yield from json_pieces.batches(values.keys(start, start + size) for start in range(0, len(values), size))
