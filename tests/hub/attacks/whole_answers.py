"""Answers compared whole: what somebody could tell two things apart by."""

import httpx

VARYING = ("date", "x-request-id")
"""Headers that differ between any two answers."""


def whole(answer: httpx.Response, *said: str) -> tuple[int, list[tuple[str, str]], str]:
    """Status, headers and body of an answer; words that who asks has `said`, and the request's id, are left out."""
    headers = [(name, text) for name, text in answer.headers.multi_items() if name not in VARYING]
    hidden = [(word, "*") for word in (answer.headers.get("x-request-id", ""), *said) if word]
    return (
        answer.status_code,
        sorted((name, without(text, hidden)) for name, text in headers),
        without(answer.text, hidden),
    )


def without(text: str, hidden: list[tuple[str, str]]) -> str:
    """A text with words replaced by stars, as many as they have letters: lengths still count."""
    for word, star in sorted(hidden, key=lambda pair: -len(pair[0])):
        text = text.replace(word, star * len(word))
    return text
