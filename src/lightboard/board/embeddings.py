"""Converts between the projector service and the bodies of requests and responses. Not here: HTTP."""

from typing import TYPE_CHECKING, Any

import numpy as np

from lightboard.board.encoding import encode
from lightboard.errors import BadRequest, LightboardError, Unshowable
from lightboard.query.projector.entries import Entry
from lightboard.query.projector.layouts import Layout
from lightboard.query.projector.metadata import MAX_CODES, Column
from lightboard.query.projector.service import LayoutRequest, ProjectorService
from lightboard.query.provider import IndexProvider

if TYPE_CHECKING:
    from lightboard.schema.projector import LayoutBody

NUMBERS = ("perplexity", "learning_rate", "iterations", "neighbors", "min_dist")
"""The parameters of t-SNE and UMAP."""


def tensors_of(provider: IndexProvider, service: ProjectorService) -> dict[str, Any]:
    """The fields of TensorList."""
    generation = provider.generation
    listing = service.found()
    return {
        "generation": generation,
        "tensors": [tensor_of(service, entry) for entry in listing.entries],
        "problems": [{"run": run, "problem": problem} for run, problem in listing.problems],
        "missing": [{"method": method, "hint": hint} for method, hint in service.missing().items()],
    }


def tensor_of(service: ProjectorService, entry: Entry) -> dict[str, Any]:
    """The fields of TensorInfo. Errors of its files are reported in fields."""
    fields: dict[str, Any] = {
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
        return fields | {"problem": message_of(error)}
    fields |= {"rows": size.rows, "held": size.held, "dims": size.dims}
    for name, make in (("metadata", metadata_of), ("sprite", sprite_of)):
        try:
            fields[name] = make(service, entry)
        except Unshowable as error:
            fields["warning"] = "; ".join(filter(None, [fields["warning"], message_of(error)]))
    return fields


def message_of(error: LightboardError) -> str:
    """The message and hint of an error in one line."""
    return f"{error.message} ({error.hint})" if error.hint else error.message


def metadata_of(service: ProjectorService, entry: Entry) -> dict[str, Any] | None:
    """The fields of MetadataInfo."""
    metadata = service.metadata(entry)
    if metadata is None:
        return None
    columns = [
        {"name": column.name, "kind": column.kind, "distinct": len(column.labels)} for column in metadata.columns
    ]
    return {"columns": columns, "lines": metadata.lines}


def sprite_of(service: ProjectorService, entry: Entry) -> dict[str, Any] | None:
    """The fields of SpriteInfo. Without a tile size the image is one tile."""
    sprite = service.sprite(entry)
    if sprite is None or entry.embedding.sprite is None:
        return None
    _, picture = sprite
    width, height = entry.embedding.sprite.tile
    return {
        "width": picture.width,
        "height": picture.height,
        "tile": [width or picture.width, height or picture.height],
    }


def column_json(column: Column, kind: str) -> dict[str, Any]:
    """The fields of ColumnResponse. Raises Unshowable if the column is of another kind."""
    if kind == "number":
        return {"kind": kind, "labels": None, "codes": None, "values": numbers_of(column).tolist()}
    return {"kind": kind, "labels": category_labels(column), "codes": column.codes.tolist(), "values": None}


def column_bytes(column: Column, kind: str) -> bytes:
    """A column in the binary format of `docs/http.md`."""
    if kind == "number":
        values = numbers_of(column)
        return np.array([1, len(values), 0, 0], "<u4").tobytes() + values.astype("<f4").tobytes()
    labels = encode(category_labels(column))
    codes = column.codes.astype("<u2").tobytes()
    head = np.array([0, len(column.codes), len(column.labels), len(labels)], "<u4").tobytes()
    return head + codes + bytes(-len(codes) % 4) + labels


def numbers_of(column: Column) -> "np.ndarray[tuple[int], np.dtype[np.float32]]":
    """The number of each point, NaN if it has none. Raises Unshowable."""
    if column.numbers is None:
        raise Unshowable(f"column {column.name!r} has no numbers", hint="request form=category")
    return column.numbers[column.codes]


def category_labels(column: Column) -> list[str]:
    """The distinct labels of a column. Raises Unshowable if 16 bits cannot number them."""
    if len(column.labels) > MAX_CODES:
        raise Unshowable(
            f"column {column.name!r} has over {MAX_CODES} different texts", hint="request the labels of rows"
        )
    return list(column.labels)


def layout_request_of(body: "LayoutBody") -> LayoutRequest:
    """The LayoutRequest of a body. Raises BadRequest."""
    params = body.params
    if params.components is not None and len(params.components) != body.dims:
        raise BadRequest(f"params.components must name {body.dims} components")
    heavy = body.method in ("tsne", "umap")
    numbers = {name: float(getattr(params, name)) for name in NUMBERS if getattr(params, name) is not None}
    return LayoutRequest(
        method=body.method,
        dims=body.dims,
        params=numbers if heavy else {},
        rows=body.rows,
        components=tuple(params.components or ()) if body.method == "pca" else (),
        column=params.column if body.method == "custom" else "",
        axes=((params.left, params.right), (params.down, params.up)) if body.method == "custom" else (),
        spherize=params.spherize,
        metric=params.metric if heavy else "euclidean",
    )


def layout_of(layout: Layout) -> dict[str, Any]:
    """The fields of LayoutResponse without row numbers."""
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
