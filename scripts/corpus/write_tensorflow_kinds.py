"""Every kind of data by TensorFlow 2's `tf.summary` and by TensorBoard's plugins: several steps, runs and samples."""

# ruff: isort: off
import neutral

import os

os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="")

import numpy as np
import tensorflow as tf
from tensorboard.summary import v1 as tb_summary
from tensorboard.plugins import projector
from tensorboard.plugins.custom_scalar import layout_pb2
from tensorboard.plugins.custom_scalar import summary as custom_scalar
from tensorboard.plugins.mesh import summary_v2 as mesh
from tensorboard.plugins.pr_curve import summary as pr_curve

root = neutral.folder("tensorflow_kinds")
tf.random.set_seed(32)
numbers = np.random.default_rng(32)


def gradient(step: int, channels: int, height: int = 12, width: int = 16) -> np.ndarray:
    """A smooth picture, channels last, which says its step by its brightness."""
    rows, columns = np.mgrid[0 : 1 : height * 1j, 0 : 1 : width * 1j]
    return np.stack([(rows * (c + 1) + columns + step / 4) % 1 for c in range(channels)], axis=-1)


def histograms(shift: float) -> None:
    for step in range(0, 60, 6):
        tf.summary.histogram(
            "weights", numbers.normal(shift + step / 30, 1, 300), step=step, description="*all* of them"
        )
        tf.summary.histogram("three buckets", numbers.standard_normal(50), step=step, buckets=3)
    for step, values in enumerate([[], [3.25] * 7, [2.5], [-1e-30, 1e30], [0, 0]]):
        tf.summary.histogram("odd", tf.constant(values, tf.float64), step=step)
    tf.summary.histogram("no buckets", [1.0, 2.0], step=0, buckets=0)
    tf.summary.histogram("integers", tf.range(40), step=0, buckets=5)


def images() -> None:
    for step in range(5):
        batch = np.stack([gradient(step + i, 3) for i in range(5)])
        tf.summary.image("three of five", batch, step=step)
        tf.summary.image("all five", batch, step=step, max_outputs=5, description="five pictures a step")
        tf.summary.image("grey", gradient(step, 1)[None], step=step)
        tf.summary.image("alpha", gradient(step, 4)[None], step=step)
    tf.summary.image("none", np.zeros((0, 4, 4, 3)), step=0)
    tf.summary.image("bytes", (gradient(0, 3) * 255).astype(np.uint8)[None], step=0)


def sounds() -> None:
    for step in range(4):
        wave = np.sin(np.arange(300, dtype=np.float32) * (0.05 + step * 0.02))
        pair = np.stack([wave, wave[::-1]])[..., None]
        tf.summary.audio("two clips", pair, 8000, step=step, description="forwards and *backwards*")
        stereo = np.stack([wave, -wave / 2], axis=-1)[None]
        tf.summary.audio("stereo", stereo, 8000, step=step, encoding="wav")


def words() -> None:
    for step in range(4):
        tf.summary.text("rank 0", f"step **{step}**", step=step, description="one text")
        tf.summary.text("rank 1", tf.constant([f"row {i}" for i in range(step)], tf.string), step=step)
        tf.summary.text("rank 2", [["a", "b"], ["*c*", str(step)]], step=step)
        tf.summary.text("rank 3", [[["a", "b"], ["c", "d"]], [["e", "f"], ["g", "h"]]], step=step)
    tf.summary.text("html", "<script>alert(1)</script><b>bold</b> [x](javascript:alert(1))", step=0)
    tf.summary.text("empty", "", step=0)
    tf.summary.text("no cells", tf.constant([], tf.string, shape=(0, 2)), step=0)
    tf.summary.text("nul", "a\0b", step=0)


def curves(skill: float) -> None:
    for step in range(0, 20, 5):
        labels = numbers.integers(0, 2, 60).astype(bool)
        scores = np.clip(labels * skill * (step + 5) / 20 + numbers.random(60) * (1 - skill), 0, 1)
        write(pr_curve.pb("pr", labels, scores, num_thresholds=11, description="*how* good"), step)
        write(pr_curve.pb("named", labels, scores, num_thresholds=5, display_name="A name"), step)
    write(pr_curve.pb("default thresholds", labels, scores), 0)
    counts = [[10, 6, 2, 0], [8, 3, 1, 0], [0, 5, 7, 8], [0, 4, 8, 10], [0.55, 0.66, 0.66, 0.0], [1.0, 0.6, 0.2, 0.0]]
    write(pr_curve.raw_data_pb("raw", *(np.array(row) for row in counts), num_thresholds=4), 0)


