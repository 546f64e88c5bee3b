"""The data class of a value by TensorBoard's rules: old payload types imply a plugin, else the metadata decides."""

from lightboard.events.messages import AUDIO, HISTOGRAM, IMAGE, OLD_HISTOGRAM, SIMPLE_VALUE

SCALAR_CLASS, TENSOR_CLASS, BLOB_CLASS = 1, 2, 3

SCALARS = b"scalars"

PAYLOAD_PLUGINS = {
    SIMPLE_VALUE: SCALARS,
    OLD_HISTOGRAM: b"histograms",
    IMAGE: b"images",
    HISTOGRAM: b"histograms",
    AUDIO: b"audio",
}

DATA_CLASSES = {
    SCALARS: SCALAR_CLASS,
    b"histograms": TENSOR_CLASS,
    b"text": TENSOR_CLASS,
    b"hparams": TENSOR_CLASS,
    b"pr_curves": TENSOR_CLASS,
    b"mesh": TENSOR_CLASS,
    b"custom_scalars": TENSOR_CLASS,
    b"images": BLOB_CLASS,
    b"audio": BLOB_CLASS,
    b"graph_run_metadata": BLOB_CLASS,
    b"graph_run_metadata_graph": BLOB_CLASS,
    b"graph_keras_model": BLOB_CLASS,
    b"graphs": BLOB_CLASS,
    b"graph_tagged_run_metadata": BLOB_CLASS,
}

RUN_GRAPH_TAG = b"__run_graph__"
META_GRAPH_TAG = b"__meta_graph__"


def data_class(plugin: bytes, written: int) -> int:
    """`written`, the class in the metadata, if it is set, else the class of a known plugin, else 0."""
    return written or DATA_CLASSES.get(plugin, 0)
