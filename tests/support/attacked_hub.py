"""A hub with a victim, and an account that runs the program of `isolation_attacks` in all ways that jobs have."""

import contextlib
import json
import pathlib
import re
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace

from websockets.sync.client import ClientConnection, connect

from lightboard.client import source_code
from lightboard.client.session import Session
from lightboard.client.training_jobs import TrainingJob
from lightboard.hub.launchers.handle import parse, secret_of
from lightboard.hub.runners import tcp_sockets
from lightboard.hub.runners.process_tree import as_owner_of, with_variable
from lightboard.hub.runners.replica_folder import ReplicaFolder
from lightboard.hub.runners.sandbox import own_program_folders
from support import isolation_attacks
from support.hub_process import TOKEN, HubProcess, wait_for
from support.hub_routes import every_operation
from support.isolation_attacks import END, Found, Targets, start_time
from support.kernel_channels import run_code
from support.notebook_image import write_notebook_image
from support.ports import free_ports

SECRET, ATTACKERS_SECRET = "the-secret-of-the-victim", "the-secret-of-the-attacker"
VICTIM = """
import os, pathlib, socket, sys, tempfile
name, port = sys.argv[1:]
secret = os.environ["TOKEN"]
for folder in (os.getcwd(), tempfile.gettempdir(), os.environ["PAI_OUTPUT_MODEL"]):
    pathlib.Path(folder, "mine").write_text(secret)
abstract = socket.socket(socket.AF_UNIX)
abstract.bind(chr(0) + name)
abstract.listen()
listening = [abstract, socket.create_server(("127.0.0.1", int(port)))]
print("ready", flush=True)
import selectors
waiting = selectors.DefaultSelector()
for each in listening:
    waiting.register(each, selectors.EVENT_READ)
while True:
    for key, _ in waiting.select():
        with key.fileobj.accept()[0] as client:
            client.sendall(secret.encode())
"""
"""A job that has a secret in all of its folders, in a variable, and at two sockets."""
JOB, EXEC, NOTEBOOK, TERMINAL = WAYS = ("job", "exec", "notebook", "terminal")
"""How code runs: as a job, as a further command in one, in a kernel of a notebook, in its terminal."""
BEGIN = '{"attack"'
Outcomes = dict[str, Found]


