"""Variables of checkpoints, read without TensorFlow: which are listed, their numbers, and errors."""

import sys
from pathlib import Path

import numpy as np
import pytest

from lightboard.config import BoardSettings
from lightboard.errors import Unshowable
from lightboard.ingest.loader import Loader, LoaderOptions
from lightboard.ingest.logdir import sources
from lightboard.query.projector.checkpoint import parse_index
from lightboard.query.projector.service import ProjectorService
from lightboard.query.provider import CatalogProvider
from lightboard.series.catalog import Catalog
from lightboard.testing.fakes import event_file
from support.projector_files import CONFIG, bundle_entry, config, field, rows_of, service_of, table

LOGS = Path(__file__).resolve().parents[2] / "data" / "logs"
KERAS = "layer_with_weights-0/embeddings/.ATTRIBUTES/VARIABLE_VALUE"
ROWS = np.array([[1.5, -2.0], [4.0, 5.25], [0.0, 7.0]], np.float32)
FLOAT = bundle_entry(1, (3, 2), 0, 24)
EVENTS = event_file("x", [(0, 1.0)])


def checkpoint(prefix: str, entries: dict[str, bytes], data: bytes = ROWS.tobytes()) -> dict[str, bytes]:
    """The two files of a checkpoint."""
    return {f"{prefix}.index": table(entries), f"{prefix}.data-00000-of-00001": data}


def service_over(folder: Path) -> ProjectorService:
    """A service over a local folder."""
    catalog = Catalog()
    Loader(catalog, sources(str(folder)), LoaderOptions(threads=0)).load()
    return ProjectorService(CatalogProvider(catalog, BoardSettings(logdir=str(folder))))


def list_tensors(service: ProjectorService) -> list[tuple[str, int | None, str]]:
    return [(one.name, one.step, one.problem) for one in service.found().entries]


def test_variables_of_checkpoints_are_read() -> None:
    """From the only checkpoint beside the config."""
    service = service_of({CONFIG: config('tensor_name: "words"'), **checkpoint("model.ckpt-7", {"words": FLOAT})})
    assert (list_tensors(service), rows_of(service, name="words")) == ([("words", 7, "")], ROWS.tolist())


@pytest.mark.parametrize(
    ("dtype", "numpy"), [(1, "<f4"), (2, "<f8"), (3, "<i4"), (4, "u1"), (9, "<i8"), (10, "?"), (19, "<f2")]
)
def test_all_numeric_variables_are_read(dtype: int, numpy: str) -> None:
    """As float32."""
    numbers = np.array([[0, 1], [1, 1], [1, 0]], numpy)
    entry = bundle_entry(dtype, (3, 2), 8, numbers.nbytes)
    files = checkpoint("c", {"x": entry}, bytes(8) + numbers.tobytes())
    assert rows_of(service_of({CONFIG: config('tensor_name: "x"'), **files})) == numbers.astype(float).tolist()


def test_bfloat16_variables_are_read() -> None:
    """NumPy has no such type."""
    short = (np.array([[1.5, -2.0]], np.float32).view(np.uint32) >> 16).astype("<u2")
    files = checkpoint("c", {"x": bundle_entry(14, (1, 2), 0, 4)}, short.tobytes())
    assert rows_of(service_of({CONFIG: config('tensor_name: "x"'), **files})) == [[1.5, -2.0]]


def test_each_checkpoint_is_a_step() -> None:
    """Keras writes them to `train`. A name without a step means the last one."""
    files = {"train/tfevents.1": EVENTS, CONFIG: config(f'tensor_name: "{KERAS}"')}
    for step in (10, 2):
        files |= checkpoint(f"train/keras_embedding.ckpt-{step}", {KERAS: FLOAT}, (ROWS + step).tobytes())
    service = service_of(files)
    assert list_tensors(service) == [(f"{KERAS}:00002", 2, ""), (f"{KERAS}:00010", 10, "")]
    assert rows_of(service, name=KERAS) == (ROWS + 10).tolist()


