"""Loads the compiled core.

`core` is the compiled module, or None; `reason` then says why in one line. Only `events.decode`, `profiles` and `query`
use it.
"""

import os
from types import ModuleType

core: ModuleType | None = None
reason = ""

if os.environ.get("LIGHTBOARD_NATIVE") == "0":
    reason = "switched off by LIGHTBOARD_NATIVE=0"
else:
    try:
        from lightboard._native import _core  # type: ignore[attr-defined, unused-ignore]  # compiled, may be absent

        core = _core
    except ImportError as error:
        found = any(name.startswith("_core") for name in os.listdir(os.path.dirname(__file__)))
        reason = f"it cannot be loaded ({error})" if found else "it was not compiled"
