"""Where somebody goes on after a login: a path of this hub, never another site."""

from urllib.parse import urlsplit


def own_path(text: str, prefix: str) -> str:
    """`text` as a path below the hub's `prefix`, which may stand before it; "/" for anything that is no such path."""
    text = text.removeprefix(prefix) if text.startswith(f"{prefix}/") else text
    if not text.startswith("/") or text.startswith("//") or "\\" in text or not text.isprintable():
        return "/"
    parts = urlsplit(text)
    return "/" if parts.scheme or parts.netloc else text
