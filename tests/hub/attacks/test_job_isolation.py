"""A job that is isolated by the kernel sees its own folders, and neither the hub nor anybody else.

What everything that runs code tries is in `test_isolation`; here is what a job has, and what it does to others.
"""

import glob
import json
import os
import pathlib
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from lightboard.client.session import Session
from lightboard.client.training_jobs import TrainingJob
from lightboard.client.volumes import parse_volumes
from lightboard.hub.runners.remove_tree import remove_tree
from support.hub_process import HubProcess, wait_for
from support.processes import pids_with
from support.sandboxes import working_sandbox

SECRET = "the-secret-of-the-victim"
VICTIM = "echo {secret} > mine; echo {secret} > /tmp/mine; echo {secret} > $PAI_OUTPUT_MODEL/mine; exec sleep 1000"


@dataclass
class Target:
    """A hub with a job of the administrator, in a project of its own, and an account that may run jobs elsewhere."""

    hub: HubProcess
    attacker: str
    victim: dict[str, Any]

    @property
    def data(self) -> pathlib.Path:
        """The data directory."""
        return self.hub.home / "hub"

    def run(self, code: str, **fields: Any) -> Any:
        """What Python code prints as JSON, in a job of the attacker."""
        body = {"command": [sys.executable, "-c", textwrap.dedent(code)], "project": "other", **fields}
        job = self.hub.json("POST", "/api/v1/jobs", body, self.attacker)
        wait_for(
            lambda: self.hub.json("GET", f"/api/v1/jobs/{job['id']}", token=self.attacker)["status"],
            lambda status: status in ("Succeeded", "Failed"),
            "the job to end",
        )
        lines = self.hub.json("GET", f"/api/v1/jobs/{job['id']}/logs", token=self.attacker)["lines"]
        return json.loads("\n".join(line["text"] for line in lines))

    def try_to_run(self, code: str, volume: dict[str, Any]) -> Any:
        """The same for a job with a volume; None if it is refused, or does not start."""
        body = {"command": [sys.executable, "-c", code], "project": "other", "volumes": [volume]}
        answer = self.hub.request("POST", "/api/v1/jobs", body, self.attacker)
        if not answer.is_success:
            return None
        id = answer.json()["id"]
        found = wait_for(
            lambda: self.hub.json("GET", f"/api/v1/jobs/{id}", token=self.attacker)["status"],
            lambda status: status in ("Succeeded", "Failed"),
            "the job to end",
        )
        lines = self.hub.json("GET", f"/api/v1/jobs/{id}/logs", token=self.attacker)["lines"]
        return json.loads(lines[-1]["text"]) if found == "Succeeded" else None

    def newest(self) -> dict[str, Any]:
        """The newest job of the attacker."""
        (job,) = self.hub.json("GET", "/api/v1/jobs?project=other&page_size=1", token=self.attacker)["items"]
        found: dict[str, Any] = job
        return found

    def victim_pids(self) -> list[int]:
        """The processes of the victim, as the machine knows them."""
        return pids_with(f"LIGHTBOARD_JOB_ID={self.victim['id']}")


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    """All tests attack the same hub, to which nothing may happen."""
    folder = tmp_path_factory.mktemp("isolation")
    working_sandbox(folder / "sandbox")
    root = folder / "logs"
    root.mkdir()
    (root / "secret").write_text(SECRET)
    with HubProcess(folder / "home", "--job-slots", "4", "--job-isolation", "kernel", roots=[root], fork=False) as hub:
        hub.json("POST", "/api/v1/projects", {"name": "other"})
        attacker = hub.create_account("attacker", "editor", "other")
        command = ["sh", "-c", VICTIM.format(secret=SECRET)]
        id = hub.json("POST", "/api/v1/jobs", {"command": command, "environment": {"TOKEN": SECRET}})["id"]
        hub.wait_for_job(id, "Running")
        victim = hub.json("GET", f"/api/v1/jobs/{id}")
        target = Target(hub, attacker, victim)
        wait_for(target.victim_pids, bool, "the victim to run")
        yield target
        assert hub.json("GET", f"/api/v1/jobs/{id}")["status"] == "Running"
        hub.json("DELETE", f"/api/v1/jobs/{id}")
        hub.wait_for_job(id, "Deleted")
    remove_tree(target.data)  # pytest could not: what jobs leave behind has more levels than Python calls functions


