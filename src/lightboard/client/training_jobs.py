"""`TrainingJob`: a job of the hub, with the names of PAI's SDK where it has them.

Source of the names: aliyun/pai-python-sdk, `pai/job/_training_job.py`.
"""

import subprocess
import sys
import webbrowser
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

from lightboard.client import source_code
from lightboard.client.job_follower import LOG_PAUSE_SECS, JobFollower
from lightboard.client.jobs import ENDED, GONE, ROUTE, SUCCEEDED, Job, find_job, list_jobs, route
from lightboard.client.output_folders import TENSORBOARD
from lightboard.client.pages import all_items
from lightboard.client.polling import StatusLines, poll, print_status
from lightboard.client.project_secrets import Secret, variables_request
from lightboard.client.session import Session, get_default_session
from lightboard.client.volumes import output_target, parse_volumes
from lightboard.counts import counted
from lightboard.errors import Conflict, NotReady, UnexpectedStatusException, UsageError
from lightboard.untrusted.terminal_text import styled

if TYPE_CHECKING:
    from lightboard.client.port_forward import PortForward

QUEUE_ROUTE = "/api/v1/queue"


class TrainingJob(Job):
    """A job on the hub. `status`, `reason` and the other properties send a request each time."""

    # Making and finding

    @classmethod
    def create(
        cls,
        command: str | Sequence[str],
        *,
        source_dir: str | None = None,
        name: str = "",
        display_name: str = "",
        environment: Mapping[str, str | Secret] | None = None,
        hyperparameters: Mapping[str, bool | int | float | str] | None = None,
        image: str = "",
        preset: str = "",
        inputs: Mapping[str, str] | None = None,
        replicas: int = 1,
        memory_bytes: int | None = None,
        priority: int = 5,
        max_retries: int = 0,
        max_run_time: float = 0,
        life_span: float = 0,
        queue_timeout: float = 0,
        grace_period: float = 30,
        labels: Mapping[str, str] | None = None,
        tags: Sequence[str] = (),
        log_dir: str = "",
        tensorboard: bool = False,
        volumes: Sequence[str] = (),
        http_port: int | None = None,
        project: str = "",
        session: Session | None = None,
        wait: bool = False,
        timeout: float | None = None,
        show_logs: bool = True,
    ) -> Self:
        """Creates a job, which starts when enough slots are free. With `wait`, waits until it has ended; see `wait`.

        `command` is a program with its arguments, or a line for `sh`. It starts in a folder with the files of
        `source_dir`, a folder of this machine; what `.gitignore` files exclude is left out. `image` is the name of an
        environment of the hub that has its programs, "" for the hub's own. `inputs` are folders or files of the hub to
        read, by name: `storage:PATH`, `dataset:NAME/PATH`, or a path that the project may show; the variable
        `PAI_INPUT_NAME` has the path of each. `preset` is the name of what each of the `replicas` gets of the machine,
        "" for the first preset of the hub, if it has any; `memory_bytes` is a lower limit of its memory. `priority` is
        1 to 9; jobs with a higher one start first. After a failure, the job is started again up to `max_retries` times.
        Durations are in seconds, 0 for no limit: `max_run_time` limits one attempt, `life_span` the running time of
        all, `queue_timeout` how long it may wait for slots each time, and `grace_period` how long its command may take
        to clean up. `log_dir` is the folder for TensorBoard logs in the project's storage, written as an input, "" for
        one of the job itself. With `tensorboard`, it has a TensorBoard of that folder from the beginning; if there can
        be none, there is no job.
        `http_port` is the port at which it serves a web page, which `open` opens; the variable `PORT` has it.
        `volumes` are folders of the hub at paths that the command knows: `SOURCE:TARGET:ro`, or `rw` for a folder in
        the project's storage that it may write to; without either, the hub allows that for `storage:`.
        `environment` has variables; `Secret("NAME")` as a value is that of a secret of the project.
        `name` is by default derived from the display name, and that from the command. `project` is by default that of
        the session.

        Raises:
            UsageError: there is no command, a volume is not one, or the source code cannot be packed or is too large.
            PermissionDenied: the account may not run jobs here.
            Conflict: a job of this name has not ended.
            TensorboardLimitExceeded: the account has as many TensorBoards as it may have.
            Invalid: a value is not valid.
        """
        session = session or get_default_session()
        words = command_words(command)
        archive = "" if source_dir is None else source_code.upload(session, source_dir, project)["digest"]
        body = {
            "command": words,
            "source_code": archive,
            "project": project or session.project,
            "name": name,
            "display_name": display_name,
            "environment": variables_request(environment),
            "hyperparameters": dict(hyperparameters or {}),
            "image": image,
            "preset": preset,
            "inputs": dict(inputs or {}),
            "replicas": replicas,
            "memory_bytes": memory_bytes,
            "priority": priority,
            "max_retries": max_retries,
            "max_run_secs": max_run_time,
            "life_span_secs": life_span,
            "queue_timeout_secs": queue_timeout,
            "grace_secs": grace_period,
            "labels": dict(labels or {}),
            "tags": list(tags),
            "log_dir": log_dir,
            "tensorboard": tensorboard,
            "http_port": http_port,
            "volumes": [volume.request() for volume in parse_volumes(volumes)],
        }
        job = cls(session.request("POST", ROUTE, body=body)["id"], session)
        return TrainingJob.wait(job, timeout, show_logs) if wait else job

    @classmethod
    def get(cls, training_job_id: str, session: Session | None = None) -> Self:
        """The job with this id, or this name in the project of the session. Raises NotFound.

        Of several jobs with one name, the one that has not ended, or else the newest.
        """
        session = session or get_default_session()
        return cls(find_job(session, training_job_id)["id"], session)

    @classmethod
    def list(cls, session: Session | None = None, **filters: Any) -> Sequence["TrainingJob"]:
        """All that match: `project`, `owner` ("me"), `status`, `search`, `sort`."""
        session = session or get_default_session()
        return [cls(item["id"], session) for item in list_jobs(session, **filters)]

    @classmethod
    def queue(cls, session: Session | None = None) -> dict[str, Any]:
        """The queue of the hub: `items` are the waiting jobs that one may see, in the order in which they start.

        Each has its `position` among all jobs that wait (`waiting`), what it needs, and what it waits for (`message`).
        `capacity` is what the jobs of the hub share, and `shares` what each account has of it.
        """
        session = session or get_default_session()
        items = [*all_items(session, QUEUE_ROUTE)]
        return {**session.get(QUEUE_ROUTE, {"page_size": 1}), "items": items}

    # What it is

    @property
    def exit_code(self) -> int | None:
        """The exit code of the last attempt; None while it runs, or if a signal has ended it."""
        code = self.info()["exit_code"]
        return None if code is None else int(code)

    @property
    def http_url(self) -> str:
        """The link to the web page that it serves, "" if it has no port for one. Only its owner can open it."""
        return str(self.info()["url"])

    def open(self, timeout: float | None = 600) -> str:
        """Opens its web page in the browser of this machine, as soon as it is served. Returns the link.

        Raises:
            NotFound: it has no port for one.
            Conflict: it has ended, or another program has its port.
            NotReady: nothing is served after `timeout` seconds (0 or None is no limit).
        """
        link, told = self.http_url, {"message": ""}
        for told in poll(lambda: self.session.get(f"{route(self.id)}/http"), timeout or None):
            if told["listens"]:
                webbrowser.open(link)
                return link
            if told["taken"] or self.info()["status"] in ENDED:
                raise Conflict(told["message"], hint="run the job again with another port")
        raise NotReady(told["message"], hint="look at its log")

    def port_forward(
        self, port: int, local_port: int = 0, *, rank: int = 0, say: Callable[[str], None] | None = None
    ) -> "PortForward":
        """Its port `port` at the port `local_port` of this machine (0 is any free one), until it is closed.

        To be used in a `with` statement; `local_port` of what is returned is the one that it has. Why a connection was
        refused is passed to `say`, by default printed to stderr. Raises UsageError if the local port is in use.
        """
        from lightboard.client.port_forward import PortForward  # not needed by others

        return PortForward(self.session, self.id, port, local_port, rank=rank, say=say)

    def exec(
        self, command: str | Sequence[str], *, rank: int = 0, input: bytes = b""
    ) -> "subprocess.CompletedProcess[bytes]":
        """Runs a further command in a replica while the job runs, and waits until it has ended.

        `command` is a program with its arguments, or a line for `sh`. The return code is negative if a signal ended it.

        Raises:
            PermissionDenied: the job is of another account, or this one may not run jobs any more.
            Conflict: the job does not run.
            BadRequest: there is no such program.
        """
        from lightboard.client.job_exec import JobExec, run_to_end  # not needed by others

        words = command_words(command)
        result, output, errors = run_to_end(JobExec(self.session, self.id, words, rank=rank), input)
        code = -result.signal if result.signal is not None else result.exit_code
        return subprocess.CompletedProcess(words, 1 if code is None else code, output, errors)

    def download_source_code(self, to: str) -> None:
        """Writes its source code to the new file `to`, as a tar file compressed with gzip.

        Raises NotFound if it has none, UsageError if the file exists or cannot be written.
        """
        source_code.download(self.session, self.id, to)

    def output_path(self, channel_name: str = "model") -> str:
        """The folder of one kind of outputs: `model`, `checkpoints` or `tensorboard`."""
        info = self.info()
        if channel_name == TENSORBOARD:
            return str(info["tensorboard_uri"])
        at = output_target(channel_name)
        own = f"{info['output_uri']}/{channel_name}"
        return next((each["source"] for each in info["volumes"] if each["target"] == at and not each["read_only"]), own)

    def metrics(self) -> Sequence[dict[str, Any]]:
        """The scalars in its TensorBoard logs: `name`, the last `value` with `step` and `wall_time`, and up to 64
        points as `steps`, `wall_times` and `values`.

        `name` is the tag with its run, without attempt and replica; `run`, `tag`, `attempt` and `rank` are the parts.
        While a job runs, they are a few seconds old.
        """
        return [with_floats(item) for item in self.session.get(f"{route(self.id)}/metrics")["items"]]

    def is_succeeded(self) -> bool:
        """Whether it has succeeded."""
        return bool(self.info()["status"] == SUCCEEDED)

    # What it does

    def wait(
        self,
        timeout: float | None = None,
        show_logs: bool = True,
        *,
        say: Callable[[str], None] | None = None,
        show: Callable[[str], None] | None = None,
        seen: int | None = None,
        pause: float = LOG_PAUSE_SECS,
    ) -> Self:
        """Waits until it has succeeded. Each status change is passed to `say`, by default printed to stderr. `seen`
        is the number of entries of its history that are known; those that follow are passed, too. None is all.

        With `show_logs`, the lines that replica 0 prints are passed to `show`, by default printed to stdout, through
        all attempts from the current one on, as it streams them. A hub that has no streams, or whose streams do not
        arrive, is asked every `pause` seconds, or sooner. One that is away, as during an upgrade, is waited for.

        Raises:
            HubUnreachable: it was away for five minutes.
            UnexpectedStatusException: it has failed, or was stopped or deleted.
            NotReady: it has not ended after `timeout` seconds (0 or None is no limit); it continues.
        """
        status = StatusLines(say, seen)
        show, say = show or print_line, say or print_status
        rank = 0 if show_logs else None
        follower = JobFollower(self.session, route(self.id), rank, say, timeout=timeout or None, pause=pause)
        for info in follower.states():
            ended = info["status"] in ENDED
            if ended:
                status.update_history(info)
            else:
                status.update(info)
            if show_logs and info["status"] not in GONE:
                for line in follower.lines(info, ended):
                    show(line)
            status.update(info)
            if ended:
                return self._succeeded(info)
        raise NotReady(
            f"{self.id} has not ended after {counted(timeout or 0, 'second')}", hint="it continues; wait, or stop it"
        )

    def _succeeded(self, info: Mapping[str, Any]) -> Self:
        if info["status"] != SUCCEEDED:
            raise UnexpectedStatusException(info["status"], info["reason"], info["message"])
        return self

    def extend(self, minutes: float) -> Self:
        """Extends its life span; no change if it has none."""
        self.session.request("POST", f"{route(self.id)}/extend", body={"additional_secs": minutes * 60})
        return self

    def pause(self) -> Self:
        """Holds it until `resume`; no change if it is paused. A waiting one keeps its place in the queue.

        The command of a running one gets SIGTERM, and SIGKILL after its grace period; that frees its slots, memory and
        GPUs, and is no failure. It is Paused when it has ended, and starts again as another attempt. Raises Conflict if
        it has ended already.
        """
        self.session.request("PUT", f"{route(self.id)}/pause")
        return self

    def resume(self) -> Self:
        """Lets a paused one wait for slots again; no change if it waits or runs.

        Raises Conflict if it has ended, or is still being paused.
        """
        self.session.request("PUT", f"{route(self.id)}/resume")
        return self

    def set_priority(self, priority: int) -> Self:
        """Gives it another priority, from 1 to 9. Of those that wait, the ones with higher priorities start first."""
        self.session.request("PUT", f"{route(self.id)}/priority", body={"priority": priority})
        return self

    def restart(self, wait: bool = False, timeout: float | None = None, show_logs: bool = True) -> Self:
        """Runs it again after it has ended; no change if it has not. With `wait`, waits until it has ended; see `wait`.

        Raises Conflict if another job has its name by now.
        """
        self.session.request("PUT", f"{route(self.id)}/restart")
        return TrainingJob.wait(self, timeout, show_logs) if wait else self

    def run_again(
        self, name: str = "", environment: Mapping[str, str | Secret] | None = None, image_digest: str = ""
    ) -> "TrainingJob":
        """Another job with the same command, source code, inputs, image, preset, hyperparameters and variables.

        `name` "" is the next free one. `environment` has new values of variables; of a job of somebody else it must
        have all values, since only its owner knows them; secrets are taken by name. `image_digest` is that of an
        attempt in `lineage`, to run with the packages of that instead of those that the image has now.
        Raises Invalid if one is missing, and for what the hub does not have any more, such as an image.
        """
        body = {"name": name, "environment": variables_request(environment)}
        if image_digest:
            body["image_digest"] = image_digest
        made = self.session.request("POST", f"{route(self.id)}/run-again", body=body)
        return TrainingJob(made["id"], self.session)


NUMBERS = ("value", "wall_time", "values", "wall_times")


def with_floats(item: Mapping[str, Any]) -> dict[str, Any]:
    """A metric with floats, which JSON has as text if they are not finite."""
    return {**item, **{name: as_floats(item[name]) for name in NUMBERS}}


def as_floats(value: Any) -> Any:
    """A number, or a list of numbers, as floats."""
    return [float(each) for each in value] if isinstance(value, list) else float(value)


def command_words(command: str | Sequence[str]) -> list[str]:
    """A program and its arguments; a line is run by `sh`. Raises UsageError if there is nothing to run."""
    words = ["sh", "-c", command] if isinstance(command, str) else [*command]
    if not words or not words[-1 if isinstance(command, str) else 0].strip():
        raise UsageError("there is no command to run", hint='for example ["python", "train.py"]')
    return words


def print_line(line: str) -> None:
    """Prints a line of a log to stdout: to a terminal with its colours alone, to a file or pipe as it is."""
    print(styled(line) if sys.stdout is not None and sys.stdout.isatty() else line, flush=True)
