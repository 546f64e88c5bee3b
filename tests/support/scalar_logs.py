"""Log folders for the browser tests, made in milliseconds: whole columns of framed records pressed with NumPy.

The bytes are those of TensorBoard's writers (checked against the reader in test_logs.py): length, masked CRC-32C, an
Event with wall time, step and one scalar Summary.Value, masked CRC-32C.
"""

import pathlib
import struct
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from lightboard.testing import event_files as ef

START = 1_750_000_000.0
Floats = NDArray[np.float64]


def _table() -> NDArray[np.uint32]:
    table = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        table = np.where(table & 1, (table >> 1) ^ np.uint32(0x82F63B78), table >> 1).astype(np.uint32)
    return table


CRC = _table()


def masked_crc(rows: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Masked CRC-32C of each row, as four little-endian bytes a row."""
    crc = np.full(len(rows), 0xFFFFFFFF, np.uint32)
    for column in np.ascontiguousarray(rows.T):
        crc = CRC[(crc ^ column) & 0xFF] ^ (crc >> 8)
    crc ^= np.uint32(0xFFFFFFFF)
    masked = ((crc >> 15) | (crc << 17)) + np.uint32(0xA282EAD8)
    return masked.astype("<u4").view(np.uint8).reshape(-1, 4)


def frame_records(rows: NDArray[np.uint8]) -> bytes:
    """TFRecord frames of equally long payloads, one a row."""
    head = np.frombuffer(struct.pack("<Q", rows.shape[1]), np.uint8)[None]
    heads = np.repeat(np.concatenate([head, masked_crc(head)], axis=1), len(rows), axis=0)
    return np.concatenate([heads, rows, masked_crc(rows)], axis=1).tobytes()


def version_record(wall_time: float = START) -> bytes:
    """The first record of every file: file_version "brain.Event:2"."""
    payload = b"\x09" + struct.pack("<d", wall_time) + b"\x1a\x0dbrain.Event:2"
    return frame_records(np.frombuffer(payload, np.uint8)[None])


def scalars(tag: str, steps: Sequence[int], walls: Floats, values: Floats) -> bytes:
    """Framed scalar events, in order. Steps are written as five-byte varints, so all rows are equally long."""
    name = tag.encode()
    value = b"\x0a" + _varint(len(name)) + name + b"\x15\0\0\0\0"
    summary = b"\x0a" + _varint(len(value)) + value
    mould = b"\x09" + bytes(8) + b"\x10" + bytes(5) + b"\x2a" + _varint(len(summary)) + summary
    at = np.asarray(steps, np.int64)
    rows = np.repeat(np.frombuffer(mould, np.uint8)[None], len(at), axis=0)
    rows[:, 1:9] = np.asarray(walls, "<f8").view(np.uint8).reshape(-1, 8)
    for i in range(5):
        rows[:, 10 + i] = ((at >> (7 * i)) & 0x7F) | (0x80 if i < 4 else 0)
    rows[:, -4:] = np.asarray(values, "<f4").view(np.uint8).reshape(-1, 4)
    return frame_records(rows)


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*out, number])


def write_run(
    folder: pathlib.Path, tags: Mapping[str, bytes], *, second: int = 0, start: float = START
) -> pathlib.Path:
    """Write one event file holding a version record and the given records."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"events.out.tfevents.{int(start) + second}.trainer.{second}.0"
    path.write_bytes(version_record(start) + b"".join(tags.values()))
    return path


HparamValue = float | int | str | bool
SESSION_START = "_hparams_/session_start_info"
SESSION_END = "_hparams_/session_end_info"
FIELD_NUMBER, FIELD_STRING, FIELD_BOOL = 2, 3, 4


def hparams(config: Mapping[str, HparamValue], *, wall: float = START, group: str = "", status: int = 0) -> bytes:
    """Framed records of a session's hyper-parameters, as the hparams plugin has them; status 1 success, 2 failure."""
    entries = b"".join(
        ef.bytes_field(1, ef.bytes_field(1, key.encode()) + ef.bytes_field(2, _encode_value(value)))
        for key, value in config.items()
    )
    start = entries + (ef.bytes_field(4, group.encode()) if group else b"") + ef.double_field(5, wall)
    records = _session(SESSION_START, ef.bytes_field(3, start), wall)
    if status:
        records += _session(SESSION_END, ef.bytes_field(4, ef.varint_field(1, status)), wall)
    return records


def _session(tag: str, content: bytes, wall: float) -> bytes:
    value = ef.bare_value(tag, ef.summary_metadata("hparams", content))
    return ef.summary_record([value], wall_time=wall)


def _encode_value(value: HparamValue) -> bytes:
    """A google.protobuf.Value, which knows no whole numbers."""
    if isinstance(value, bool):
        return ef.varint_field(FIELD_BOOL, int(value))
    if isinstance(value, str):
        return ef.bytes_field(FIELD_STRING, value.encode())
    return ef.double_field(FIELD_NUMBER, float(value))


def decay(run: int, tag: int, steps: int) -> Floats:
    """A noisy decay that differs by run and tag, exactly representable as float32."""
    rng = np.random.default_rng(1000 * run + tag)
    at = np.arange(steps)
    values = (1.5 + 0.3 * run) * np.exp(-at / (0.3 * steps)) + 0.2 + 0.02 * rng.normal(size=steps)
    return values.astype(np.float32).astype(np.float64)


SWEEP = ("baseline", "lr_1e-3", "lr_3e-4", "big/seed0", "big/seed1", "big/seed2")
SWEEP_CONFIG: dict[str, dict[str, HparamValue]] = {
    "baseline": {"lr": 3e-4, "batch_size": 32, "opt": "adamw", "seed": 0, "bf16": True},
    "lr_1e-3": {"lr": 1e-3, "batch_size": 32, "opt": "adamw", "seed": 0, "bf16": True},
    "lr_3e-4": {"lr": 3e-4, "batch_size": 32, "opt": "lion", "seed": 0, "bf16": True},
    "big/seed0": {"lr": 1e-4, "batch_size": 128, "opt": "adamw", "seed": 0, "bf16": True},
    "big/seed1": {"lr": 1e-4, "batch_size": 128, "opt": "adamw", "seed": 1, "bf16": True},
    "big/seed2": {"lr": 1e-4, "batch_size": 128, "opt": "adamw", "seed": 2, "bf16": True},
}
SWEEP_TAGS = (
    "train/loss",
    "train/grad_norm",
    "train/lr",
    "eval/loss",
    "eval/accuracy",
    "perf/tokens_per_sec",
)


def sweep(root: pathlib.Path, steps: int = 1_000) -> None:
    """F1: six runs of a small sweep, six tags each, with their hyper-parameters."""
    at = range(0, 10 * steps, 10)
    for run, name in enumerate(SWEEP):
        walls = START + 60 * run + np.arange(steps) * 0.5
        tags = {tag: scalars(tag, at, walls, decay(run, i, steps)) for i, tag in enumerate(SWEEP_TAGS)}
        session = hparams(SWEEP_CONFIG[name], wall=START + 60 * run, status=2 if name == "lr_1e-3" else 1)
        if name == SWEEP[-1]:
            # As torch does: a run beside the run that holds nothing but hyper-parameters.
            write_run(root / name / "hp", {SESSION_START: session}, start=START + 60 * run)
        else:
            tags[SESSION_START] = session
        write_run(root / name, tags, start=START + 60 * run)


LOST_AT = 3310
DATASETS, MODELS, RATES = ("imagenet1k", "coco2017"), ("vit_base_patch16", "resnet50d"), ("0.001", "0.003")
CONVERTED_AT = START + 86_400.0


def nested_sweep(root: pathlib.Path, steps: int = 600) -> None:
    """F11: 24 runs four folders deep, converted a day after they ran: their scalars span half an hour.

    Of vit_base_patch16 at 0.003 the seeds 0 and 2 end in NaN from step 3310 on."""
    names = [
        (
            f"{dataset}/{model}/lr{rate}_wd0.05/seed{seed}",
            {"dataset": dataset, "arch": model, "lr": float(rate), "seed": seed},
        )
        for dataset in DATASETS
        for model in MODELS
        for rate in RATES
        for seed in range(3)
    ]
    at, walls = np.arange(0, 10 * steps, 10), START + np.arange(steps) * 3.0
    for run, (name, config) in enumerate(names):
        losses, norms = decay(run % 5, 0, steps), decay(run % 5, 1, steps)
        if "vit" in name and "lr0.003" in name and config["seed"] != 1:
            losses[at >= LOST_AT] = norms[at >= LOST_AT] = np.nan
        columns = {
            "train/loss": losses,
            "model/decoder/layers/00/attention/out_proj/grad_norm": norms,
            "model/decoder/layers/11/mlp/gate_up/grad_norm": norms,
            "optimizer/loss_scale": np.where(at < 3000, 65536.0, 32768.0),
        }
        tags = {tag: scalars(tag, at.tolist(), walls, values) for tag, values in columns.items()}
        session = hparams(config, wall=CONVERTED_AT, status=1)
        write_run(root / name, {**tags, SESSION_START: session}, start=CONVERTED_AT)


SPIKES = (41_230, 118_455, 160_001)


def pretraining(root: pathlib.Path, steps: int = 200_000) -> None:
    """F12: one long run. Its loss has three spikes of forty steps, its gradients three of thirty above noise."""
    rng = np.random.default_rng(1)
    at = np.arange(steps)
    losses = 1.9 + 9 * np.exp(-at / 1500) + 2.2 * np.exp(-at / 30000) + rng.normal(0, 0.03, steps)
    norms = np.abs(0.3 + rng.normal(0, 0.03, steps))
    for spike in SPIKES:
        losses[spike : spike + 40] += 2.8 * np.exp(-np.arange(40) / 9)
        norms[spike : spike + 30] += 8
    walls = START + at * 4.3
    columns = {"train/lm_loss": (losses, 1), "train/grad_norm": (norms, 10)}
    tags = {
        tag: scalars(tag, at[::every].tolist(), walls[::every].copy(), values[::every].copy())
        for tag, (values, every) in columns.items()
    }
    write_run(root / "pretrain-7b-moe" / "2026-10-14T08-12-55Z_h100x512_lr3e-4-wsd_muon", tags)


def hundred_tags(root: pathlib.Path, steps: int = 1_000) -> None:
    """F2: 100 tags x 10 runs x 1,000 steps."""
    for run in range(10):
        walls = START + run + np.arange(steps) * 0.25
        tags = {
            (tag := f"layer_{i:02d}/grad_norm"): scalars(tag, range(steps), walls, decay(run, i, steps))
            for i in range(100)
        }
        write_run(root / f"run_{run}", tags, start=START + run)


CROWD_TAGS = ("eval/loss", "train/loss", "train/acc")


def crowd(root: pathlib.Path, runs: int = 10_000, steps: int = 20) -> None:
    """F4: very many short runs in ten folders, three tags each, with a learning rate and a seed."""
    shapes = [
        [
            scalars(tag, range(steps), START + np.arange(steps), decay(shape, i, steps))
            for i, tag in enumerate(CROWD_TAGS)
        ]
        for shape in range(10)
    ]
    rates = (1e-4, 3e-4, 1e-3)
    configs = [hparams({"lr": lr, "seed": seed}) for lr in rates for seed in range(5)]
    head = version_record()
    for run in range(runs):
        folder = root / f"sweep_{run % 10}" / f"run_{run:05d}"
        folder.mkdir(parents=True)
        data = head + configs[run % len(configs)] + b"".join(shapes[run % 10])
        (folder / f"events.out.tfevents.{int(START)}.trainer.0.0").write_bytes(data)


SPIKE_AT = 7_321
NAN_AT = 2_500


def fifty_runs(root: pathlib.Path, steps: int = 10_000) -> None:
    """F3: one tag, 50 runs x 10,000 steps, own wall times; run_00 has a NaN, run_01 one value 100 times too high."""
    for run in range(50):
        rng = np.random.default_rng(run)
        walls = START + run * 3 + np.cumsum(rng.uniform(0.1, 0.4, steps))
        values = decay(run % 10, run, steps)
        if run == 0:
            values[NAN_AT] = np.nan
        if run == 1:
            values[SPIKE_AT] = np.float32(values[SPIKE_AT] * 100)
        write_run(root / f"run_{run:02d}", {"loss": scalars("loss", range(steps), walls, values)}, start=START + run)


def restarted(root: pathlib.Path) -> None:
    """One run of 1,000 steps that crashed at 600 and went on from 400 in a second file, without a mark."""
    first, second = np.arange(600), np.arange(400, 1_000)
    values = decay(0, 0, 1_000)
    write_run(root, {"loss": scalars("loss", list(first), START + first * 0.5, values[first])})
    write_run(root, {"loss": scalars("loss", list(second), START + 900 + second * 0.5, values[second])}, second=60)


def odd_values(root: pathlib.Path) -> None:
    """One run with a NaN at step 30 and an infinity at step 60 among 100 steps."""
    values = decay(0, 0, 100)
    values[30], values[60] = np.nan, np.inf
    write_run(root / "odd", {"loss": scalars("loss", range(100), START + np.arange(100.0), values)})


ODD_NAMES = (
    "训练/学习率=0.1",
    "Запуск №7",
    "😀 run & <b>bold</b>",
    "תיקייה/ריצה",
    "100%, \"quoted\" 'n' #hash?",
    "constructor",
    "long_" + "x" * 195,
)


def odd_names(root: pathlib.Path) -> None:
    """F10: runs and tags in Chinese, Russian, emoji, right to left, with signs that mean something elsewhere."""
    at = np.arange(50)
    for run, name in enumerate(ODD_NAMES):
        tags = {
            tag: scalars(tag, range(50), START + at, decay(run, i, 50))
            for i, tag in enumerate(("损失/训练", "точность & <i>", "הפסד/😀", "a,b;c%2C"))
        }
        write_run(root / name, tags, start=START + run)


def damaged(root: pathlib.Path) -> tuple[str, int]:
    """F9: one good run and one with a flipped byte. Returns the damaged file's name and the record's offset."""
    at = np.arange(100)
    write_run(root / "good", {"loss": scalars("loss", range(100), START + at, decay(0, 0, 100))})
    path = write_run(root / "torn", {"loss": scalars("loss", range(100), START + at, decay(1, 0, 100))})
    data = bytearray(path.read_bytes())
    head = len(version_record(START))
    size = (len(data) - head) // 100
    offset = head + 40 * size
    data[offset + size // 2] ^= 0x10
    path.write_bytes(data)
    return path.name, offset
