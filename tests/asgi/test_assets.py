"""Built pages: what is cached, what is squeezed, what cannot be reached."""

import gzip
import os
import pathlib

import pytest
from speaking import ask
from starlette.applications import Starlette

from descriptors import without_descriptors
from lightboard.asgi.assets import FOR_A_YEAR, Assets
from lightboard.asgi.errors import HANDLERS
from lightboard.asgi.thread_pool import AsyncThreadPool

SCRIPT = b"console.log('hello');" * 100


@pytest.fixture
def folder(tmp_path: pathlib.Path) -> pathlib.Path:
    """Pages as the build leaves them, and a secret beside them."""
    built = tmp_path / "static"
    (built / "assets").mkdir(parents=True)
    (built / "index.html").write_text("<!doctype html>")
    (built / "assets" / "index-B1c2D3e4.js").write_bytes(SCRIPT)
    (built / "assets" / "index-B1c2D3e4.js.br").write_bytes(b"brotli")
    (built / "assets" / "index-B1c2D3e4.js.gz").write_bytes(gzip.compress(SCRIPT))
    (built / "favicon.svg").write_text("<svg/>")
    (tmp_path / "secret").write_text("secret")
    return built


def app_over(folder: pathlib.Path) -> Starlette:
    app = Starlette(exception_handlers=dict(HANDLERS))
    app.router.default = Assets(folder, AsyncThreadPool(1), lambda _request: "<p>build me</p>")
    return app


def test_pages_are_asked_for_every_time_and_scripts_are_kept(folder: pathlib.Path) -> None:
    """A script's name changes with its bytes, a page's does not."""
    app = app_over(folder)
    urls = ("/", "/index.html", "/favicon.svg", "/assets/index-B1c2D3e4.js")

    assert [ask(app, "GET", url).headers["cache-control"] for url in urls] == ["no-cache"] * 3 + [FOR_A_YEAR]


@pytest.mark.parametrize(
    ("accepted", "encoding", "bytes_sent"),
    [("br, gzip", "br", b"brotli"), ("gzip", "gzip", SCRIPT), ("identity", None, SCRIPT), ("br;q=0", None, SCRIPT)],
)
def test_the_squeezed_copy_is_sent_to_who_takes_it(
    folder: pathlib.Path, accepted: str, encoding: str | None, bytes_sent: bytes
) -> None:
    """The type stays that of the script."""
    answer = ask(app_over(folder), "GET", "/assets/index-B1c2D3e4.js", headers={"accept-encoding": accepted})

    assert answer.headers.get("content-encoding") == encoding
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
    assert answer.content == bytes_sent


@pytest.mark.parametrize(
    "url", ["/../secret", "/assets/../../secret", "/%2e%2e/secret", "/..%2fsecret", "//etc/passwd"]
)
def test_nothing_outside_can_be_reached(folder: pathlib.Path, url: str) -> None:
    """Addresses are looked up, never joined to a path."""
    assert ask(app_over(folder), "GET", url).status_code == 404


def test_a_page_that_the_browser_has_is_not_sent_again(folder: pathlib.Path) -> None:
    """304 for the tag it knows."""
    app = app_over(folder)
    tag = ask(app, "GET", "/").headers["etag"]

    again = ask(app, "GET", "/", headers={"if-none-match": tag})

    assert (again.status_code, again.content) == (304, b"")


def test_a_tag_stands_for_the_content(folder: pathlib.Path) -> None:
    """Builds give equal times to different files, and different times to equal ones."""
    page = folder / "index.html"
    os.utime(page, ns=(0, 10**18))
    first = ask(app_over(folder), "GET", "/").headers["etag"]
    os.utime(page, ns=(0, 2 * 10**18))
    touched = ask(app_over(folder), "GET", "/").headers["etag"]
    page.write_text(page.read_text()[::-1])
    os.utime(page, ns=(0, 10**18))
    changed = ask(app_over(folder), "GET", "/").headers["etag"]
    assert (touched == first, changed == first) == (True, False)


def test_without_pages_there_is_a_word_of_help(tmp_path: pathlib.Path) -> None:
    """And the pages appear once they are built, without a restart."""
    app = app_over(tmp_path)
    before = ask(app, "GET", "/").text

    (tmp_path / "index.html").write_text("<p>built</p>")

    assert (before, ask(app, "GET", "/").text) == ("<p>build me</p>", "<p>built</p>")


def test_files_are_only_read(folder: pathlib.Path) -> None:
    """Another method is told so; an unknown file is unknown by any method."""
    app = app_over(folder)

    assert [ask(app, "POST", url).status_code for url in ("/favicon.svg", "/nothing")] == [405, 404]


def test_a_page_that_cannot_be_listed_for_a_moment_is_there_the_next(folder: pathlib.Path) -> None:
    """Without descriptors one request fails, and the server does not go on without its pages."""
    assets = Assets(folder, AsyncThreadPool(1), lambda _request: "<p>build me</p>")
    with without_descriptors(), pytest.raises(OSError, match="Too many open files"):
        assets.find("/")

    found = assets.find("/")
    assert found is not None
    assert found.file == folder / "index.html"
