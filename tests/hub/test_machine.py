"""What the machine of a hub has for jobs."""

import os
from pathlib import Path

import pytest

from lightboard.errors import UsageError
from lightboard.hub.machine import find_gpus, parse_gpus, plain_capacity, total_memory_bytes
from lightboard.hub.resources.presets import Capacity


def test_gpus_are_found_by_their_device_files(tmp_path: Path) -> None:
    """Other devices of the driver are none."""
    for name in ("nvidia10", "nvidia0", "nvidia2", "nvidiactl", "nvidia-uvm", "nvidia-caps", "null"):
        (tmp_path / name).touch()

    assert (find_gpus(tmp_path), find_gpus(tmp_path / "none")) == ((0, 2, 10), ())


@pytest.mark.parametrize(("text", "gpus"), [("0", (0,)), ("3, 0,1", (0, 1, 3)), ("none", ())])
def test_gpus_can_be_chosen(text: str, gpus: tuple[int, ...]) -> None:
    """By their numbers."""
    assert parse_gpus(text) == gpus


@pytest.mark.parametrize("text", ["", "0,", "all", "-1", "0,0", "00,0", "1.5", "²"])
def test_what_is_no_list_of_gpus_is_an_error(text: str) -> None:
    """With a hint."""
    with pytest.raises(UsageError, match="is no list of GPUs"):
        parse_gpus(text)


@pytest.mark.parametrize(("limit", "expected"), [("1048576\n", 1 << 20), ("max\n", None), (str(1 << 62), None)])
def test_memory_is_that_of_the_container(tmp_path: Path, limit: str, expected: int | None) -> None:
    """If it has less than the machine."""
    file = tmp_path / "memory.max"
    file.write_text(limit)
    machine = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")

    assert total_memory_bytes(file) == (expected or machine)
    assert total_memory_bytes(tmp_path / "none") == machine


def test_a_hub_without_presets_has_slots_alone() -> None:
    """As many as processors, unless it is told."""
    assert (plain_capacity(3), plain_capacity(0)) == (Capacity(slots=3), Capacity(slots=os.cpu_count() or 1))