class AttackedHub:
    """The victim is a job and a notebook of the administrator in the project `default`, besides a TensorBoard.

    `attacker` is the token of an account that is an editor in the project `other`. Its job searches the whole disk;
    what else it has does so except for programs, which nobody can change there, since that takes seconds.
    """

    def __init__(self, hub: HubProcess, folder: pathlib.Path, *, searches_all: bool) -> None:
        self.hub = hub
        self._jobs: list[str] = []
        since = time.time()
        (folder / "logs" / "secret").write_text(SECRET)
        self.data = hub.home / "hub"
        hub.json("POST", "/api/v1/projects", {"name": "other"})
        self.attacker = hub.create_account("attacker", "editor", "other")
        (port,) = free_ports(1)
        abstract = f"lightboard-victim-{port}"
        self.victim = self._start(
            {
                "command": [sys.executable, "-c", VICTIM, abstract, str(port)],
                "environment": {"TOKEN": SECRET},
            }
        )
        self.victims_notebook = self._start({"name": "victims", "image": "telling"}, "notebooks")
        self.board = hub.create_board("storage:.")
        with Session(hub.url, TOKEN) as session:
            source_code.upload(session, str(folder / "logs"))
        (self.data / "storage" / "other" / "attacks").mkdir(parents=True, exist_ok=True)
        program = self.data / "storage" / "other" / "attacks" / "isolation_attacks.py"
        program.write_bytes(pathlib.Path(isolation_attacks.__file__).read_bytes())
        own = self.data / "storage" / "default" / "attacks"
        own.mkdir(exist_ok=True)
        (own / program.name).write_bytes(program.read_bytes())
        self.program, self.file = str(program), str(program.with_name("targets.json"))
        self.victims_program, self.victims_file = str(own / program.name), str(own / "targets.json")
        self.quick_file = str(program.with_name("fewer.json"))
        hub.wait_for_job(self.victim, "Running")
        hub.wait_for_job(self.victims_notebook, "Running")
        wait_for(lambda: self.log(self.victim), lambda lines: "ready" in lines, "the victim to listen")
        self.targets = Targets(
            data=str(self.data),
            storage=str(self.data / "storage" / "other"),
            outputs_of_another=str(self.data / "storage" / "other" / "nothing"),
            storage_of_another=str(next((self.data / "storage" / "default").rglob("mine"))),
            root_of_another=str(folder / "logs" / "secret"),
            program=isolation_attacks.__file__.replace("tests/support/isolation_attacks", "src/lightboard/__init__"),
            secret=SECRET.encode().hex(),
            top="/" if searches_all else str(hub.home.parent),
            not_searched=[],
            since=since,
            victim=self.victim,
            notebook=self.victims_notebook,
            processes={pid: start_time(pid) for pid in (*self.own_processes(), *self.replica_processes())},
            abstract=abstract,
            port=port,
            hub=hub.url,
            worker=self.worker,
            board=self.board["id"],
        )
        pathlib.Path(self.file).write_text(json.dumps(asdict(self.targets)))
        outputs = str(pathlib.Path(self.targets.storage_of_another).parent)
        in_default = replace(self.targets, storage=str(self.data / "storage" / "default"), outputs_of_another=outputs)
        pathlib.Path(self.victims_file).write_text(json.dumps(asdict(in_default)))
        fewer = replace(self.targets, not_searched=own_program_folders())
        pathlib.Path(self.quick_file).write_text(json.dumps(asdict(fewer)))

    def _start(self, body: dict[str, object], kind: str = "jobs", token: str | None = None) -> str:
        id = str(self.hub.json("POST", f"/api/v1/{kind}", body, token)["id"])
        self._jobs.append(id)
        return id

    def log(self, id: str, token: str | None = None) -> list[str]:
        """The lines that a job has printed."""
        return [line["text"] for line in self.hub.json("GET", f"/api/v1/jobs/{id}/logs", token=token)["lines"]]

    def wait_for_log_of_notebook(self, words: str) -> None:
        """Returns once the notebook of the attacker has printed something."""
        wait_for(lambda: "\n".join(self.log(self._jobs[-1], self.attacker)), lambda text: words in text, words)

    # What there is

    def own_processes(self) -> list[int]:
        """Those of the hub: itself, what it has started, and the supervisors of jobs."""
        supervisors = [ReplicaFolder(self.data / "runner" / id / "1" / "0").supervisor() for id in self._jobs]
        return [self.hub.process.pid, *self.hub.worker_pids(), *filter(None, supervisors)]

    def replica_processes(self) -> list[int]:
        """Those of jobs."""
        return [pid for id in self._jobs for pid in with_variable(f"LIGHTBOARD_JOB_ID={id}")]

    def secrets(self) -> dict[str, str]:
        """What nobody may be told. Variables of a job are told to its owner alone."""
        found = {"victim": SECRET, "attacker": ATTACKERS_SECRET, "key": (self.data / "key").read_text().strip()}
        found["worker"] = self.worker_secret
        for id in self._jobs:
            variables = variables_of(with_variable(f"LIGHTBOARD_JOB_ID={id}")[0])
            names = ("LIGHTBOARD_JOB_TOKEN", "JUPYTER_TOKEN")
            found |= {f"{name} of {id}": variables[name] for name in names if name in variables}
        return found

    def everything_told(self) -> dict[str, str]:
        """What the hub answers to each account, by account and path, and what its logs and command lines say."""
        colleague = self.hub.create_account("colleague", "admin")
        self.hub.json("PUT", "/api/v1/projects/other/members", {"account": "colleague", "role": "admin"})
        accounts = {"admin": TOKEN, "attacker": self.attacker, "colleague": colleague}
        found = {
            f"{who} {path}": self.hub.request("GET", path, token=token).text
            for who, token in accounts.items()
            for path in self._addresses()
        }
        found["log of the hub"] = "\n".join(self.hub.lines)
        found |= {
            str(path): path.read_text(errors="replace")
            for top in ("runner", "workers")
            for path in (self.data / top).rglob("*")
            if path.is_file() and (path.suffix == ".log" or path.parent.name == "log")
        }
        pids = (*self.own_processes(), *self.replica_processes())
        return found | {f"process {pid}": pathlib.Path(f"/proc/{pid}/cmdline").read_text() for pid in pids}

    def _addresses(self) -> list[str]:
        """Those that only read, with the names of what there is."""
        named = {"jobs": self._jobs, "tensorboards": [self.board["id"]], "projects": ["default", "other"]}
        namespace = {"cluster": "local", "namespace": "default", "project": "default", "label": self.board["id"]}
        found = []
        for path, methods in every_operation().items():
            if "GET" not in methods or path.endswith(("/watch", "/events", "/stream", "/recover")):
                continue  # some never end
            ids = named.get(path.split("/")[3] if path.count("/") > 3 else "", [self.victim])
            for id in ids if "{id}" in path else [""]:
                values = {**namespace, "id": id, "workspace": "default", "name": self.victim}
                found.append(re.sub(r"{(\w+)}", lambda match: values.get(match[1], "none"), path))  # noqa: B023
        return found

    @property
    def worker(self) -> str:
        """The address of the worker of boards."""
        ports = {each for pid in self.hub.worker_pids() for each in tcp_listeners(pid)}
        (port,) = ports
        return f"http://127.0.0.1:{port}"

    @property
    def worker_secret(self) -> str:
        """What the worker answers to."""
        with contextlib.closing(sqlite3.connect(self.data / "hub.sqlite3")) as database:
            (text,) = database.execute(
                "SELECT executor_ref FROM tensorboards WHERE id = ?", (self.board["id"],)
            ).fetchone()
        handle = parse(text)
        assert handle is not None
        return secret_of(bytes.fromhex((self.data / "key").read_text()), handle.worker)

    # Attacks

    def start_job(self) -> str:
        """The job of the attacker, which has tried everything once it prints that."""
        command = ["sh", "-c", '"$0" "$@"; exec sleep 1000', sys.executable, self.program, self.file]
        body = {"command": command, "project": "other", "environment": {"MINE": ATTACKERS_SECRET}}
        return self._start(body, token=self.attacker)

    def outcomes_of_the_same_account(self) -> Outcomes:
        """Of another job of the victim, in the same project."""
        id = self._start({"command": [sys.executable, self.victims_program, self.victims_file]})
        return outcomes(wait_for(lambda: self.log(id), lambda lines: END in lines, "all attacks"))

    def start_notebook(self) -> str:
        """The notebook of the attacker, a real JupyterLab."""
        return self._start({"name": "attackers", "project": "other"}, "notebooks", self.attacker)

    def outcomes_of_job(self, id: str) -> Outcomes:
        """Of the job of the attacker."""
        return outcomes(wait_for(lambda: self.log(id, self.attacker), lambda lines: END in lines, "all attacks"))

    def outcomes_of_exec(self, id: str) -> Outcomes:
        """Of a further command in the job of the attacker."""
        with Session(self.hub.url, self.attacker) as session:
            done = TrainingJob(id, session).exec([sys.executable, self.program, self.quick_file])
        assert isinstance(done.stdout, bytes)
        return outcomes(done.stdout.decode().splitlines())

    def outcomes_by_way(self) -> dict[str, Outcomes]:
        """What a new job and a new notebook of the attacker reach, however their code is started."""
        job, notebook = self.start_job(), self.start_notebook()
        return {
            JOB: self.outcomes_of_job(job),
            EXEC: self.outcomes_of_exec(job),
            NOTEBOOK: self.outcomes_of_kernel(notebook),
            TERMINAL: self.outcomes_of_terminal(notebook),
        }

    def outcomes_of_kernel(self, id: str) -> Outcomes:
        """Of code in a cell."""
        self.hub.wait_for_job(id, "Running")
        body = {"name": "python3", "path": "first.ipynb"}
        kernel = self.hub.json("POST", f"/notebooks/{id}/api/kernels", body, self.attacker)["id"]
        code = f"import sys, runpy; sys.argv = [{self.program!r}, {self.quick_file!r}]\n"
        code += f"runpy.run_path({self.program!r}, run_name='__main__')"
        with self._connect(f"/notebooks/{id}/api/kernels/{kernel}/channels") as opened:
            return outcomes(run_code(opened, code).splitlines())

    def outcomes_of_terminal(self, id: str) -> Outcomes:
        """Of a terminal of JupyterLab."""
        name = self.hub.json("POST", f"/notebooks/{id}/api/terminals", {}, self.attacker)["name"]
        shown = ""
        with self._connect(f"/notebooks/{id}/terminals/websocket/{name}") as opened:
            opened.send(json.dumps(["stdin", f"{sys.executable} {self.program} {self.quick_file}\r"]))
            while END not in shown:
                kind, *content = json.loads(opened.recv(120))
                shown += content[0] if kind == "stdout" else ""
        return outcomes(shown.splitlines())

    @contextlib.contextmanager
    def _connect(self, path: str) -> Iterator[ClientConnection]:
        headers = {"Authorization": f"Bearer {self.attacker}"}
        address = f"ws{self.hub.url.removeprefix('http')}{path}"
        with connect(address, additional_headers=headers, max_size=None) as opened:
            yield opened

    def outcomes_with_credentials(self) -> Outcomes:
        """Outside of any job, with the token of the administrator and the secret of the worker."""
        at = replace(self.targets, hub_token=TOKEN, worker_secret=self.worker_secret)
        file = self.hub.home.parent / "targets.json"
        file.write_text(json.dumps(asdict(at)))
        names = ("hub_without_a_token", "rights_of_its_token", "board_worker")
        done = subprocess.run([sys.executable, self.program, file, *names], capture_output=True, text=True, check=True)
        return outcomes(done.stdout.splitlines())


