"""The layers in the JSON of a Keras model, with a box for each call of a layer that is shared.

Keras 2 and 3 describe inputs differently. The JSON may have been written by anyone: what has another form is left out.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from lightboard import cancellation
from lightboard.graphs.keras_parameters import Shape

MAX_ENDS = 1_000_000
"""Inputs of one call that are read. If calls have more than these in all, each layer is one box."""

MAX_BOXES = 200_000
"""If calls need more boxes than these, each layer is one."""


@dataclass(frozen=True)
class Source:
    """An output of a call of a layer by the name that it has in its model, and its shape if that is stated."""

    layer: str
    call: int
    slot: int
    shape: Shape | None = None
    dtype: str = ""


Calls = list[list[Source]]
"""The inputs of a layer at each of its calls."""


@dataclass
class Layer:
    """A layer or a model in the model `parent`, or one of several calls of it. `node` is its node, -1 for a model.

    `calls` are the inputs of each call that it stands for. `children` are the boxes of each layer by its name, in the
    order of its calls; `latest` is the highest number of a call that is named in this model. `first` is the box of the
    first call if this one is of a later one, or inside of such a one: they have the same weights.
    """

    name: str
    path: str
    kind: str
    config: dict[str, Any]
    raw: dict[str, Any]
    parent: "Layer | None" = None
    calls: Calls = field(default_factory=list)
    first: str = ""
    node: int = -1
    children: "dict[str, list[Layer]]" = field(default_factory=dict)
    latest: dict[str, int] = field(default_factory=dict)

    @property
    def is_model(self) -> bool:
        """Whether it has layers."""
        return bool(self.children)

    @property
    def sources(self) -> list[Source]:
        """The inputs at all its calls."""
        return [source for call in self.calls for source in call]

    @property
    def chain(self) -> "list[Layer]":
        """Its layers in their order, each once."""
        return [boxes[0] for boxes in self.children.values()]

    @property
    def begin(self) -> "Layer":
        """The first one of its layers."""
        return next(iter(self.children.values()))[0]

    @property
    def end(self) -> "Layer":
        """The last one of its layers."""
        return next(reversed(self.children.values()))[0]

    def find(self, name: str, call: int) -> "Layer | None":
        """The box of a call of one of its layers.

        Keras counts the calls of a layer from 0, but some versions count those of a model from 1, since it has called
        itself when it was made. Each call is named somewhere, so that the highest number tells which.
        """
        boxes = self.children.get(name)
        if not boxes:
            return None
        begin = 1 if self.latest.get(name, 0) >= len(boxes) else 0
        return boxes[min(max(call - begin, 0), len(boxes) - 1)]


class Unopened(NamedTuple):
    """A layer of the box `parent` that has no box yet."""

    raw: Any
    parent: Layer | None


def layers_of(model: Any, *, by_call: bool) -> list[Layer] | None:
    """The model and all layers in it, each model before its layers; None if calls need too many boxes or inputs.

    Without `by_call`, each layer is one box, however often it is called.
    """
    found, pending = list[Layer](), [Unopened(model, None)]
    inputs, repeated = 0, False
    known: dict[int, Calls] = {}
    while pending:
        cancellation.check()
        raw, parent = pending.pop()
        calls = known.get(id(raw))  # of a model that is called several times, layers are opened several times
        if calls is None:
            calls = known[id(raw)] = calls_of(raw)
        boxes = boxes_of(raw, parent, calls, by_call=by_call)
        found += boxes
        inputs += sum(map(len, calls))
        repeated |= len(boxes) > 1
        if repeated and (len(found) + len(pending) > MAX_BOXES or inputs > MAX_ENDS):
            return None
        for box in reversed(boxes):
            inner = box.config.get("layers")
            if isinstance(inner, list):
                pending += [Unopened(each, box) for each in reversed(inner)]
    return found


def boxes_of(raw: Any, parent: Layer | None, calls: Calls, *, by_call: bool) -> list[Layer]:
    """The boxes of a layer with these calls; none if it is not one."""
    config = raw.get("config") if isinstance(raw, dict) else None
    if not isinstance(config, dict):
        return []
    kind = str(raw.get("class_name") or "")
    name = text_or(config.get("name"), text_or(raw.get("name"), kind or "layer"))
    shares = [[call] for call in calls] if by_call and len(calls) > 1 else [calls]
    labels = [name if len(shares) == 1 else f"{name} #{at + 1}" for at in range(len(shares))]
    above, first_above = (f"{parent.path}/", parent.first) if parent else ("", "")
    boxes = []
    for at, (label, share) in enumerate(zip(labels, shares, strict=True)):
        first = f"{first_above}/{labels[0]}" if first_above else above + labels[0] if at else ""
        box = Layer(label, above + label, kind, config, raw, parent, share, first)
        note_calls(box, references(config.get("output_layers")))
        boxes.append(box)
    if parent is not None:
        parent.children[name] = boxes
        note_calls(parent, (source for call in calls for source in call))
    return boxes


def note_calls(model: Layer, named: Iterable[Source]) -> None:
    """Note which calls of its layers are named in a model."""
    for source in named:
        model.latest[source.layer] = max(model.latest.get(source.layer, 0), source.call)


def text_or(value: Any, default: str) -> str:
    """A value that is a text and not empty, or the default."""
    return value if isinstance(value, str) and value else default


def calls_of(raw: Any) -> Calls:
    """The inputs of a layer at each of its calls."""
    calls = raw.get("inbound_nodes") if isinstance(raw, dict) else None
    if not isinstance(calls, list):
        return []
    return [[*sources_in(call)] for call in calls]


def sources_in(call: Any) -> Iterator[Source]:
    """The tensors in the arguments of a call.

    Keras 3 writes {"args": ..., "kwargs": ...} with tensors anywhere inside, Keras 2 [[name, call, slot, kwargs], ...].
    """
    pending = [[call["args"], call.get("kwargs")] if isinstance(call, dict) and "args" in call else call]
    count = 0
    while pending and count < MAX_ENDS:
        value = pending.pop()
        count += 1
        if isinstance(value, dict):
            config = value.get("config")
            config = config if isinstance(config, dict) else {}
            history: Any = config.get("keras_history")
            if is_reference(history):
                dtype = config.get("dtype")
                shape = shape_of(config.get("shape"))
                name, call_of, slot = history[:3]
                yield Source(name, call_of, slot, shape, dtype if isinstance(dtype, str) else "")
            else:
                pending += reversed(list(value.values()))
        elif is_reference(value):
            yield Source(*value[:3])
            pending += value[3:4]
        elif isinstance(value, list):
            pending += reversed(value)


def is_reference(value: Any) -> bool:
    """Whether it is [layer, call, slot, ...]."""
    return (
        isinstance(value, list)
        and len(value) >= 3
        and isinstance(value[0], str)
        and isinstance(value[1], int)
        and isinstance(value[2], int)
        and 0 <= value[2] < 1000
    )


def references(value: Any) -> list[Source]:
    """The items of a list of inputs or outputs of a model; Keras leaves out the list if it has one item."""
    items = [value] if is_reference(value) else value
    return [Source(*item[:3]) for item in items if is_reference(item)] if isinstance(items, list) else []


def shape_of(value: Any) -> Shape | None:
    """A shape in JSON, with null for unknown sizes."""
    if not isinstance(value, list) or not value or len(value) > 64:
        return None
    if not all(size is None or (isinstance(size, int) and 0 <= size < 2**53) for size in value):
        return None
    return tuple(-1 if size is None else int(size) for size in value)
