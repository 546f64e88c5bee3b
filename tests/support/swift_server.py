"""A real S3 server for tests: OpenStack Swift with its S3 API, four processes over a temporary folder.

Objects are created and deleted by plain requests, so that tests do not depend on the code under test for their data.
"""

import base64
import email.utils
import errno
import hmac
import http.client
import os
import pathlib
import pwd
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse
from typing import Self

from support.ports import free_ports

KEY = "test:tester"
SECRET = "testing"
TIMEOUT_SECS = 120
STEP_SECS = 0.1
ATTEMPTS = 3
PARTS = ("account", "container", "object", "proxy")

SERVER = """\
[DEFAULT]
swift_dir = {folder}
devices = {folder}/devices
mount_check = false
bind_ip = 127.0.0.1
bind_port = {port}
workers = 0
user = {user}
fallocate_reserve = 0

[pipeline:main]
pipeline = {part}-server

[app:{part}-server]
use = egg:swift#{part}
"""

PROXY = """\
[DEFAULT]
swift_dir = {folder}
bind_ip = 127.0.0.1
bind_port = {port}
workers = 0
user = {user}

[pipeline:main]
pipeline = catch_errors gatekeeper healthcheck cache listing_formats bulk s3api tempauth slo dlo proxy-server

[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true

[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:healthcheck]
use = egg:swift#healthcheck
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:bulk]
use = egg:swift#bulk
[filter:s3api]
use = egg:swift#s3api
location = {region}
storage_domain = {domain}
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
user_test_stranger = nothing
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
"""

RINGS = """\
import sys
from swift.common.ring import RingBuilder
folder, *ports = sys.argv[1:]
for name, port in zip(("account", "container", "object"), ports):
    builder = RingBuilder(4, 1, 1)
    where = {"ip": "127.0.0.1", "port": int(port)}
    where |= {"replication_ip": where["ip"], "replication_port": where["port"]}
    builder.add_dev({"region": 1, "zone": 1, "device": "d1", "weight": 1.0, **where})
    builder.rebalance()
    builder.get_ring().save(f"{folder}/{name}.ring.gz")
"""


class SwiftServer:
    """A server that starts at once in `folder`, with its S3 API at `endpoint`. Use as a context manager.

    A client that has it as its HTTP proxy finds its buckets at `http://BUCKET.DOMAIN` as well, as those of OSS are.
    """

    def __init__(self, folder: pathlib.Path, region: str = "us-east-1", domain: str = "") -> None:
        self._s3 = {"region": region, "domain": domain}
        self.processes: list[subprocess.Popen[bytes]] = []
        # Another process may take a port between our look and Swift's start.
        for attempt in range(ATTEMPTS):
            self.folder = folder / str(attempt)
            try:
                self._start()
                return
            except RuntimeError:
                self.close()
                if attempt == ATTEMPTS - 1:
                    raise

    @property
    def endpoint(self) -> str:
        """The URL of the S3 API, without a bucket."""
        return f"http://127.0.0.1:{self.ports[-1]}"

    @property
    def environment(self) -> dict[str, str]:
        """Environment variables with which S3 tools use this server."""
        return {"AWS_ACCESS_KEY_ID": KEY, "AWS_SECRET_ACCESS_KEY": SECRET, "AWS_ENDPOINT_URL": self.endpoint}

    def make_bucket(self, bucket: str) -> None:
        """Create a bucket, unless it exists."""
        self._ask("PUT", bucket, fine=(http.HTTPStatus.CONFLICT,))

    def put(self, bucket: str, key: str, data: bytes) -> None:
        """Create or replace an object."""
        self._ask("PUT", f"{bucket}/{key}", data)

    def delete(self, bucket: str, key: str) -> None:
        """Delete an object."""
        self._ask("DELETE", f"{bucket}/{key}")

    def close(self) -> None:
        """Kill the server, which is slow to terminate otherwise."""
        for process in self.processes:
            process.kill()
        for process in self.processes:
            process.wait()
        self.processes.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Inside

    def _start(self) -> None:
        (self.folder / "devices" / "d1").mkdir(parents=True)
        self.ports = free_ports(len(PARTS))
        (self.folder / "swift.conf").write_text("[swift-hash]\nswift_hash_path_suffix = tests\n")
        user = pwd.getpwuid(os.getuid()).pw_name
        for part, port in zip(PARTS, self.ports, strict=True):
            text = PROXY if part == "proxy" else SERVER
            settings = text.format(folder=self.folder, port=port, user=user, part=part, **self._s3)
            (self.folder / f"{part}.conf").write_text(settings)
        ports = [str(port) for port in self.ports[:3]]
        subprocess.run([sys.executable, "-c", RINGS, str(self.folder), *ports], check=True, timeout=TIMEOUT_SECS)
        for part in PARTS:
            script = pathlib.Path(sys.executable).with_name(f"swift-{part}-server")
            with (self.folder / f"{part}.log").open("wb") as log:
                self.processes.append(
                    subprocess.Popen(
                        [sys.executable, script, self.folder / f"{part}.conf", "--verbose"], stdout=log, stderr=log
                    )
                )
        self._wait()

    def _wait(self) -> None:
        waiting = list(self.ports)
        until = time.monotonic() + TIMEOUT_SECS
        while waiting:
            if time.monotonic() > until or any(process.poll() is not None for process in self.processes):
                logs = [(self.folder / f"{part}.log").read_text()[-2000:] for part in PARTS]
                raise RuntimeError("Swift does not start:\n" + "\n".join(logs))
            waiting = [port for port in waiting if not is_listening(port)]
            if waiting:
                time.sleep(STEP_SECS)

    def _ask(self, method: str, path: str, data: bytes = b"", fine: tuple[int, ...] = ()) -> None:
        place = "/" + urllib.parse.quote(path)
        connection = http.client.HTTPConnection("127.0.0.1", self.ports[-1], timeout=TIMEOUT_SECS)
        try:
            connection.request(method, place, data, signed_headers(method, place))
            answer = connection.getresponse()
            said = answer.read()
        finally:
            connection.close()
        if answer.status >= http.HTTPStatus.BAD_REQUEST and answer.status not in fine:
            raise RuntimeError(f"{method} {path}: {answer.status} {said!r}")


def signed_headers(method: str, place: str) -> dict[str, str]:
    """Headers with a version 2 signature of S3, the simplest that Swift accepts."""
    moment = email.utils.formatdate(usegmt=True)
    text = "\n".join([method, "", "", moment, place])
    mark = base64.b64encode(hmac.digest(SECRET.encode(), text.encode(), "sha1")).decode()
    return {"Date": moment, "Authorization": f"AWS {KEY}:{mark}"}


def is_listening(port: int) -> bool:
    """Whether a server listens on this port."""
    try:
        socket.create_connection(("127.0.0.1", port), timeout=STEP_SECS).close()
    except OSError:
        return False
    return True


def folder_with_attributes(*candidates: pathlib.Path) -> pathlib.Path:
    """The first folder that supports extended attributes, in which Swift stores the metadata of objects."""
    for folder in candidates:
        with tempfile.NamedTemporaryFile(dir=folder) as file:
            try:
                os.setxattr(file.name, "user.swift.metadata", b"x" * 256)
            except OSError as error:
                if error.errno not in (errno.ENOTSUP, errno.EPERM, errno.ENOSPC):
                    raise
                continue
            return folder
    raise RuntimeError(f"no extended attributes in {candidates}")