@contextlib.contextmanager
def attacked_hub(
    folder: pathlib.Path, *words: str, searches_all: bool, env: Mapping[str, str] | None = None
) -> Iterator[AttackedHub]:
    """A hub that is attacked, until the end."""
    (folder / "logs").mkdir()
    image = write_notebook_image(folder / "image")
    options = ("--job-slots", "8", "--image", f"telling={image}", *words)
    with HubProcess(folder / "home", *options, roots=[folder / "logs"], env=env) as hub:
        try:
            yield AttackedHub(hub, folder, searches_all=searches_all)
        finally:
            lists = [hub.json("GET", f"/api/v1/jobs?kind={kind}")["items"] for kind in ("job", "notebook")]
            ids = [job["id"] for each in lists for job in each]
            for id in ids:
                hub.json("DELETE", f"/api/v1/jobs/{id}")
            for id in ids:
                hub.wait_for_job(id, "Deleted")


def outcomes(lines: list[str]) -> Outcomes:
    """The outcomes among the lines of an output, by attack. A terminal may have written something before one."""
    parts = (line.partition(BEGIN) for line in lines)
    found = [Found(**json.loads(begin + rest)) for _, begin, rest in parts if begin]
    return {each.attack: each for each in found}


def variables_of(pid: int) -> dict[str, str]:
    """The variables that a process was started with."""
    with as_owner_of(pid):
        entries = pathlib.Path(f"/proc/{pid}/environ").read_bytes().decode(errors="replace").split("\0")
    return dict(entry.split("=", 1) for entry in entries if "=" in entry)


def tcp_listeners(pid: int) -> set[int]:
    """The ports at which a process listens."""
    sockets = sockets_of(pid)
    rows = [
        line.split()
        for name in ("tcp", "tcp6")
        for line in pathlib.Path("/proc/net", name).read_text().splitlines()[1:]
    ]
    return {int(row[1].rpartition(":")[2], 16) for row in rows if row[3] == "0A" and row[9] in sockets}


def unix_listeners(pid: int) -> set[str]:
    """The Unix sockets at which a process listens: the names of files, or `@` and the name of an abstract one."""
    sockets = sockets_of(pid)
    rows = [line.split() for line in pathlib.Path("/proc/net/unix").read_text().splitlines()[1:]]
    accepting = 1 << 16
    return {
        row[7].rpartition("/")[2] if len(row) > 7 else ""
        for row in rows
        if int(row[3], 16) & accepting and row[6] in sockets
    }


def sockets_of(pid: int) -> set[str]:
    """The inodes of the sockets of a process, none if it has ended."""
    return set(map(str, tcp_sockets.sockets_of([pid]).inodes))
