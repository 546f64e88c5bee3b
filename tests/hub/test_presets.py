"""Presets as an administrator gives them."""

import pytest

from lightboard.errors import UsageError
from lightboard.hub.presets import parse_presets
from lightboard.hub.resources.presets import Preset


def test_presets_are_parsed() -> None:
    """In their order. What is left out is one CPU, memory without limit, and no GPU."""
    texts = ["ecs.c6.large=cpu:2,memory:4G", "gpu_1=gpu:1, memory:1.5g,cpu:8", "cpu-small=cpu:1"]

    assert list(parse_presets(texts).by_name.values()) == [
        Preset(name="ecs.c6.large", cpus=2, memory_bytes=4 << 30),
        Preset(name="gpu_1", cpus=8, memory_bytes=3 << 29, gpus=1),
        Preset(name="cpu-small", cpus=1),
    ]


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["small"], "--preset small is not NAME=cpu:N,memory:SIZE,gpu:N"),
        (["small="], "--preset small= is not NAME=cpu:N,memory:SIZE,gpu:N"),
        (["a b=cpu:1"], "--preset a b=cpu:1: 'a b' is no name"),
        (["=cpu:1"], "--preset =cpu:1: '' is no name"),
        (["a=cpu:0"], "--preset a=cpu:0: cpu:0 is not a whole number from 1"),
        (["a=cpu:0.5"], "--preset a=cpu:0.5: cpu:0.5 is not a whole number from 1"),
        (["a=gpu:-1"], "--preset a=gpu:-1: gpu:-1 is not a whole number from 0"),
        (["a=memory:4"], "--preset a=memory:4: '4' is not a size of memory"),
        (["a=cpu=2"], "--preset a=cpu=2: 'cpu=2' is not cpu:N, memory:SIZE or gpu:N, each once"),
        (["a=cpu:1,cpu:2"], "--preset a=cpu:1,cpu:2: 'cpu:2' is not cpu:N, memory:SIZE or gpu:N, each once"),
        (["a=disk:4G"], "--preset a=disk:4G: 'disk:4G' is not cpu:N, memory:SIZE or gpu:N, each once"),
        (["a=cpu:1", "a=cpu:2"], "the preset a is given twice"),
    ],
)
def test_what_is_no_preset_is_an_error(texts: list[str], message: str) -> None:
    """With a hint."""
    with pytest.raises(UsageError) as caught:
        parse_presets(texts)

    assert caught.value.message == message
    assert caught.value.hint
