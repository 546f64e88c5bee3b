"""Writes tests/data/graphs/keras_shared.json: a model whose layers are called several times, as its `to_json()` has it.

    python scripts/corpus/write_keras_shared.py tests/data/graphs

Needs keras==3.15.1 and tensorflow-cpu==2.21.0. The callback `TensorBoard` writes the same text into event files.
`keras_shared.answers.json` has what Keras itself says: its tensors by call, and the numbers of weights.
"""

import json
import sys
from pathlib import Path

import keras
from keras import Input, Model, Sequential, layers
from keras.src.ops.function import make_node_key


def matching() -> Model:
    """Two texts by one embedding and one encoder, a model in which a layer is called twice, and a sequence."""
    words = layers.Embedding(50, 8, name="words")
    inside = Input((6, 8), name="steps")
    mix = layers.Dense(8, name="mix")
    encoder = Model(inside, layers.GlobalAveragePooling1D(name="mean")(mix(mix(inside))), name="encoder")
    head = Sequential([layers.Dense(4, activation="relu", name="hidden")], name="head")
    question, answer = Input((6,), name="question"), Input((6,), name="answer")
    sides = [head(encoder(words(text))) for text in (question, answer)]
    both = layers.Concatenate(name="both")(sides)
    return Model([question, answer], layers.Dense(1, name="score")(both), name="matching")


def calls_of(model: Model) -> list[list[str]]:
    """The edges between calls of layers: "encoder", or "encoder #2" of one that is called several times."""
    made: dict[int, str] = {}
    nodes = []
    for layer in model.layers:
        nodes_of_layer = enumerate(layer._inbound_nodes)
        kept = [node for at, node in nodes_of_layer if make_node_key(layer, at) in model._nodes]
        for at, node in enumerate(kept):
            label = f"{layer.name} #{at + 1}" if len(kept) > 1 else layer.name
            made.update((id(tensor), label) for tensor in node.outputs)
            nodes.append((label, node))
    edges = [[made[id(tensor)], label] for label, node in nodes for tensor in node.arguments.keras_tensors]
    return sorted(edge for edge in edges if edge[0] != edge[1])


if __name__ == "__main__":
    folder, model = Path(sys.argv[1]), matching()
    (folder / "keras_shared.json").write_text(model.to_json())
    answers = {
        "keras": keras.__version__,
        "edges": calls_of(model),
        "inner": calls_of(model.get_layer("encoder")),
        "parameters": model.count_params(),
        "layers": {layer.name: layer.count_params() for layer in model.layers},
    }
    (folder / "keras_shared.answers.json").write_text(json.dumps(answers, indent=1) + "\n")
