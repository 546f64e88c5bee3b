"""The text of sizes, in powers of 1000."""

UNITS = ("B", "kB", "MB", "GB", "TB")


def size_text(size_bytes: int | None) -> str:
    """`1.2 GB`; "-" if unknown."""
    if size_bytes is None:
        return "-"
    size = float(size_bytes)
    for unit in UNITS:
        if round(size, 1) < 1000 or unit == UNITS[-1]:
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1000
    raise AssertionError
