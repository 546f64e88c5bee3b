"""Small ranges of a file, read through blocks."""

import random

from lightboard.query.buffered_range import BLOCK_BYTES, MAX_BLOCKS, BufferedRange

DATA = random.Random(1).randbytes(3 * BLOCK_BYTES + 17)


def test_ranges_are_those_of_the_file() -> None:
    buffered, chance = BufferedRange(lambda offset, length: DATA[offset : offset + length]), random.Random(2)
    ranges = [(chance.randrange(len(DATA) + 10), chance.choice([0, 1, 50, 3000, BLOCK_BYTES + 1])) for _ in range(300)]

    assert [buffered.read(*each) for each in ranges] == [DATA[offset : offset + length] for offset, length in ranges]


def test_a_block_is_read_once_while_it_is_kept() -> None:
    asked: list[int] = []

    def read(offset: int, length: int) -> bytes:
        asked.append(offset // BLOCK_BYTES)
        return bytes(length)

    buffered = BufferedRange(read)
    for number in [*range(MAX_BLOCKS), 0, 5, MAX_BLOCKS, 0, 1]:
        buffered.read(number * BLOCK_BYTES + 7, 20)

    assert asked == [*range(MAX_BLOCKS), MAX_BLOCKS, 1]