def test_configs_without_names_list_all_tables() -> None:
    """Of the last checkpoint, without optimizer state, and with the metadata of the config."""
    entries = {
        "a": FLOAT,
        "a/.OPTIMIZER_SLOT/m": FLOAT,
        "bias": bundle_entry(1, (3,), 0, 12),
        "text": bundle_entry(7, (3, 2), 0, 24),
        "z": FLOAT,
    }
    service = service_of(
        {CONFIG: config('metadata_path: "m.tsv"'), "m.tsv": b"p\nq\nr\n", **checkpoint("c-1", entries)}
    )
    assert [one.name for one in service.found().entries] == ["a", "z"]
    assert service.labels(service.entry(".", "z"), "label", None) == ["p", "q", "r"]


def test_the_named_checkpoint_is_used() -> None:
    """TF1 stores an absolute path; only its last part counts."""
    files = {CONFIG: b'model_checkpoint_path: "/home/me/run/c-1"\n' + config('tensor_name: "x:0"')}
    files |= checkpoint("c-1", {"x": FLOAT}) | checkpoint("c-2", {"x": FLOAT}, bytes(24))
    assert rows_of(service_of(files)) == ROWS.tolist()


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("../secret/c", "'../secret/c.index' leads out of the folder of the config"),
        ("/secret/c", "'/secret/c.index' is an absolute path"),
        ("gs://bucket/c", "'gs://bucket/c.index' is on another host"),
        ("", "the config names no file for it, and no checkpoint lies in its folder"),
    ],
)
def test_checkpoints_outside_the_folder_are_refused(path: str, why: str) -> None:
    """Whatever the config names."""
    config_text = f'model_checkpoint_path: "{path}"\n'.encode() + config('tensor_name: "x"')
    service = service_of({f"run/{CONFIG}": config_text, **checkpoint("secret/c", {"x": FLOAT})})
    assert list_tensors(service) == [("x", None, why)]


def test_linked_checkpoints_outside_are_not_read(tmp_path: Path) -> None:
    """Nor those in a linked `train` folder, nor linked data files."""
    outside = tmp_path / "outside"
    run = tmp_path / "logs" / "run"
    half = tmp_path / "logs" / "half"
    for folder in (outside, run, half):
        folder.mkdir(parents=True)
    for name, data in checkpoint("c", {"x": FLOAT}).items():
        (outside / name).write_bytes(data)
    (run / "c.index").symlink_to(outside / "c.index")
    (run / "train").symlink_to(outside)
    (half / "c.index").write_bytes(table({"x": FLOAT}))
    (half / "c.data-00000-of-00001").symlink_to(outside / "c.data-00000-of-00001")
    for folder in (run, half):
        (folder / CONFIG).write_bytes(config('tensor_name: "x"'))
    service = service_over(tmp_path / "logs")

    with pytest.raises(Unshowable, match="no checkpoint lies in its folder"):
        rows_of(service, "run")
    with pytest.raises(Unshowable, match="is a link out of the folder"):
        rows_of(service, "half")


@pytest.mark.parametrize(
    ("entry", "data", "why"),
    [
        (bundle_entry(1, (3, 3), 0, 24), ROWS.tobytes(), "has 6 numbers"),
        (bundle_entry(1, (3, 2), 8, 24), ROWS.tobytes(), "ends before its numbers do"),
        (bundle_entry(1, (3, 2), 0, 2**62), ROWS.tobytes(), "is damaged|ends before"),
        (bundle_entry(1, (2**40, 2**40), 0, 24), ROWS.tobytes(), "numbers"),
        (bundle_entry(1, (3, 2), 0, 24, more=field(7, b"")), ROWS.tobytes(), "has no table of numbers 'x'"),
        (bundle_entry(7, (3, 2), 0, 24), ROWS.tobytes(), "has no table of numbers 'x'"),
        (bundle_entry(1, (24,), 0, 24), ROWS.tobytes(), "has no table of numbers 'x'"),
    ],
)
def test_inconsistent_entries_are_unshowable(entry: bytes, data: bytes, why: str) -> None:
    """With a wrong shape, offset, size or type."""
    service = service_of({CONFIG: config('tensor_name: "x"'), **checkpoint("c", {"x": entry}, data)})
    with pytest.raises(Unshowable, match=why):
        rows_of(service)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "not a checkpoint of TensorFlow 2"),
        (b"x" * 48, "not a checkpoint of TensorFlow 2"),
        (table({"x": FLOAT}, squeezed=1), "is compressed"),
        (table({"x": FLOAT}, header=b"\x08\x01\x10\x01"), "is big-endian"),
        (table({"x": b"\xff"}), "is damaged"),
        (table({"x": FLOAT})[-60:], "is damaged|is compressed"),
    ],
)
def test_invalid_indexes_are_unshowable(data: bytes, why: str) -> None:
    """The message names the reason."""
    with pytest.raises(Unshowable, match=why):
        parse_index(data)