def test_the_page_of_the_job_and_the_health_check_say_how_it_is_isolated(target: Target) -> None:
    """As its supervisor has told, and what limits it."""
    limited = {"cgroup": "control groups", "watching": "watching"}[target.victim["limits"]]

    assert target.victim["isolation"] == "kernel"
    assert target.hub.request("GET", "/readyz").text == f"ready\njobs: isolated by the kernel, limited by {limited}\n"


LEAVE = """
import ctypes, json, os, pathlib, tempfile
libc = ctypes.CDLL(None, use_errno=True)
NEW_USER, NEW_MOUNT, NEW_CGROUP = 0x10000000, 0x00020000, 0x02000000
user, group = os.getuid(), os.getgid()
libc.unshare(NEW_USER | NEW_MOUNT | NEW_CGROUP)
for name, text in [("setgroups", "deny"), ("uid_map", f"0 {user} 1"), ("gid_map", f"0 {group} 1")]:
    try:
        pathlib.Path("/proc/self", name).write_text(text)
    except OSError:
        pass
changed = []
for kind, option in [("cgroup2", None), *(("cgroup", name.encode()) for name in ("memory", "cpu", "pids"))]:
    top = tempfile.mkdtemp()
    libc.mount(b"none", top.encode(), kind.encode(), 0, option)
    for folder, _, names in os.walk(top):
        for name in names:
            if name.endswith((".procs", ".max", "limit_in_bytes", "quota_us", ".kill")):
                try:
                    pathlib.Path(folder, name).write_text(str(os.getpid()) if name.endswith("procs") else "-1")
                    changed.append(f"{kind} {name}")
                except OSError:
                    pass
print(json.dumps({"seen": os.path.exists("/sys/fs/cgroup"), "changed": changed}))
"""


def test_a_job_can_neither_leave_its_control_group_nor_change_it(target: Target) -> None:
    """Not even where the kernel lets it be the root of namespaces of its own, and mount its group."""
    if target.victim["limits"] == "watching":
        pytest.skip("no control groups here")

    assert target.run(LEAVE) == {"seen": False, "changed": []}


def run_beside(target: Target, code: str) -> Any:
    """What Python code prints as JSON, as a further command in a job of the attacker."""
    body = {"command": ["sleep", "1000"], "project": "other"}
    id = target.hub.json("POST", "/api/v1/jobs", body, target.attacker)["id"]
    target.hub.wait_for_job(id, "Running", target.attacker)
    with Session(target.hub.url, target.attacker) as session:
        done = TrainingJob(id, session).exec([sys.executable, "-c", textwrap.dedent(code)])
    target.hub.json("DELETE", f"/api/v1/jobs/{id}", token=target.attacker)
    target.hub.wait_for_job(id, "Deleted", target.attacker)
    return json.loads(done.stdout)


def test_a_further_command_finds_no_more_than_a_job(target: Target) -> None:
    """It has the folders and processes of its job alone, and no way out. `test_isolation` searches for more."""
    seen = run_beside(
        target,
        f"""
        import ctypes, json, os
        libc = ctypes.CDLL(None, use_errno=True)
        names = [open(f"/proc/{{pid}}/comm").read().strip() for pid in os.listdir("/proc") if pid.isdecimal()]
        opened = [fd for fd in range(3, 1000) if os.path.exists(f"/proc/self/fd/{{fd}}")]
        lines = dict(line.split(":\t") for line in open("/proc/self/status") if ":\t" in line)
        print(json.dumps({{
            "folders": sorted(os.listdir({str(target.data)!r})),
            "processes": sorted(name for name in names if name in ("bwrap", "sleep")),
            "others": len(names) - 3,
            "opened": opened,
            "capabilities": [int(lines[name], 16) for name in ("CapPrm", "CapEff", "CapInh", "CapBnd", "CapAmb")],
            "root again": libc.setuid(0),
            "no new privileges": int(lines["NoNewPrivs"]),
        }}))
        """,
    )

    assert seen == {
        "folders": ["jobs", "storage"],
        "processes": ["bwrap", "sleep"],
        "others": 0,
        "opened": [],
        "capabilities": [0] * 5,
        "root again": -1,
        "no new privileges": 1,
    }


