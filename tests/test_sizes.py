"""The text of sizes."""

import pytest

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
