"""The page that is shown if the web pages were not built: how to build them, and where the API is."""

import html
from pathlib import Path

from lightboard.config import BoardSettings

STATIC = Path(__file__).parent / "static"
BUILD_COMMAND = "make build"


def pages_built() -> bool:
    """Whether the web pages are built."""
    return (STATIC / "index.html").is_file()


def pages_missing(settings: BoardSettings) -> str:
    """A plain page without scripts or images."""
    title = html.escape(settings.window_title or "Lightboard")
    return f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
body {{ max-width: 42rem; margin: 15vh auto; padding: 0 1rem; font: 16px/1.5 system-ui; color-scheme: light dark }}
pre {{ padding: .75rem 1rem; border: 1px solid #8884; border-radius: 8px; overflow: auto }}
</style>
<h1>The web pages are not built</h1>
<p>Lightboard is reading <code>{html.escape(settings.location)}</code> and answers at
<a href="api/v1/status">api/v1/status</a>, but this installation has no pages to show.
Build them once in the folder of the sources; Node 20 or later is needed:</p>
<pre>{html.escape(BUILD_COMMAND)}</pre>
<p>Then reload this page.</p>
</html>
"""
