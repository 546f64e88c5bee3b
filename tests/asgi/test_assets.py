"""Static pages: caching, compression, confinement."""

import gzip
import os
import pathlib
from collections.abc import Callable, Iterator

import pytest
from starlette.applications import Starlette

from lightboard.asgi.assets import FOR_A_YEAR, Assets
from lightboard.asgi.errors import HANDLERS
from lightboard.asgi.thread_pool import AsyncThreadPool
from support.asgi_client import send_request
from support.file_descriptors import no_descriptors_left

MakeApp = Callable[[pathlib.Path], Starlette]
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


@pytest.fixture
def pool() -> Iterator[AsyncThreadPool]:
    """Where files are read."""
    pool = AsyncThreadPool(1)
    yield pool
    pool.close(wait=True)


@pytest.fixture
def app_over(pool: AsyncThreadPool) -> MakeApp:
    """Makes an application that serves a folder."""

    def make(folder: pathlib.Path) -> Starlette:
        app = Starlette(exception_handlers=dict(HANDLERS))
        app.router.default = Assets(folder, pool, lambda _request: "<p>build me</p>")
        return app

    return make


def test_pages_revalidate_and_scripts_are_immutable(app_over: MakeApp, folder: pathlib.Path) -> None:
    """The name of a script contains its hash."""
    app = app_over(folder)
    urls = ("/", "/index.html", "/favicon.svg", "/assets/index-B1c2D3e4.js")

    assert [send_request(app, "GET", url).headers["cache-control"] for url in urls] == ["no-cache"] * 3 + [FOR_A_YEAR]


@pytest.mark.parametrize(
    ("accepted", "encoding", "bytes_sent"),
    [("br, gzip", "br", b"brotli"), ("gzip", "gzip", SCRIPT), ("identity", None, SCRIPT), ("br;q=0", None, SCRIPT)],
)
def test_compressed_files_are_sent_if_accepted(
    app_over: MakeApp,
    folder: pathlib.Path,
    accepted: str,
    encoding: str | None,
    bytes_sent: bytes,
) -> None:
    """With the original content type."""
    answer = send_request(app_over(folder), "GET", "/assets/index-B1c2D3e4.js", headers={"accept-encoding": accepted})

    assert answer.headers.get("content-encoding") == encoding
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
    assert answer.content == bytes_sent


@pytest.mark.parametrize(
    "url", ["/../secret", "/assets/../../secret", "/%2e%2e/secret", "/..%2fsecret", "//etc/passwd"]
)
def test_path_traversal_finds_nothing(app_over: MakeApp, folder: pathlib.Path, url: str) -> None:
    """URLs are looked up, never joined to a path."""
    assert send_request(app_over(folder), "GET", url).status_code == 404


def test_matching_etags_of_pages_get_304(app_over: MakeApp, folder: pathlib.Path) -> None:
    """304 for the tag it knows."""
    app = app_over(folder)
    tag = send_request(app, "GET", "/").headers["etag"]

    again = send_request(app, "GET", "/", headers={"if-none-match": tag})

    assert (again.status_code, again.content) == (304, b"")


def test_etags_are_hashes_of_the_content(app_over: MakeApp, folder: pathlib.Path) -> None:
    """Modification times say nothing about it."""
    page = folder / "index.html"
    os.utime(page, ns=(0, 10**18))
    first = send_request(app_over(folder), "GET", "/").headers["etag"]
    os.utime(page, ns=(0, 2 * 10**18))
    touched = send_request(app_over(folder), "GET", "/").headers["etag"]
    page.write_text(page.read_text()[::-1])
    os.utime(page, ns=(0, 10**18))
    changed = send_request(app_over(folder), "GET", "/").headers["etag"]
    assert (touched == first, changed == first) == (True, False)


def test_missing_pages_are_explained(app_over: MakeApp, tmp_path: pathlib.Path) -> None:
    """They appear once built, without a restart."""
    app = app_over(tmp_path)
    before = send_request(app, "GET", "/").text

    (tmp_path / "index.html").write_text("<p>built</p>")

    assert (before, send_request(app, "GET", "/").text) == ("<p>build me</p>", "<p>built</p>")


def test_only_get_and_head_are_allowed(app_over: MakeApp, folder: pathlib.Path) -> None:
    """Unknown files are 404 for any method."""
    app = app_over(folder)

    assert [send_request(app, "POST", url).status_code for url in ("/favicon.svg", "/nothing")] == [405, 404]


def test_listing_errors_are_temporary(folder: pathlib.Path, pool: AsyncThreadPool) -> None:
    """Without file descriptors one request fails, and the next is served."""
    assets = Assets(folder, pool, lambda _request: "<p>build me</p>")
    with no_descriptors_left(), pytest.raises(OSError, match="Too many open files"):
        assets.find("/")

    found = assets.find("/")
    assert found is not None
    assert found.file == folder / "index.html"
