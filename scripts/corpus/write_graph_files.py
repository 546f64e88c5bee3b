"""Writes the model files of tests/data/graphs, each by the writer that people use: torch, the onnx package, TensorFlow.

    python scripts/corpus/write_graph_files.py tests/data/graphs

Needs torch==2.13.0, onnx==1.23.2, onnxscript==0.7.2 and tensorflow-cpu==2.21.0.
"""

import sys
import tempfile
import warnings
import zipfile
from pathlib import Path

warnings.filterwarnings("ignore")


def write_torch(folder: Path) -> None:
    """A stack of three equal blocks by both exporters, and a loop with a condition in it."""
    import torch

    class Block(torch.nn.Module):
        def __init__(self, width: int) -> None:
            super().__init__()
            self.attention = torch.nn.Linear(width, width)
            self.norm = torch.nn.LayerNorm(width)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.norm(x + torch.relu(self.attention(x)))

    class Encoder(torch.nn.Module):
        def __init__(self, width: int = 8) -> None:
            super().__init__()
            self.embedding = torch.nn.Embedding(10, width)
            self.layers = torch.nn.ModuleList(Block(width) for _ in range(3))
            self.head = torch.nn.Linear(width, 4)

        def forward(self, tokens: torch.Tensor) -> torch.Tensor:
            x = self.embedding(tokens)
            for layer in self.layers:
                x = layer(x)
            return self.head(x)

    class Repeated(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.w = torch.nn.Linear(4, 4)

        def forward(self, x: torch.Tensor, n: int) -> torch.Tensor:
            for i in range(n):
                if i % 2 == 0:  # noqa: SIM108  # two branches of the graph
                    x = self.w(x)
                else:
                    x = x + 1
            return x

    torch.manual_seed(0)
    model, tokens = Encoder().eval(), torch.zeros((2, 5), dtype=torch.int64)
    names = {"input_names": ["tokens"], "output_names": ["logits"]}
    axes = {"tokens": {0: "batch"}}
    torch.onnx.export(model, (tokens,), str(folder / "torch_traced.onnx"), dynamo=False, dynamic_axes=axes, **names)
    program = torch.onnx.export(model, (tokens,), dynamo=True, verbose=False)
    for node in program.model.graph:
        node.metadata_props.pop("pkg.torch.onnx.stack_trace", None)  # has paths of this machine
    program.save(str(folder / "torch_exported.onnx"), external_data=False)
    scripted, inputs = torch.jit.script(Repeated()), (torch.zeros(2, 4), 3)
    path = str(folder / "torch_scripted.onnx")
    torch.onnx.export(scripted, inputs, path, dynamo=False, input_names=["x", "n"], output_names=["y"])


def write_torch_export(folder: Path) -> None:
    """Two equal blocks of modules, an open batch size, an operation of several outputs, a condition."""
    import torch

    class Block(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.norm = torch.nn.BatchNorm1d(4)
            self.linear = torch.nn.Linear(4, 4)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x + torch.relu(self.linear(self.norm(x)))

    class Model(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.blocks = torch.nn.ModuleList([Block(), Block()])

        def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
            for block in self.blocks:
                x = block(x)
            left, right = torch.split(x, [1, 3], dim=1)
            chosen = torch.cond(left.sum() > 0, lambda y: y.sin(), lambda y: y.cos(), (right,))
            return chosen, left

    torch.manual_seed(0)
    shapes = {"x": {0: torch.export.Dim("batch")}}
    program = torch.export.export(Model().eval(), (torch.randn(2, 4),), dynamic_shapes=shapes)
    torch.export.save(program, str(folder / "torch_export.pt2"))
    without_paths(folder / "torch_export.pt2")


def without_paths(path: Path) -> None:
    """Shorten the paths of source files in the traces of an exported program, which are those of one machine."""
    with zipfile.ZipFile(path) as archive:
        parts = {info.filename: archive.read(info) for info in archive.infolist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in parts.items():
            if name.endswith(".json"):
                data = data.replace(sys.prefix.encode(), b"/venv").replace(str(Path(__file__).parent).encode(), b"/src")
            archive.writestr(zipfile.ZipInfo(name), data)


def write_onnx(folder: Path) -> None:
    """What torch does not write: functions, nodes without names, types that are no tensors, external weights."""
    import numpy as np
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    scale = helper.make_function(
        "example", "Scale", ["x", "by"], ["y"], [helper.make_node("Mul", ["x", "by"], ["y"])],
        [helper.make_opsetid("", 20)],
    )  # fmt: skip
    weight = numpy_helper.from_array(np.arange(6, dtype=np.float16).reshape(2, 3), "weight")
    outside = TensorProto(name="large", dims=[1000, 1000], data_type=TensorProto.FLOAT, data_location=1)
    outside.external_data.add(key="location", value="large.bin")
    shape = numpy_helper.from_array(np.array([3, 2], np.int64), "shape")
    graph = helper.make_graph(
        [
            helper.make_node("Scale", ["a", "weight"], ["scaled"], domain="example"),
            helper.make_node("Reshape", ["scaled", "shape"], ["reshaped"], name="after/Reshape"),
            helper.make_node("SequenceConstruct", ["reshaped", "reshaped"], ["pair"]),
            helper.make_node("Clip", ["a", "", "large"], ["clipped"], doc_string="no lower end"),
        ],
        "example",
        [helper.make_tensor_value_info("a", TensorProto.FLOAT16, ["batch", 3])],
        [helper.make_tensor_sequence_value_info("pair", TensorProto.FLOAT16, [3, 2])],
        [weight, outside, shape],
        value_info=[helper.make_tensor_value_info("scaled", TensorProto.FLOAT16, ["batch", 3])],
    )
    opsets = [helper.make_opsetid("", 20), helper.make_opsetid("example", 1)]
    model = helper.make_model(graph, functions=[scale], opset_imports=opsets, producer_name="example")
    helper.set_model_props(model, {"license": "none"})
    onnx.save(model, str(folder / "onnx_functions.onnx"))


def write_tensorflow(folder: Path) -> None:
    """A frozen graph as bytes and as text, and a SavedModel."""
    import tensorflow as tf

    v1 = tf.compat.v1
    with tf.Graph().as_default() as graph, v1.Session(graph=graph) as session:
        v1.set_random_seed(0)
        x = v1.placeholder(tf.float32, (None, 4), name="x")
        for number in range(2):
            with v1.variable_scope(f"layer_{number}"):
                kernel = v1.get_variable("kernel", (4, 4))
                x = tf.nn.relu(tf.matmul(x, kernel), name="relu")
        tf.reduce_mean(x, name="mean")
        session.run(v1.global_variables_initializer())
        v1.train.write_graph(graph.as_graph_def(add_shapes=True), str(folder), "graph.pbtxt", as_text=True)
        frozen = v1.graph_util.convert_variables_to_constants(session, graph.as_graph_def(), ["mean"])
        v1.train.write_graph(frozen, str(folder), "frozen.pb", as_text=False)

    class Model(tf.Module):
        def __init__(self) -> None:
            super().__init__()
            self.kernel = tf.Variable(tf.zeros((4, 2)), name="kernel")

        @tf.function(input_signature=[tf.TensorSpec((None, 4), tf.float32, name="x")])
        def __call__(self, x: tf.Tensor) -> tf.Tensor:
            with tf.name_scope("dense"):
                return tf.nn.softmax(tf.matmul(x, self.kernel))

    with tempfile.TemporaryDirectory() as scratch:
        tf.saved_model.save(Model(), scratch)
        (folder / "saved_model.pb").write_bytes(without_debug_info(Path(scratch, "saved_model.pb").read_bytes()))


def without_debug_info(data: bytes) -> bytes:
    """A SavedModel without stack traces, which have paths of this machine."""
    from tensorflow.core.protobuf import saved_model_pb2

    saved = saved_model_pb2.SavedModel.FromString(data)
    for each in saved.meta_graphs:
        each.graph_def.ClearField("debug_info")
    return saved.SerializeToString(deterministic=True)


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    write_torch(target)
    write_torch_export(target)
    write_onnx(target)
    write_tensorflow(target)
