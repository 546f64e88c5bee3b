"""Objects as files: the suite over a store in memory and over a real S3 server, and what only buckets do."""

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
from swift_server import KEY, SECRET, SwiftServer

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


def listed(storage: Storage) -> tuple[list[tuple[str, list[str], int]], list[tuple[str, OSError]]]:
    """Each folder with its files and how many it holds, and the errors."""
    errors: list[tuple[str, OSError]] = []
    folders = [
        (folder.path, [info.path for info in folder.files], folder.seen)
        for folder in storage.walk(on_error=lambda path, error: errors.append((path, error)))
    ]
    return folders, errors


def memory(*keys: str) -> MemoryStore:
    store = MemoryStore()
    for key in keys:
        obstore.put(store, key, b"x" if not key.endswith("/") else b"")
    return store


def test_siblings_that_begin_alike_are_in_name_order():
    """`a-b` sorts before `a/` as a key and after `a` as a folder."""
    storage = ObjectStorage(memory("a-b/f", "a/f", "a/c/f"), "memory://")
    assert [path for path, _, _ in listed(storage)[0]] == ["", "a", "a/c", "a-b"]


def test_an_empty_bucket_is_an_empty_folder():
    """Its top is there."""
    assert listed(ObjectStorage(MemoryStore(), "memory://")) == ([("", [], 0)], [])


def test_empty_objects_that_stand_for_folders_are_no_files():
    """Consoles make them; an empty object of another name is a file."""
    storage = ObjectStorage(memory("runs/", "runs/tfevents.d/", "runs/tfevents.d/f"), "memory://", "runs")
    obstore.put(storage._store, "runs/none", b"")
    assert listed(storage) == ([("", ["none"], 1), ("tfevents.d", ["tfevents.d/f"], 1)], [])


def test_an_object_in_place_of_a_folder_is_told():
    """Somebody gave the address of a file."""
    errors = listed(ObjectStorage(memory("runs/tfevents"), "memory://runs/tfevents", "runs/tfevents"))[1]
    assert [(path, type(error), f"{error}") for path, error in errors] == [
        ("", NotADirectoryError, "memory://runs/tfevents is an object, not a folder")
    ]


def test_a_deep_walk_is_one_listing(swift):
    """However many folders there are, a walk asks once for each thousand keys."""
    bucket = new_bucket(swift)
    for number in range(5):
        swift.put(bucket, f"a/{number}/f", b"x")
    with Relay(swift.endpoint) as relay:
        storage = open_storage(f"s3://{bucket}/a", options_for(swift, endpoint=relay.endpoint))
        folders = [folder.path for folder in storage.walk()]
    assert (folders, len(relay.asked)) == (["", "0", "1", "2", "3", "4"], 1)


def test_a_range_is_asked_for_as_one(swift):
    """Reading a piece of a large object fetches that piece."""
    bucket = new_bucket(swift)
    swift.put(bucket, "f", bytes(range(256)) * 4096)
    with Relay(swift.endpoint) as relay:
        data = open_storage(f"s3://{bucket}", options_for(swift, endpoint=relay.endpoint)).read("f", 1_000_000, 16)
    assert (data, [headers.get("range") for _, headers in relay.asked]) == (
        bytes(range(64, 80)),
        ["bytes=1000000-1000015"],
    )


def test_an_odd_key_spoils_only_the_folder_it_is_in(swift):
    """A key with an empty part cannot be addressed; its folder is named, and the others are listed."""
    bucket = new_bucket(swift)
    for key in ("a/tfevents", "b//tfevents", "c/d/tfevents"):
        swift.put(bucket, key, b"x")
    folders, errors = listed(open_storage(f"s3://{bucket}", options_for(swift)))
    assert (folders, [(path, type(error), f"{error}") for path, error in errors]) == (
        [("", [], 0), ("a", ["a/tfevents"], 1), ("c", [], 0), ("c/d", ["c/d/tfevents"], 1)],
        [("b", StorageError, f"s3://{bucket}/b: an object in it cannot be addressed: b//")],
    )


def test_what_the_options_say_is_all_that_counts(swift, monkeypatch):
    """Somebody else's keys, endpoint and region in the environment change nothing."""
    bucket = new_bucket(swift)
    swift.put(bucket, "f", b"x")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_REGION"):
        monkeypatch.setenv(name, "somebody-else")
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", "http://127.0.0.1:1")
    monkeypatch.setenv("AWS_SKIP_SIGNATURE", "true")
    monkeypatch.setenv("AWS_VIRTUAL_HOSTED_STYLE_REQUEST", "true")
    assert open_storage(f"s3://{bucket}", options_for(swift)).stat("f").size == 1


def test_the_environment_is_read_as_by_other_tools(swift, monkeypatch):
    """Without options the variables of the vendor's own tools say how to get there."""
    bucket = new_bucket(swift)
    swift.put(bucket, "f", b"x")
    for name, value in swift.environment.items():
        monkeypatch.setenv(name, value)
    assert open_storage(f"s3://{bucket}").stat("f").size == 1


Wrong = tuple[str, dict[str, str], type[OSError], str, str]
WRONG: list[Wrong] = [
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


@pytest.mark.parametrize(("bucket", "changed", "kind", "message", "hint"), WRONG)
def test_what_is_wrong_is_said(swift, bucket, changed, kind, message, hint):
    """The place, what is wrong, what to do; never a secret or a signature."""
    bucket = bucket or new_bucket(swift)
    storage = open_storage(f"s3://{bucket}/f", options_for(swift, **changed))
    ((_, error),) = listed(storage)[1]
    assert isinstance(error, StorageError)
    assert (type(error), error.message, hint in error.hint) == (kind, message.format(bucket), True)
    assert f"s3://{bucket}/f: {error.strerror}" == error.message
    assert (error.__cause__, error.__suppress_context__) == (None, True)


def test_unsigned_requests_bear_no_signature():
    """A public bucket wants none."""
    with Relay("") as relay:
        storage = open_storage("s3://bucket/a", {"anonymous": "true", "endpoint": relay.endpoint})
        errors = listed(storage)[1]
    assert [("authorization" in headers, path) for path, headers in relay.asked] == [
        (False, "/bucket?list-type=2&prefix=a%2F")
    ]
    assert [type(error) for _, error in errors] == [StorageDenied]


class Relay:
    """A server that notes what it is asked and passes it on to `target`; without one it forbids everything."""

    def __init__(self, target: str) -> None:
        asked: list[tuple[str, dict[str, str]]] = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                asked.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
                status, headers, body = pass_on(target, self) if target else (403, {}, b"")
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        self.asked = asked
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.endpoint = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05})

    def __enter__(self) -> "Relay":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def pass_on(target: str, request: http.server.BaseHTTPRequestHandler) -> tuple[int, dict[str, str], bytes]:
    """The answer of `target`, which checks the signature for the host that was asked."""
    connection = http.client.HTTPConnection(target.removeprefix("http://"), timeout=60)
    try:
        connection.putrequest("GET", request.path, skip_host=True, skip_accept_encoding=True)
        for name, value in request.headers.items():
            connection.putheader(name, value)
        connection.endheaders()
        answer = connection.getresponse()
        wanted = ("etag", "last-modified", "content-range", "content-type")
        kept = {name: value for name, value in answer.getheaders() if name.lower() in wanted}
        return answer.status, kept, answer.read()
    finally:
        connection.close()
