"""Object stores: the storage suite in memory and over a real S3 server, and details of buckets."""

import http.client
import http.server
import itertools
import threading

import obstore
import pytest
from obstore.store import MemoryStore

from lightboard.errors import BucketNotFound, StorageDenied, StorageError
from lightboard.storage.base import Storage
from lightboard.storage.objects import ObjectStorage
from lightboard.storage.urls import open_storage
from lightboard.testing.storage import StorageTests
from support.swift_server import KEY, SECRET, SwiftServer

TOP = "logs/of us"
numbers = itertools.count()


class TestObjectStorage(StorageTests):
    grows_in_place = False

    @pytest.fixture(autouse=True)
    def _store(self) -> None:
        self.store = MemoryStore()

    def make(self, files: dict[str, bytes]) -> Storage:
        for path, data in files.items():
            self.put(path, data)
        return ObjectStorage(self.store, f"memory://{TOP}", TOP)

    def put(self, path: str, data: bytes) -> None:
        obstore.put(self.store, f"{TOP}/{path}", data)

    def grow(self, storage: Storage, path: str, data: bytes) -> None:
        self.put(path, storage.read(path, 0, 1 << 20) + data)

    def replace(self, storage: Storage, path: str, data: bytes) -> None:
        self.put(path, data)

    def remove(self, storage: Storage, path: str) -> None:
        obstore.delete(self.store, f"{TOP}/{path}")


class TestSwiftStorage(StorageTests):
    grows_in_place = False

    @pytest.fixture(autouse=True)
    def _bucket(self, swift: SwiftServer) -> None:
        self.swift = swift
        self.bucket = new_bucket(swift)

    def make(self, files: dict[str, bytes]) -> Storage:
        for path, data in files.items():
            self.swift.put(self.bucket, f"{TOP}/{path}", data)
        return open_storage(f"s3://{self.bucket}/{TOP}", options_for(self.swift))

    def grow(self, storage: Storage, path: str, data: bytes) -> None:
        self.swift.put(self.bucket, f"{TOP}/{path}", storage.read(path, 0, 1 << 20) + data)

    def replace(self, storage: Storage, path: str, data: bytes) -> None:
        self.swift.put(self.bucket, f"{TOP}/{path}", data)

    def remove(self, storage: Storage, path: str) -> None:
        self.swift.delete(self.bucket, f"{TOP}/{path}")


def new_bucket(swift: SwiftServer) -> str:
    bucket = f"bucket-{next(numbers)}"
    swift.make_bucket(bucket)
    return bucket


def options_for(swift: SwiftServer, **changed: str) -> dict[str, str]:
    return {"access_key_id": KEY, "secret_access_key": SECRET, "endpoint": swift.endpoint} | changed


def list_all(storage: Storage) -> tuple[list[tuple[str, list[str], int]], list[tuple[str, OSError]]]:
    """Each folder with its files and their number, and the errors."""
    errors: list[tuple[str, OSError]] = []
    folders = [
        (folder.path, [info.path for info in folder.files], folder.seen)
        for folder in storage.walk(on_error=lambda path, error: errors.append((path, error)))
    ]
    return folders, errors


def memory_store(*keys: str) -> MemoryStore:
    store = MemoryStore()
    for key in keys:
        obstore.put(store, key, b"x" if not key.endswith("/") else b"")
    return store


def test_folders_are_in_name_order():
    """`a-b` sorts before `a/` as a key, but after `a` as a folder."""
    storage = ObjectStorage(memory_store("a-b/f", "a/f", "a/c/f"), "memory://")
    assert [path for path, _, _ in list_all(storage)[0]] == ["", "a", "a/c", "a-b"]


def test_empty_buckets_are_empty_folders():
    """Not errors."""
    assert list_all(ObjectStorage(MemoryStore(), "memory://")) == ([("", [], 0)], [])


def test_folder_markers_are_not_files():
    """Consoles create empty objects that end in a slash. Other empty objects are files."""
    storage = ObjectStorage(memory_store("runs/", "runs/tfevents.d/", "runs/tfevents.d/f"), "memory://", "runs")
    obstore.put(storage._store, "runs/none", b"")
    assert list_all(storage) == ([("", ["none"], 1), ("tfevents.d", ["tfevents.d/f"], 1)], [])


def test_object_urls_are_not_folders():
    """People may give the URL of a file."""
    errors = list_all(ObjectStorage(memory_store("runs/tfevents"), "memory://runs/tfevents", "runs/tfevents"))[1]
    assert [(path, type(error), f"{error}") for path, error in errors] == [
        ("", NotADirectoryError, "memory://runs/tfevents is an object, not a folder")
    ]


def test_walks_use_one_listing(swift):
    """One request per thousand keys, however many folders there are."""
    bucket = new_bucket(swift)
    for number in range(5):
        swift.put(bucket, f"a/{number}/f", b"x")
    with RecordingProxy(swift.endpoint) as proxy:
        storage = open_storage(f"s3://{bucket}/a", options_for(swift, endpoint=proxy.endpoint))
        folders = [folder.path for folder in storage.walk()]
    assert (folders, len(proxy.requests)) == (["", "0", "1", "2", "3", "4"], 1)