def test_a_job_sees_its_own_folders_alone(target: Target) -> None:
    """Where the hub keeps its key, its database and the jobs of all."""
    seen = target.run(
        f"""
        import json, os
        home = {str(target.data)!r}
        print(json.dumps({{name: os.listdir(f"{{home}}/{{name}}") for name in sorted(os.listdir(home))}}))
        """
    )

    assert list(seen) == ["jobs", "storage"]
    assert (len(seen["jobs"]), seen["storage"]) == (1, ["other"])


def test_c11_a_volume_of_the_document_cannot_be_written_to(target: Target) -> None:
    """The logs are at the path of the document; also a link beside them leads nowhere else."""
    logs = target.data / "storage" / "other" / "image" / "results"
    logs.mkdir(parents=True)
    (logs / "log").write_text("loss")
    (logs / "link").symlink_to(target.data)
    (volume,) = parse_volumes(["storage:image/results://project/results:ro"])
    seen = target.run(
        """
        import errno, json, os
        def attempt(change):
            try:
                return change()
            except OSError as error:
                return errno.errorcode[error.errno]
        print(json.dumps([
            open("/project/results/log").read(),
            attempt(lambda: open("/project/results/new", "w").close()),
            attempt(lambda: os.remove("/project/results/log")),
            attempt(lambda: os.chmod("/project/results", 0o777)),
            attempt(lambda: sorted(os.listdir("/project/results/link"))),
        ]))
        """,
        volumes=[volume.request()],
    )

    assert seen == ["loss", "EROFS", "EROFS", "EROFS", ["jobs", "storage"]]
    assert target.newest()["volumes"] == [
        {"source": "storage:image/results", "target": "/project/results", "read_only": True, "enforcement": "kernel"}
    ]


def test_a_volume_that_can_be_written_to_keeps_what_is_written(target: Target) -> None:
    """For the next job, which finds it elsewhere. Nothing else of the storage can be written to by it."""
    write = """
        import json, os
        open("/out/file", "w").write("content")
        print(json.dumps(os.access("/out/..", os.W_OK)))
        """
    first = target.run(write, volumes=[{"source": "storage:shared/out", "target": "/out"}])
    read = "import json; print(json.dumps(open('/in/out/file').read()))"
    second = target.run(read, volumes=[{"source": "storage:shared", "target": "/in", "read_only": True}])

    assert (first, second) == (False, "content")


def test_a_folder_that_is_swapped_for_a_link_shows_nothing_else(target: Target) -> None:
    """While jobs start, another one swaps a folder in the storage for a link to the files of the hub."""
    swap = """
        import json, os, time
        os.mkdir("/swap/real")
        open("/swap/ready", "w").close()
        until = time.monotonic() + 60
        def attempt(change, *paths):
            try:
                change(*paths)
            except OSError:  # the hub has created the folder meanwhile
                pass
        while not os.path.exists("/swap/stop") and time.monotonic() < until:
            attempt(os.rename, "/swap/real", "/swap/aside")
            attempt(os.symlink, DATA, "/swap/real")
            attempt(os.remove, "/swap/real")
            attempt(os.rename, "/swap/aside", "/swap/real")
        print(json.dumps("done"))
        """
    shared = target.data / "storage" / "other" / "swap"
    look = "import json, os; print(json.dumps(sorted(os.listdir('/swapped'))))"
    body = {
        "command": [sys.executable, "-c", textwrap.dedent(swap).replace("DATA", repr(str(target.data)))],
        "project": "other",
        "volumes": [{"source": "storage:swap", "target": "/swap"}],
    }
    id = target.hub.json("POST", "/api/v1/jobs", body, target.attacker)["id"]
    wait_for((shared / "ready").exists, bool, "the folder to be swapped")
    seen = [target.try_to_run(look, {"source": "storage:swap/real", "target": "/swapped"}) for _ in range(6)]
    (shared / "stop").touch()
    target.hub.wait_for_job(id, "Succeeded", target.attacker)

    assert [each for each in seen if each not in ([], None)] == []


