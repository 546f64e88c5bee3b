"""Log folders of texts and sounds for the browser tests: several runs, hostile words, tones that can be told apart."""

import math
import pathlib
import struct
from collections.abc import Sequence

from lightboard.testing import event_files as ef

START = 1_750_000_000.0
RATE = 8000
RUNS = ("baseline", "lr_1e-3", "big/seed0")
STEPS = tuple(range(0, 1001, 100))

TEXT = ef.summary_metadata("text")
AUDIO = ef.summary_metadata("audio", ef.varint_field(2, 11))

HOSTILE = """# Hostile
<script>window.hacked = 1</script><img src=x onerror="window.hacked = 2">
<svg onload="window.hacked = 3"><script>window.hacked = 4</script></svg>
[a link](javascript:window.hacked=5) [out](https://example.invalid/page) [around](#runs)
![pixel](http://example.invalid/pixel.png)
<a href="javascript:window.hacked=6">b</a> <style>body { display: none }</style>
<iframe src="http://example.invalid/"></iframe><form action="http://example.invalid/"><button>go</button></form>
"""
ANIMALS = ("fox", "wolf", "bear")


def texts(folder: pathlib.Path) -> None:
    """Three runs: samples that change from step to step, a table, a pile of tables, a long text, hostile ones."""
    for number, run in enumerate(RUNS):
        records = []
        for step in STEPS[number:]:
            records += [
                _text("generation/sample", step, [sample(number, step)], []),
                _text("generation/prompt/text_summary", step, [f"*prompt* of step {step}"], [1]),
            ]
        records += [
            _text("table", 100, ["**name**", "**loss**", run, f"{0.5 / (number + 1):.3f}"], [2, 2]),
            _text("pile", 100, [f"{run} {cell}" for cell in range(12)], [3, 2, 2]),
            _text("long", 100, [long_text(run)], []),
            _text("hostile", 100, [HOSTILE], []),
            _text("имя/训练 🚀/עברית", 100, [f"odd {run}"], []),
        ]
        _write(folder / run, records)


def long_text(run: str) -> str:
    """5,000 sentences in paragraphs of ten."""
    paragraphs = (range(first, first + 10) for first in range(0, 5000, 10))
    return "\n\n".join(" ".join(f"Sentence {i} of {run}." for i in part) for part in paragraphs)


def write_on(folder: pathlib.Path, step: int) -> None:
    """One more sample of the first run."""
    (path,) = (folder / RUNS[0]).iterdir()
    ef.append_events(path, [_text("generation/sample", step, [sample(0, step)], [])])


def sample(run: int, step: int) -> str:
    """What a run says at a step."""
    return (
        f"Step **{step}**\n\nThe quick brown {ANIMALS[run]} jumps over the lazy dog, {step // 100} times.\n\n"
        "| key | value |\n|---|---|\n| loss | 0.5 |\n\n```python\nprint('hello')\n```"
    )


def sounds(folder: pathlib.Path) -> None:
    """Three runs: a tone that falls silent, a stereo pair with labels, and what is no sound."""
    for number, run in enumerate(RUNS):
        records = []
        for step in STEPS[:5]:
            tone = wav([wave(RATE, 220 * (number + 1), fade=step / 500)])
            records.append(ef.summary_record([ef.audio_value("speech/tone", tone)], step=step, wall_time=START + step))
            pair = [stereo(step), b"left", wav([wave(RATE // 4, 880)]), "правый".encode()]
            value = ef.tensor_value("pair", ef.tensor(ef.STRING, pair, shape=[2, 2]), AUDIO)
            records.append(ef.summary_record([value], step=step, wall_time=START + step))
        broken = ef.tensor_value("broken", ef.tensor(ef.STRING, [b"RIFF" + bytes(100)], shape=[1]), AUDIO)
        records.append(ef.summary_record([broken], step=0, wall_time=START))
        _write(folder / run, records)


def wave(frames: int, hertz: float, *, fade: float = 0.0) -> list[int]:
    """A tone that falls silent, as 16-bit numbers."""
    return [
        round(28_000 * math.sin(2 * math.pi * hertz * at / RATE) * (1 - fade * at / frames)) for at in range(frames)
    ]


def stereo(step: int) -> bytes:
    """Left loud at the beginning, right at the end."""
    left, right = wave(RATE, 330, fade=1.0), wave(RATE, 440 + step)[::-1]
    return wav([left, right])


def wav(channels: Sequence[Sequence[int]]) -> bytes:
    """16-bit WAV."""
    frames = [number for frame in zip(*channels, strict=True) for number in frame]
    data = struct.pack(f"<{len(frames)}h", *frames)
    width = 2 * len(channels)
    fmt = struct.pack("<HHIIHH", 1, len(channels), RATE, RATE * width, width, 16)
    body = b"WAVEfmt " + struct.pack("<I", len(fmt)) + fmt + b"data" + struct.pack("<I", len(data)) + data
    return b"RIFF" + struct.pack("<I", len(body)) + body


def _text(tag: str, step: int, strings: list[str], shape: list[int]) -> bytes:
    proto = ef.tensor(ef.STRING, [text.encode() for text in strings], shape=shape)
    return ef.tensor_record(tag, step, proto, START + step, TEXT)


def _write(folder: pathlib.Path, records: list[bytes]) -> None:
    ef.write_events(folder / f"events.out.tfevents.{int(START)}.trainer", records)
