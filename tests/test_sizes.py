"""The text of sizes, and of memory."""

import pytest

from lightboard.memory_sizes import measured_memory_text, memory_bytes, memory_text
from lightboard.sizes import size_text


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (None, "-"),
        (0, "0 B"),
        (999, "999 B"),
        (1_500, "1.5 kB"),
        (999_949, "999.9 kB"),
        (999_950, "1.0 MB"),
        (2_000_000_000, "2.0 GB"),
        (5 * 10**15, "5000.0 TB"),
    ],
)
def test_sizes_use_powers_of_ten(size: int | None, text: str) -> None:
    """As disks are sold and files are listed."""
    assert size_text(size) == text


def test_memory_is_written_as_presets_are() -> None:
    """Whether it is a limit, or was measured and is no round number."""
    limits = ["512M", "1.5G", "2G", "1024T"]
    sizes = [None, 0, 1 << 19, int(340.4 * (1 << 20)), 2 << 30, int(1.94 * (1 << 30)), int(125.7 * (1 << 30))]

    assert [memory_text(memory_bytes(limit)) for limit in limits] == limits
    assert [measured_memory_text(size) for size in sizes] == ["-", "0", "0.5M", "340M", "2G", "1.9G", "126G"]