def test_a_job_sees_its_own_processes_alone(target: Target) -> None:
    """Bubblewrap's, and those of its command."""
    seen = target.run(
        """
        import json, os
        pids = [name for name in os.listdir("/proc") if name.isdecimal()]
        print(json.dumps([open(f"/proc/{pid}/cmdline").read().split("\\0")[0].rpartition("/")[2] for pid in pids]))
        """
    )

    assert seen == ["bwrap", pathlib.Path(sys.executable).name]


def test_a_job_cannot_change_devices(target: Target) -> None:
    """They belong to root, as whom the hub may run."""
    seen = target.run(
        """
        import errno, json, os
        def attempt(change):
            try:
                change()
            except OSError as error:
                return errno.errorcode[error.errno]
            return "changed"
        print(json.dumps([attempt(lambda: os.chmod("/dev/full", 0o666)), attempt(lambda: os.fchmod(0, 0o666))]))
        """
    )

    assert seen == ["EPERM", "EPERM"]


CHANGE_SETTINGS = """
import glob, json, os
changed = []
for path in glob.glob("/proc/sys/**", recursive=True):
    if os.path.isfile(path) and os.access(path, os.W_OK) and not path.endswith("/ns_last_pid"):
        first, *rest = open(path).read().split()
        with open(path, "w") as file:
            file.write(" ".join([str(max(1, int(first) - 1)), *rest]))
        changed.append(path)
print(json.dumps(changed))
"""


def test_a_job_cannot_change_settings_of_the_machine(target: Target) -> None:
    """Those of its own namespaces it can, where it owns these: a hub that does not run as root. Others keep theirs.

    Everybody may open `ns_last_pid`, but nobody without a capability may write to it.
    """
    names = ("/proc/sys/fs/mqueue/*", "/proc/sys/kernel/*")
    before = {path: settings(path) for name in names for path in glob.glob(name)}
    changed = target.run(CHANGE_SETTINGS)

    assert {path: settings(path) for path in changed} == {path: before[path] for path in changed}
    assert changed == [] or os.getuid() != 0


def settings(path: str) -> str:
    """What a file of the kernel has, "" if it cannot be read."""
    try:
        return pathlib.Path(path).read_text()
    except OSError:
        return ""


def test_a_link_in_the_outputs_leads_nowhere(target: Target) -> None:
    """Not to the files of the hub, for the job and for the next one that reads it."""
    database = str(target.data / "hub.sqlite3")
    link = target.run(
        f"""
        import json, os
        link = os.environ["PAI_OUTPUT_MODEL"] + "/link"
        os.symlink({database!r}, link)
        print(json.dumps(link))
        """
    )

    assert target.run(f"import json, os; print(json.dumps([os.path.lexists({link!r}), os.path.exists({link!r})]))") == [
        True, False,
    ]  # fmt: skip


def test_a_variable_of_the_job_does_not_reach_the_program_outside(target: Target) -> None:
    """A library that bubblewrap itself would load could do all that the hub can."""
    variables = {"LD_PRELOAD": "/tmp/evil.so", "MY_OWN": "1"}
    body = {"command": ["sleep", "1000"], "project": "other", "environment": variables}
    id = target.hub.json("POST", "/api/v1/jobs", body, target.attacker)["id"]
    target.hub.wait_for_job(id, "Running", target.attacker)
    runner = target.data / "runner" / id / "1" / "0"
    mark = json.loads((runner / "spec.json").read_bytes())["mark"]
    ours = os.readlink("/proc/self/ns/mnt")
    outside = [pid for pid in pids_with(f"LIGHTBOARD_REPLICA={mark}") if os.readlink(f"/proc/{pid}/ns/mnt") == ours]
    names = [
        each.split(b"=")[0].decode()
        for pid in outside
        for each in pathlib.Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
        if each
    ]
    lines = b"".join(pathlib.Path(f"/proc/{pid}/cmdline").read_bytes() for pid in outside)
    target.hub.json("DELETE", f"/api/v1/jobs/{id}", token=target.attacker)
    target.hub.wait_for_job(id, "Deleted", target.attacker)

    assert set(names) == {"LIGHTBOARD_REPLICA"}
    assert b"MY_OWN" not in lines


