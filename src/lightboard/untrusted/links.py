"""Decides which URLs untrusted text may link to, by their scheme as browsers parse it."""

import re

SCHEMES = frozenset({"http", "https", "mailto"})

PICTURE = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]*", re.IGNORECASE)
"""Raster images, which cannot run scripts or make requests."""

ENDS = "".join(map(chr, range(0x21)))
"""Characters that browsers strip from both ends of a URL."""

HIDDEN = re.compile(
    r"[\x00-\x20\x7f-\xa0\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202f\u2060-\u206f\u3000\ufeff\ufff9-\ufffb]"
)
"""Controls, spaces and invisible characters. Browsers remove some of them, which can form a scheme (`da\\tta:`); others
deceive readers of the URL."""

HEAD = re.compile(r"[^/?#\\]*")
"""The part of a URL that may contain a scheme."""


def safe_link(address: str) -> str | None:
    """The URL if a click on it can only open a page or compose an email, else None.

    A URL without a scheme is relative to the page. With a colon before the path it is absolute, and only known schemes
    are allowed, in upper or lower case.
    """
    address = address.strip(ENDS)
    head = HEAD.match(address)[0]  # type: ignore[index]  # fits any text
    if HIDDEN.search(address):
        return None
    scheme, colon, _ = head.partition(":")
    return address if not colon or scheme.lower() in SCHEMES else None


def is_picture(address: str) -> bool:
    """Whether the URL contains the image itself. Other images would be fetched, and reveal the reader."""
    return PICTURE.fullmatch(address) is not None