def test_damaged_indexes_are_read_or_refused() -> None:
    """Any byte may be wrong; no other error is raised."""
    whole = table({"a": FLOAT, "b/c": FLOAT})
    for at in range(len(whole)):
        for byte in (0, 0x7F, 0xFF):
            damaged = whole[:at] + bytes([byte]) + whole[at + 1 :]
            try:
                parse_index(damaged)
            except Unshowable:
                continue


def test_checkpoints_of_tensorflow_are_read() -> None:
    """Written by tf.train.Checkpoint of TensorFlow 2.21."""
    service = service_over(LOGS / "tensorflow_kinds" / "embedding")
    name = "embedding/.ATTRIBUTES/VARIABLE_VALUE"
    rows = service.tables.rows(service.entry(".", name))
    assert (rows.shape, list_tensors(service)) == ((12, 4), [(name, 1, "")])
    last = [0.5628665685653687, 1.1589198112487793, 0.3559904098510742, -0.46133434772491455]
    assert rows[-1].tolist() == last


def test_weights_of_keras_3_are_read() -> None:
    """Keras 3 names a checkpoint that it never writes; its weights file has the same layer."""
    import h5py

    folder = LOGS / "keras_kinds" / "adam"
    service = service_over(folder)
    assert list_tensors(service) == [(f"{KERAS}:{step:05d}", step, "") for step in range(3)]
    for step in range(3):
        with h5py.File(folder / "train" / f"keras_embedding.ckpt-{step}.weights.h5") as weights:
            expected = weights["layers/embedding/vars/0"][:].tolist()
        assert rows_of(service, name=f"{KERAS}:{step:05d}") == expected


def test_external_data_of_weights_is_not_read(tmp_path: Path) -> None:
    """HDF5 allows external datasets and links. They are not listed."""
    import h5py

    (tmp_path / "secret").write_bytes(ROWS.tobytes())
    with h5py.File(tmp_path / "e-1.weights.h5", "w") as weights:
        outside = [(str(tmp_path / "secret"), 0, 24)]
        weights.create_dataset("layers/embedding/vars/0", (3, 2), "<f4", external=outside)
        weights["layers/link"] = h5py.ExternalLink(str(tmp_path / "secret"), "/")
    (tmp_path / CONFIG).write_bytes(config('tensor_name: "x"'))
    assert list_tensors(service_over(tmp_path)) == [("x", 1, "e-1.weights.h5 has no table of numbers 'x'")]


def test_weights_need_h5py(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says which extra to install."""
    monkeypatch.setitem(sys.modules, "h5py", None)
    why = (
        "keras_embedding.ckpt-0.weights.h5 is in Keras 3's format, and h5py is not installed to read it: "
        "pip install 'lightboard[projector]'"
    )
    assert list_tensors(service_over(LOGS / "keras_kinds" / "adam"))[0] == (f"{KERAS}:00000", 0, why)


def test_damaged_weights_are_reported() -> None:
    """Truncated files, for example."""
    service = service_of({CONFIG: config('tensor_name: "x"'), "e-1.weights.h5": b"\x89HDF\r\n\x1a\n" + bytes(100)})
    assert list_tensors(service) == [("x", 1, "e-1.weights.h5 is damaged")]