def write(pb: object, step: int) -> None:
    """A summary message, through the writer in force."""
    tf.summary.experimental.write_raw_pb(pb.SerializeToString(), step=step)


def shapes() -> None:
    solid = np.array([[[1.0, 1, 1], [-1, -1, 1], [-1, 1, -1], [1, -1, -1]]], np.float32)
    faces = np.array([[[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]]], np.int32)
    colours = np.array([[[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 0]]], np.uint8)
    config = {
        "camera": {"cls": "PerspectiveCamera", "fov": 75},
        "lights": [{"cls": "AmbientLight", "color": "#ffffff", "intensity": 0.75}],
        "material": {"cls": "MeshStandardMaterial", "metalness": 0},
    }
    for step in range(4):
        mesh.mesh("solid", solid * (step + 1), faces=faces, colors=colours, config_dict=config, step=step)
        cloud = numbers.random((3, 30, 3)).astype(np.float32)
        mesh.mesh("cloud", cloud, step=step, description="three *clouds*")
        write(mesh.mesh_pb("by message", cloud, colors=(cloud * 255).astype(np.uint8)), step)


def layout(*charts: layout_pb2.Chart, title: str) -> layout_pb2.Layout:
    return layout_pb2.Layout(category=[layout_pb2.Category(title=title, chart=charts, closed=True)])


def runs() -> None:
    lines = layout_pb2.Chart(title="all", multiline={"tag": ["loss/mean", "loss/(low|high)"]})
    series = {"value": "loss/mean", "lower": "loss/low", "upper": "loss/high"}
    bands = layout_pb2.Chart(title="band", margin={"series": [series]})
    for name, skill in (("a", 0.3), ("b", 0.7)):
        writer = tf.summary.create_file_writer(str(root / name))
        with writer.as_default():
            for step in range(20):
                value = float(np.exp(-step * skill / 10))
                for tag, number in (("loss/mean", value), ("loss/low", value * 0.9), ("loss/high", value * 1.2)):
                    tf.summary.scalar(tag, number, step=step)
            histograms(skill * 3)
            images()
            sounds()
            words()
            curves(skill)
            shapes()
            write(custom_scalar.pb(layout(lines, *[bands] * (name == "b"), title="loss")), 0)
        writer.close()


def messages() -> None:
    """TensorBoard's own summaries of the first generation, as messages (`tensorboard.summary.*_pb`)."""
    writer = tf.summary.create_file_writer(str(root / "pb"))
    with writer.as_default():
        for step in range(3):
            write(tb_summary.scalar_pb("scalar", 0.5 + step, display_name="A name", description="a *number*"), step)
            write(tb_summary.histogram_pb("histogram", numbers.standard_normal(100), bucket_count=6), step)
            picture = (np.stack([gradient(step + i, 3) for i in range(2)]) * 255).astype(np.uint8)
            write(tb_summary.image_pb("image", picture, display_name="Pictures"), step)
            waves = np.sin(np.arange(400).reshape(2, 200, 1) / (9 + step)).astype(np.float32)
            write(tb_summary.audio_pb("audio", waves, sample_rate=8000, labels=["**one**", "two"]), step)
            write(tb_summary.audio_pb("no labels", waves[:1], sample_rate=8000), step)
            write(tb_summary.text_pb("text", np.array(["a *b*", "c"], dtype=object)), step)
    writer.close()


def embedding() -> None:
    """The projector as TensorFlow's tutorial does it: a checkpoint, a label file, a config."""
    place = root / "embedding"
    with tf.summary.create_file_writer(str(place)).as_default():
        tf.summary.scalar("loss", 0.5, step=0)
    names = list("abcdefghijкл")
    (place / "metadata.tsv").write_text("".join(f"{name}\n" for name in names), encoding="utf-8")
    weights = tf.Variable(numbers.standard_normal((12, 4)), dtype=tf.float32)
    tf.train.Checkpoint(embedding=weights).save("embedding/embedding.ckpt")
    config = projector.ProjectorConfig()
    one = config.embeddings.add()
    one.tensor_name = "embedding/.ATTRIBUTES/VARIABLE_VALUE"
    one.metadata_path = "metadata.tsv"
    projector.visualize_embeddings(str(place), config)


runs()
messages()
embedding()
