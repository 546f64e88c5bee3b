"""What a cell shows of a board."""

from lightboard.notebook.frame import TELL_THEME, Frame

END = (
    "<code>%lightboard stop 6006</code> ends this board."
    " If none is shown, run this cell again; a new kernel needs <code>%load_ext</code> first."
)


def test_a_cell_shows_the_page() -> None:
    """With what the page needs in a frame of another origin, and a link for those who want it larger."""
    frame = Frame('/p/"6006"/', "http://localhost:6006/", 6006, proxied=True, height=400)

    assert frame._repr_html_() == (
        '<iframe src="/p/&quot;6006&quot;/" title="Lightboard" width="100%" height="400" style="border: 0"'
        ' allow="clipboard-write; fullscreen"></iframe>\n'
        f'<p><a href="/p/&quot;6006&quot;/" target="_blank">Open in a new tab</a>. {END}</p>\n{TELL_THEME}'
    )


def test_without_a_proxy_the_cell_says_what_may_be_missing() -> None:
    """The browser may be on another machine, where this address leads nowhere."""
    frame = Frame("http://localhost:6006/", "http://localhost:6006/", 6006, proxied=False)

    assert frame._repr_html_().endswith(
        f"{END} If Jupyter is on another machine, install jupyter-server-proxy there.</p>\n{TELL_THEME}"
    )
