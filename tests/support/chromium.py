"""Where a Chromium is to be had: $CHROMIUM, else one of the system, else the one inside @sparticuz/chromium."""

import json
import os
import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
SYSTEM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
CHROMIUM_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--enable-precise-memory-info",
    "--font-render-hinting=none",
)
LARGE_TILES = ("--default-tile-width=1440", "--default-tile-height=900")
"""Without a graphics card, each tile costs shared memory: one for a window instead of two dozen of 256 pixels."""
SHORT_LIVED = ("--js-flags=--no-opt --no-maglev --initial-heap-size=256 --min-semi-space-size=16",)
"""Pages of tests are gone before optimized code pays for its compilation, and before garbage is worth collecting."""


def find_browser() -> tuple[str, dict[str, str], list[str]]:
    """Return the executable, what to add to its environment, and its own arguments."""
    named = os.environ.get("CHROMIUM")
    if named:
        return named, {}, []
    for name in SYSTEM_NAMES:
        found = shutil.which(name)
        if found:
            return found, {}, []
    script = ROOT / "scripts" / "unpack_chromium.mjs"
    unpacked = json.loads(subprocess.check_output(["node", str(script)]))
    return unpacked["executable"], unpacked["env"], ["--headless=shell", "--no-zygote"]
