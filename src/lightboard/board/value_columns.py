"""Where the values of one series lie, as the columns of a JSON object."""

from lightboard.asgi.scheduler import Pieces
from lightboard.board import json_pieces
from lightboard.query.values import Values


def value_columns(values: Values, *, sizes: bool) -> Pieces:
    """The columns after the fields of an object that is not closed yet: steps, wall times, sizes if asked, keys."""
    yield b',"steps":'
    yield from json_pieces.column(values.steps)
    yield b',"walls":'
    yield from json_pieces.column(values.walls)
    if sizes:
        yield b',"sizes":'
        yield from json_pieces.column(values.lengths)
    yield b',"keys":'
    size = json_pieces.BATCH
    yield from json_pieces.batches(values.keys(at, at + size) for at in range(0, len(values), size))
