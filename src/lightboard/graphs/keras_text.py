"""A Keras model as the text of a GraphDef, as TensorBoard sends it."""

from collections.abc import Iterator

from lightboard.graphs.graph import Graph
from lightboard.graphs.messages import ENUMS
from lightboard.graphs.text_format import CONTROLS

DTYPES = {
    {"DT_FLOAT": "float32", "DT_DOUBLE": "float64", "DT_HALF": "float16"}.get(name, name[3:].lower()): name
    for number, name in ENUMS["DataType"].items()
    if number < 100
}
"""The names of types in Keras."""


def layers_text(graph: Graph) -> Iterator[str]:
    """Each layer as a node with its inputs, class and type."""
    inputs: dict[int, list[str]] = {}
    for source, target in zip(graph.edges.source.tolist(), graph.edges.target.tolist(), strict=True):
        names = inputs.setdefault(target, [])
        if not names or graph.op(target) != "InputLayer":  # of a model that is called twice, the first call counts
            names.append(graph.names[source])
    for node, name in enumerate(graph.names):
        yield f'node {{\n  name: "{name.translate(CONTROLS)}"\n'
        yield from (f'  input: "{each.translate(CONTROLS)}"\n' for each in inputs.get(node, ()))
        kind = graph.op(node).translate(CONTROLS)
        if kind:
            yield f'  attr {{\n    key: "keras_class"\n    value {{\n      s: "{kind}"\n    }}\n  }}\n'
        dtype = DTYPES.get(dtype_of(graph, node))
        if dtype is not None:
            yield f'  attr {{\n    key: "dtype"\n    value {{\n      type: {dtype}\n    }}\n  }}\n'
        yield "}\n"


def dtype_of(graph: Graph, node: int) -> str:
    """The type in the configuration of a layer: a name, or that of a policy."""
    for name, value in (graph.attributes or {}).get(node, ()):
        if name == "dtype":
            head, _, policy = value.partition("name=")
            return policy[:-1].strip('"') if policy else head
    return ""