def test_reads_use_range_requests(swift):
    """Only that part of a large object is fetched."""
    bucket = new_bucket(swift)
    swift.put(bucket, "f", bytes(range(256)) * 4096)
    with RecordingProxy(swift.endpoint) as proxy:
        data = open_storage(f"s3://{bucket}", options_for(swift, endpoint=proxy.endpoint)).read("f", 1_000_000, 16)
    assert (data, [headers.get("range") for _, headers in proxy.requests]) == (
        bytes(range(64, 80)),
        ["bytes=1000000-1000015"],
    )


def test_unsupported_keys_affect_only_their_folder(swift):
    """Keys with empty parts cannot be addressed. Their folder is reported, others are listed."""
    bucket = new_bucket(swift)
    for key in ("a/tfevents", "b//tfevents", "c/d/tfevents"):
        swift.put(bucket, key, b"x")
    folders, errors = list_all(open_storage(f"s3://{bucket}", options_for(swift)))
    assert (folders, [(path, type(error), f"{error}") for path, error in errors]) == (
        [("", [], 0), ("a", ["a/tfevents"], 1), ("c", [], 0), ("c/d", ["c/d/tfevents"], 1)],
        [("b", StorageError, f"s3://{bucket}/b: it contains an object with an unsupported key: b//")],
    )


def test_options_override_the_environment(swift, monkeypatch):
    """Keys, endpoint, region and request style of the environment are ignored."""
    bucket = new_bucket(swift)
    swift.put(bucket, "f", b"x")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_REGION"):
        monkeypatch.setenv(name, "somebody-else")
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", "http://127.0.0.1:1")
    monkeypatch.setenv("AWS_SKIP_SIGNATURE", "true")
    monkeypatch.setenv("AWS_VIRTUAL_HOSTED_STYLE_REQUEST", "true")
    assert open_storage(f"s3://{bucket}", options_for(swift)).stat("f").size == 1


def test_the_environment_is_used_without_options(swift, monkeypatch):
    """The variables of the vendor's own tools."""
    bucket = new_bucket(swift)
    swift.put(bucket, "f", b"x")
    for name, value in swift.environment.items():
        monkeypatch.setenv(name, value)
    assert open_storage(f"s3://{bucket}").stat("f").size == 1


FailureCase = tuple[str, dict[str, str], type[OSError], str, str]
FAILURES: list[FailureCase] = [
    ("no-such-bucket", {}, BucketNotFound, "s3://{}/f: there is no such bucket", "AWS_ENDPOINT_URL"),
    (
        "",
        {"secret_access_key": "made-up-secret"},
        StorageDenied,
        "s3://{}/f: the credentials are not accepted (SignatureDoesNotMatch)",
        "AWS_SECRET_ACCESS_KEY",
    ),
    ("", {"region": "eu-west-1"}, StorageDenied, "s3://{}/f: it is in another region", "AWS_REGION=us-east-1"),
    ("", {"endpoint": "http://127.0.0.1:1"}, StorageError, "s3://{}/f: the server cannot be reached", "network"),
]


@pytest.mark.parametrize(("bucket", "changed", "kind", "message", "hint"), FAILURES)
def test_errors_of_buckets_have_a_hint(swift, bucket, changed, kind, message, hint):
    """URL, cause and hint, without secrets or signatures."""
    bucket = bucket or new_bucket(swift)
    storage = open_storage(f"s3://{bucket}/f", options_for(swift, **changed))
    ((_, error),) = list_all(storage)[1]
    assert isinstance(error, StorageError)
    assert (type(error), error.message, hint in error.hint) == (kind, message.format(bucket), True)
    assert f"s3://{bucket}/f: {error.strerror}" == error.message
    assert (error.__cause__, error.__suppress_context__) == (None, True)


def test_anonymous_requests_are_unsigned():
    """For public buckets."""
    with RecordingProxy("") as proxy:
        storage = open_storage("s3://bucket/a", {"anonymous": "true", "endpoint": proxy.endpoint})
        errors = list_all(storage)[1]
    assert [("authorization" in headers, path) for path, headers in proxy.requests] == [
        (False, "/bucket?list-type=2&prefix=a%2F")
    ]
    assert [type(error) for _, error in errors] == [StorageDenied]


class RecordingProxy:
    """A proxy that records requests and forwards them to `target`. Without a target it answers 403."""

    def __init__(self, target: str) -> None:
        requests: list[tuple[str, dict[str, str]]] = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                requests.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
                status, headers, body = forward(target, self) if target else (403, {}, b"")
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        self.requests = requests
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.endpoint = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05})

    def __enter__(self) -> "RecordingProxy":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def forward(target: str, request: http.server.BaseHTTPRequestHandler) -> tuple[int, dict[str, str], bytes]:
    """The response of `target`, which verifies signatures against the requested host."""
    connection = http.client.HTTPConnection(target.removeprefix("http://"), timeout=60)
    try:
        connection.putrequest("GET", request.path, skip_host=True, skip_accept_encoding=True)
        for name, value in request.headers.items():
            connection.putheader(name, value)
        connection.endheaders()
        response = connection.getresponse()
        forwarded = ("etag", "last-modified", "content-range", "content-type")
        headers = {name: value for name, value in response.getheaders() if name.lower() in forwarded}
        return response.status, headers, response.read()
    finally:
        connection.close()
