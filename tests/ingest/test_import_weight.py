"""The loader starts reading without heavy imports."""

import subprocess
import sys

HEAVY = {"asyncio", "anyio", "watchfiles", "starlette", "uvicorn", "pydantic", "numpy", "logging", "concurrent.futures"}


def test_importing_the_loader_loads_nothing_heavy():
    """Neither watchfiles nor anything of the HTTP server."""
    code = "import lightboard.ingest.loader, lightboard.ingest.logdir, sys; print('\\n'.join(sys.modules))"
    modules = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    assert ("lightboard.ingest.loader" in modules, HEAVY & set(modules)) == (True, set())
