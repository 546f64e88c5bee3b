"""What a cell shows: the page of a board in a frame, or its address in a terminal.

A saved notebook shows the same again. Whether the board still runs, nobody knows then, so the text says what to do.
"""

from dataclasses import dataclass
from html import escape

HEIGHT = 800
"""Of the frame in pixels, as TensorBoard's."""

TELL_THEME = """<script>
(() => {
  const frame = document.currentScript.parentElement.querySelector("iframe");
  const tell = () => {
    const light = document.body.dataset.jpThemeLight;
    if (light) frame.contentWindow?.postMessage({ lightboardColorScheme: light === "false" ? "dark" : "light" }, "*");
  };
  frame.addEventListener("load", tell);
  new MutationObserver(tell).observe(document.body, { attributeFilter: ["data-jp-theme-light"] });
})();
</script>"""
"""Tells the board whether JupyterLab's theme is dark, now and later; see `web/src/lib/frame-scheme.ts`."""


@dataclass(frozen=True)
class Frame:
    """A board in a cell. `page` is the URL of its page for the browser, `url` the one on the machine of the kernel."""

    page: str
    url: str
    port: int
    proxied: bool
    height: int = HEIGHT

    def __repr__(self) -> str:
        return f"Lightboard at {self.url} (`%lightboard stop {self.port}` ends it)"

    def _repr_html_(self) -> str:
        page = escape(self.page)
        elsewhere = "" if self.proxied else " If Jupyter is on another machine, install jupyter-server-proxy there."
        return (
            f'<iframe src="{page}" title="Lightboard" width="100%" height="{self.height}" style="border: 0"'
            ' allow="clipboard-write; fullscreen"></iframe>\n'
            f'<p><a href="{page}" target="_blank">Open in a new tab</a>.'
            f" <code>%lightboard stop {self.port}</code> ends this board. If none is shown,"
            f" run this cell again; a new kernel needs <code>%load_ext</code> first.{elsewhere}</p>\n{TELL_THEME}"
        )
