"""The text of a number of things."""


def counted(number: float, noun: str) -> str:
    """`1 second`, `2 seconds`, `1,000 files`, `0.5 seconds`. Nouns have regular plurals."""
    return f"{number:,.15g} {noun}" if number == 1 else f"{number:,.15g} {noun}s"
