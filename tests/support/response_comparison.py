"""Compares whole responses."""

import httpx

VARYING = ("date", "x-request-id")
"""Headers that differ between any two answers."""


def comparable_response(answer: httpx.Response, *said: str) -> tuple[int, list[tuple[str, str]], str]:
    """Status, headers and body, with the request id and the requester's own words masked."""
    headers = [(name, text) for name, text in answer.headers.multi_items() if name not in VARYING]
    hidden = [(word, "*") for word in (answer.headers.get("x-request-id", ""), *said) if word]
    return (
        answer.status_code,
        sorted((name, mask_words(text, hidden)) for name, text in headers),
        mask_words(answer.text, hidden),
    )


def mask_words(text: str, hidden: list[tuple[str, str]]) -> str:
    """Replace words by stars of the same length."""
    for word, star in sorted(hidden, key=lambda pair: -len(pair[0])):
        text = text.replace(word, star * len(word))
    return text
