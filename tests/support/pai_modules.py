"""Modules of `compat/pai`, which is not installed for the tests."""

import importlib
import sys
from types import ModuleType

from support.wheels import ROOT

SOURCE = str(ROOT / "compat" / "pai" / "src")


def pai_module(name: str) -> ModuleType:
    """The module `pai.NAME`."""
    sys.path.insert(0, SOURCE)
    try:
        return importlib.import_module(f"pai.{name}")
    finally:
        sys.path.remove(SOURCE)
