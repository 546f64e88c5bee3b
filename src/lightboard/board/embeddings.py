"""What answers about embeddings hold, as plain values, and what questions about them mean. Not here: HTTP."""

from typing import TYPE_CHECKING, Any

import numpy as np

from lightboard.board.board import Board
from lightboard.board.encoding import encode
from lightboard.errors import BadRequest, LightboardError, Unshowable
from lightboard.query.projector.entries import Entry
from lightboard.query.projector.layouts import Layout
from lightboard.query.projector.metadata import MOST_CODES, Column
from lightboard.query.projector.service import LayoutRequest, ProjectorService

if TYPE_CHECKING:
    from lightboard.schema.projector import LayoutQuestion

NUMBERS = ("perplexity", "learning_rate", "iterations", "neighbors", "min_dist")
"""The parameters of t-SNE and UMAP."""


def tensors_of(board: Board, service: ProjectorService) -> dict[str, Any]:
    """The fields of TensorList."""
    generation = board.provider.generation
    found = service.found()
    return {
        "generation": generation,
        "tensors": [tensor_of(service, entry) for entry in found.entries],
        "problems": [{"run": run, "problem": problem} for run, problem in found.problems],
        "missing": [{"method": method, "hint": hint} for method, hint in service.missing().items()],
    }


def tensor_of(service: ProjectorService, entry: Entry) -> dict[str, Any]:
    """The fields of TensorInfo: what cannot be read is said, and the rest is there."""
    told: dict[str, Any] = {
        "run": entry.run,
        "name": entry.name,
        "tensor": entry.tensor,
        "step": entry.step,
        "rows": 0,
        "held": 0,
        "dims": 0,
        "metadata": None,
        "sprite": None,
        "bookmarks": bool(entry.embedding.bookmarks_path),
        "problem": None,
        "warning": None,
    }
    try:
        size = service.size(entry)
    except Unshowable as error:
        return told | {"problem": words_of(error)}
    told |= {"rows": size.rows, "held": size.held, "dims": size.dims}
    for name, make in (("metadata", metadata_of), ("sprite", sprite_of)):
        try:
            told[name] = make(service, entry)
        except Unshowable as error:
            told["warning"] = "; ".join(filter(None, [told["warning"], words_of(error)]))
    return told


def words_of(error: LightboardError) -> str:
    """What went wrong and what helps, in one line."""
    return f"{error.message} ({error.hint})" if error.hint else error.message


def metadata_of(service: ProjectorService, entry: Entry) -> dict[str, Any] | None:
    """The fields of MetadataInfo."""
    found = service.metadata(entry)
    if found is None:
        return None
    columns = [{"name": one.name, "kind": one.kind, "distinct": len(one.labels)} for one in found.columns]
    return {"columns": columns, "lines": found.lines}


def sprite_of(service: ProjectorService, entry: Entry) -> dict[str, Any] | None:
    """The fields of SpriteInfo; without a told size of tiles the picture is one."""
    found = service.sprite(entry)
    if found is None or entry.embedding.sprite is None:
        return None
    _, picture = found
    width, height = entry.embedding.sprite.tile
    return {
        "width": picture.width,
        "height": picture.height,
        "tile": [width or picture.width, height or picture.height],
    }


def column_json(column: Column, kind: str) -> dict[str, Any]:
    """The fields of ColumnAnswer. Raises Unshowable where the column is not of that kind."""
    if kind == "number":
        return {"kind": kind, "labels": None, "codes": None, "values": numbers_in(column).tolist()}
    return {"kind": kind, "labels": few_labels(column), "codes": column.codes.tolist(), "values": None}


def column_bytes(column: Column, kind: str) -> bytes:
    """The same as bytes; `docs/http.md` has the layout."""
    if kind == "number":
        values = numbers_in(column)
        return np.array([1, len(values), 0, 0], "<u4").tobytes() + values.astype("<f4").tobytes()
    labels = encode(few_labels(column))
    codes = column.codes.astype("<u2").tobytes()
    head = np.array([0, len(column.codes), len(column.labels), len(labels)], "<u4").tobytes()
    return head + codes + bytes(-len(codes) % 4) + labels


def numbers_in(column: Column) -> "np.ndarray[tuple[int], np.dtype[np.float32]]":
    """The number of each point, NaN for none. Raises Unshowable."""
    if column.numbers is None:
        raise Unshowable(f"column {column.name!r} holds no numbers", hint="ask for it with form=category")
    return column.numbers[column.codes]


def few_labels(column: Column) -> list[str]:
    """Its different texts. Raises Unshowable where they are too many to be told apart by 16 bits."""
    if len(column.labels) > MOST_CODES:
        raise Unshowable(f"column {column.name!r} has over {MOST_CODES} different texts", hint="ask for labels of rows")
    return list(column.labels)


def layout_request_of(asked: "LayoutQuestion") -> LayoutRequest:
    """The question without HTTP."""
    params = asked.params
    if params.components is not None and len(params.components) != asked.dims:
        raise BadRequest(f"params.components must name {asked.dims} components")
    heavy = asked.method in ("tsne", "umap")
    numbers = {name: float(getattr(params, name)) for name in NUMBERS if getattr(params, name) is not None}
    return LayoutRequest(
        method=asked.method,
        dims=asked.dims,
        params=numbers if heavy else {},
        rows=asked.rows,
        components=tuple(params.components or ()) if asked.method == "pca" else (),
        column=params.column if asked.method == "custom" else "",
        axes=((params.left, params.right), (params.down, params.up)) if asked.method == "custom" else (),
        spherize=params.spherize,
        metric=params.metric if heavy else "euclidean",
    )


def layout_of(layout: Layout) -> dict[str, Any]:
    """The fields of LayoutAnswer, without the numbers of rows."""
    return {
        "id": layout.id,
        "method": layout.method,
        "state": layout.state,
        "progress": layout.progress,
        "frame": layout.frame,
        "points": layout.total if layout.rows is None else len(layout.rows),
        "total": layout.total,
        "rows": None,
        "variance": list(layout.variance) if layout.method == "pca" else None,
        "message": layout.message,
    }
