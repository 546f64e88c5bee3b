"""Reads JSON whose texts can be told: half of a surrogate pair is in no answer, since UTF-8 has none."""

import json
import re
from typing import Any

ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def load_json(data: bytes) -> Any:
    """The value. What is no character becomes U+FFFD, as in any text. Raises ValueError, RecursionError."""
    text = data.decode("utf-8-sig", "replace")
    value = json.loads(text)
    if ESCAPED_SURROGATE.search(text) is None:
        return value
    text = json.dumps(value, ensure_ascii=False)  # pairs of escapes are characters by now
    return json.loads(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
