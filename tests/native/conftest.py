"""The compiled core is required here: without it, tests fail and say how to build it."""

from types import ModuleType

import pytest

from lightboard import _native


@pytest.fixture(scope="session")
def core() -> ModuleType:
    """The compiled module."""
    if _native.core is None:
        pytest.fail(f"the compiled core is missing, build it with scripts/build_native.sh ({_native.reason})")
    return _native.core
