"""Writes tests/data/graphs/torch_resnet.pb.gz and torch_transformer.pb.gz: GraphDefs out of event files of `add_graph`.

    python scripts/corpus/write_torch_models.py tests/data/graphs

Needs torch==2.13.0 and tensorboard==2.21.0. `torch_models.answers.json.gz` has what the protocol buffers of TensorBoard
read in them: of each node its name, operation, inputs and the shapes of its outputs.
"""

import gzip
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import torch
from tensorboard.backend.event_processing.event_file_loader import EventFileLoader
from tensorboard.compat.proto.graph_pb2 import GraphDef
from torch import nn
from torch.utils.tensorboard import SummaryWriter
from torch_resnet import ResNet


class Transformer(nn.Module):
    """An embedding, an encoder of torch with three layers, a head."""

    def __init__(self, width: int = 16) -> None:
        super().__init__()
        self.embedding = nn.Embedding(50, width)
        layer = nn.TransformerEncoderLayer(width, 4, 32, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 3, enable_nested_tensor=False)
        self.head = nn.Linear(width, 50)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        return self.head(self.encoder(self.embedding(tokens)))


def written_graph(model: nn.Module, inputs: torch.Tensor) -> bytes:
    """The GraphDef in the event file that torch writes."""
    with tempfile.TemporaryDirectory() as folder:
        with SummaryWriter(folder) as writer:
            writer.add_graph(model, (inputs,))
        (file,) = Path(folder).iterdir()
        (graph,) = [event.graph_def for event in EventFileLoader(str(file)).Load() if event.graph_def]
        return bytes(graph)


def answers_of(data: bytes) -> list[list[Any]]:
    """The nodes of a GraphDef. Shapes are None where torch writes none."""
    return [
        [
            node.name,
            node.op,
            list(node.input),
            [[dim.size for dim in shape.dim] for shape in node.attr["_output_shapes"].list.shape]
            if "_output_shapes" in node.attr
            else None,
        ]
        for node in GraphDef.FromString(data).node
    ]


if __name__ == "__main__":
    folder, answers = Path(sys.argv[1]), {}
    torch.manual_seed(0)
    torch.backends.mha.set_fastpath_enabled(False)  # it is taken without gradients alone, so that traces would differ
    models = {
        "torch_resnet": (ResNet(8, 10).eval(), torch.zeros(1, 3, 32, 32)),
        "torch_transformer": (Transformer().eval(), torch.zeros(2, 6, dtype=torch.int64)),
    }
    for name, (model, inputs) in models.items():
        data = written_graph(model, inputs)
        (folder / f"{name}.pb.gz").write_bytes(gzip.compress(data, mtime=0))
        answers[name] = answers_of(data)
    text = json.dumps(answers, separators=(",", ":"))
    (folder / "torch_models.answers.json.gz").write_bytes(gzip.compress(text.encode(), mtime=0))
