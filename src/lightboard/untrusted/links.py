"""Which addresses a stranger's text may link to, decided on the scheme as browsers parse it."""

import re

SCHEMES = frozenset({"http", "https", "mailto"})

PICTURE = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]*", re.IGNORECASE)
"""Pixels, and nothing that could act or ask."""

ENDS = "".join(map(chr, range(0x21)))
"""Characters that browsers cut off at both ends of an address."""

HIDDEN = re.compile(
    r"[\x00-\x20\x7f-\xa0\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202f\u2060-\u206f\u3000\ufeff\ufff9-\ufffb]"
)
"""Controls, spaces and invisible letters. Browsers drop some of them, and so put a scheme together (`da\\tta:`); the
others deceive who reads the address."""

HEAD = re.compile(r"[^/?#\\]*")
"""What may hold a scheme: everything before the first of these."""


def safe_link(address: str) -> str | None:
    """The address if a click on it can do nothing but open a page or write a mail, else None.

    An address without a scheme is relative to the page. A colon before the path makes it absolute whatever stands
    before it, so only the schemes known here pass, in any case of letters.
    """
    address = address.strip(ENDS)
    head = HEAD.match(address)[0]  # type: ignore[index]  # fits any text
    if HIDDEN.search(address):
        return None
    scheme, colon, _ = head.partition(":")
    return address if not colon or scheme.lower() in SCHEMES else None


def is_picture(address: str) -> bool:
    """Does the address hold a picture itself? Any other would be fetched from somewhere, and tell who looks."""
    return PICTURE.fullmatch(address) is not None
