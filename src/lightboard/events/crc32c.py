"""CRC-32C (Castagnoli) and its masked form, as used in event files. Pure Python, table-driven."""

from functools import cache

_POLYNOMIAL = 0x82F63B78
_MASK_DELTA = 0xA282EAD8


def _table() -> tuple[int, ...]:
    rows = []
    for byte in range(256):
        crc = byte
        for _ in range(8):
            crc = (crc >> 1) ^ (_POLYNOMIAL if crc & 1 else 0)
        rows.append(crc)
    return tuple(rows)


_TABLE = _table()


def crc32c(data: bytes | bytearray | memoryview, crc: int = 0) -> int:
    """CRC-32C of `data`. To continue, pass the result for the preceding bytes as `crc`."""
    data = bytes(data)
    rest = data.lstrip(b"\0")
    crc = crc32c_of_zeros(len(data) - len(rest), crc) ^ 0xFFFFFFFF
    table = _TABLE
    for byte in rest:
        crc = table[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    return crc ^ 0xFFFFFFFF


def crc32c_of_zeros(count: int, crc: int = 0) -> int:
    """The same for `count` zero bytes, in logarithmic time."""
    crc ^= 0xFFFFFFFF
    power = 0
    while count >> power:
        if count >> power & 1:
            crc = _apply(_shift(power), crc)
        power += 1
    return crc ^ 0xFFFFFFFF


@cache
def _shift(power: int) -> tuple[int, ...]:
    """The effect of 2**power zero bytes on each bit of the register alone. The register is linear in its bits."""
    if power == 0:
        return tuple(_TABLE[bit & 0xFF] ^ (bit >> 8) for bit in (1 << place for place in range(32)))
    half = _shift(power - 1)
    return tuple(_apply(half, bit) for bit in half)


def _apply(shift: tuple[int, ...], crc: int) -> int:
    after = 0
    for bit in shift:
        if crc & 1:
            after ^= bit
        crc >>= 1
    return after


def masked(crc: int) -> int:
    """The form written to files: rotated right by 15 bits, then a constant added."""
    return (((crc >> 15) | (crc << 17)) + _MASK_DELTA) & 0xFFFFFFFF