def test_the_token_of_a_job_is_for_this_job_alone(target: Target) -> None:
    """With the SDK as it finds it. Not even the board of its own project opens."""
    board = target.hub.create_board("storage:.")
    victim = target.victim["id"]
    seen = target.run(
        f"""
        import json, os
        from lightboard.client.session import Session
        from lightboard.client.training_jobs import TrainingJob
        from lightboard.errors import LightboardError
        hub = Session()
        def ask(method, path):
            try:
                return hub.request(method, path, body={{}} if method == "POST" else None)
            except LightboardError as error:
                return type(error).__name__
        print(json.dumps([
            TrainingJob(os.environ["LIGHTBOARD_JOB_ID"]).status,
            *[ask("GET", path) for path in (
                "/api/v1/jobs/{victim}", "/api/v1/jobs/{victim}/logs", "/api/v1/jobs", "/api/v1/me",
                "/api/v1/accounts", "/api/v1/tensorboards", "/tb/{board["id"]}/data/environment",
            )],
            ask("POST", "/api/v1/jobs"),
            ask("POST", "/api/v1/tokens"),
        ]))
        """
    )

    assert seen == ["Running", *["PermissionDenied"] * 6, "Unauthenticated", *["PermissionDenied"] * 2]


LEAVE_BEHIND = r"""
import json, os, socket
for top in (os.environ["PAI_OUTPUT_TENSORBOARD"], os.environ["PAI_OUTPUT_MODEL"]):
    os.chdir(top)
    if os.path.exists("closed"):
        continue
    os.mkfifo("events.out.tfevents.1")
    socket.socket(socket.AF_UNIX).bind("events.out.tfevents.2")
    for number, to in enumerate(("/etc/passwd", "/dev/zero", "/proc/self/mem", "loop"), 3):
        os.symlink(to, f"events.out.tfevents.{number}")
    os.symlink("loop", "loop")
    for name in (b"\xff\xfe", b"new\nline", b"y" * 250, b"<script>", b"closed"):
        os.mkdir(name)
        open(name + b"/events.out.tfevents.1", "w").close()
    os.chmod("closed", 0)
    for _ in range(1100):
        os.mkdir("deep")
        os.chdir("deep")
print(json.dumps(top))
"""


def test_what_a_job_leaves_behind_does_no_harm(target: Target) -> None:
    """Pipes that nobody writes to, sockets, links to devices, names of any bytes, and folders without end or rights.

    They are listed, shown and read as far as they can be, and the job starts again.
    """
    known = len(target.hub.lines)
    output = pathlib.Path(target.run(LEAVE_BEHIND))
    id = target.newest()["id"]
    uri = f"storage:{output.relative_to(target.data / 'storage' / 'other')}"
    board = target.hub.create_board(uri, target.attacker, project="other")
    paths = [f"api/v1/jobs/{id}/metrics", f"api/v1/jobs/{id}/lineage", "api/v1/projects/other/folders"]
    paths += [f"tb/{board['id']}/{path}" for path in ("api/v1/runs", "api/v1/problems", "data/runs")]
    answers = {path: target.hub.request("GET", f"/{path}", token=target.attacker).status_code for path in paths}
    target.hub.json("PUT", f"/api/v1/jobs/{id}/restart", token=target.attacker)
    again = target.hub.wait_for_job(id, "Succeeded", target.attacker)
    target.hub.json("DELETE", f"/api/v1/tensorboards/{board['id']}", token=target.attacker)
    target.hub.json("DELETE", f"/api/v1/jobs/{id}", token=target.attacker)
    target.hub.wait_for_job(id, "Deleted", target.attacker)

    assert again["attempt"] == 2
    assert answers == dict.fromkeys(paths, 200)
    assert [line for line in target.hub.lines[known:] if "Traceback" in line] == []
