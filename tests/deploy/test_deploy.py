"""Files in deploy/ are valid for Kubernetes, compose, systemd and the hub."""

import configparser
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tomllib
from typing import Any

import pytest
import yaml

from lightboard.cli.hub import parser, settings_of
from lightboard.home import VARIABLE
from lightboard.hub.api.routes import OPEN, RIGHT

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
MANIFESTS = sorted((DEPLOY / "kubernetes").glob("*.yaml"))
CONTAINERFILE = (DEPLOY / "Containerfile").read_text()
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def resources(kind: str = "") -> list[dict[str, Any]]:
    """What is applied to a cluster."""
    found = [each for file in MANIFESTS for each in yaml.safe_load_all(file.read_text())]
    return [each for each in found if kind in ("", each["kind"])]


def hub_container() -> dict[str, Any]:
    """The hub on a cluster."""
    (deployment,) = resources("Deployment")
    (container,) = deployment["spec"]["template"]["spec"]["containers"]
    return dict(container)


def unit() -> configparser.ConfigParser:
    """The unit of systemd: keys as they stand, `%` means nothing to us."""
    read = configparser.ConfigParser(interpolation=None)
    read.optionxform = str  # type: ignore[assignment, method-assign]
    read.read_string((DEPLOY / "systemd" / "lightboard-hub.service").read_text())
    return read


def filled(text: str) -> str:
    """A word as the hub gets it where nothing is set: compose takes what follows `:-`, Kubernetes the pod's address."""
    return re.sub(r"\$\{\w+:-(.*?)\}", r"\1", text).replace("$(POD_IP)", "192.0.2.7")


def words_of(place: str) -> list[str]:
    """What follows `lightboard hub` there."""
    if place == "container":
        return list(json.loads(re.findall(r"^CMD (\[.*\])$", CONTAINERFILE, re.MULTILINE)[-1]))
    if place == "compose":
        return [filled(word) for word in COMPOSE["services"]["hub"]["command"]]
    if place == "kubernetes":
        return [filled(word) for word in hub_container()["args"]]
    return shlex.split(unit()["Service"]["ExecStart"])[2:]


PLACES = ("container", "compose", "kubernetes", "systemd")


class Asked(dict[str, str]):
    """An environment that knows what it was asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()

    def get(self, name: str, default: Any = None) -> Any:
        self.names.add(name)
        return default


@pytest.mark.parametrize("resource", resources(), ids=lambda resource: resource["kind"])
def test_kubernetes_manifests_are_valid(resource: dict[str, Any]) -> None:
    """Against the schemas, without unknown fields."""
    import kubernetes_validate  # 500 ms, which each worker would spend, whoever runs this

    newest = kubernetes_validate.latest_version()

    assert newest.startswith(kubernetes_validate.validate(resource, newest, strict=True) + ".")


def test_one_hub_alone_runs_jobs_on_a_cluster() -> None:
    """Others would refuse them, also one that starts before the last one has ended. Nodes can be drained."""
    (deployment,) = resources("Deployment")
    (budget,) = resources("PodDisruptionBudget")

    assert (deployment["spec"]["replicas"], deployment["spec"]["strategy"]) == (1, {"type": "Recreate"})
    assert "minAvailable" not in budget["spec"]


def test_compose_file_is_valid() -> None:
    """Against the compose specification."""
    schema = ["--builtin-schema", "vendor.compose-spec"]

    done = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", *schema, str(DEPLOY / "compose.yaml")],
        capture_output=True,
        text=True,
        timeout=120,
    )

    assert (done.returncode, done.stdout, done.stderr) == (0, "ok -- validation done\n", "")


@pytest.mark.parametrize("place", PLACES)
def test_flags_exist(place: str) -> None:
    """Unabbreviated."""
    known = {name for action in parser()._actions for name in action.option_strings}

    used = {word.partition("=")[0] for word in words_of(place) if word.startswith("--")}

    assert used - known == set()


@pytest.mark.parametrize(
    ("place", "host", "json"),
    [
        ("container", "0.0.0.0", True),
        ("compose", "0.0.0.0", True),
        ("kubernetes", "0.0.0.0", True),
        ("systemd", "127.0.0.1", True),
    ],
)
def test_command_lines_are_accepted(place: str, host: str, json: bool) -> None:
    """Containers listen on all interfaces, services on loopback."""
    settings = settings_of(parser().parse_args(words_of(place)), {})

    assert (settings.host, settings.port, settings.log_json) == (host, 8080, json)


def test_environment_variables_are_used() -> None:
    """No variable is set that the program does not ask for."""
    asked = Asked()
    settings_of(parser().parse_args([]), asked)

    named = {
        *re.findall(r"\b(LIGHTBOARD_\w+)=", CONTAINERFILE),
        *COMPOSE["services"]["hub"]["environment"],
        *(each["name"] for each in hub_container()["env"] if each["name"] != "POD_IP"),
        *(pair.partition("=")[0] for pair in shlex.split(unit()["Service"]["Environment"])),
    }

    assert named - asked.names - {VARIABLE} == set()


def test_systemd_starts_the_console_script() -> None:
    """The unit starts what `pip install` puts into the folder of programs."""
    program, command = shlex.split(unit()["Service"]["ExecStart"])[:2]

    assert (pathlib.Path(program).name in PROJECT["scripts"], command) == (True, "hub")


def test_the_container_starts_the_console_script() -> None:
    """The image starts it too."""
    entry = json.loads(re.findall(r"^ENTRYPOINT (\[.*\])$", CONTAINERFILE, re.MULTILINE)[-1])

    assert (entry[0] in PROJECT["scripts"], entry[1:]) == (True, ["hub"])


def test_installed_extras_exist() -> None:
    """`lightboard[hub,objects]`."""
    service = (DEPLOY / "systemd" / "lightboard-hub.service").read_text()

    wanted = {name for text in (CONTAINERFILE, service) for each in re.findall(r"\[([a-z,]+)\]'", text)
              for name in each.split(",")}  # fmt: skip

    assert (wanted, wanted - set(PROJECT["optional-dependencies"])) == ({"hub", "objects"}, set())


def test_the_image_builds_the_pages() -> None:
    """With a recent Node; Debian's is too old."""
    stages = re.split(r"^FROM ", CONTAINERFILE, flags=re.MULTILINE)[1:]
    pages = next(stage for stage in stages if " AS pages\n" in stage)
    wheel = next(stage for stage in stages if "pip install" in stage)

    assert json.loads((ROOT / "web/package.json").read_text())["engines"]["node"].endswith("|| >=22.12.0")
    assert int(pages.partition("node:")[2].partition("-")[0]) >= 22
    assert "npm run build" in pages
    assert wheel.index("COPY . .\n") < wheel.index("COPY --from=pages /source/src src\n") < wheel.index("pip install")


def test_probes_use_public_routes() -> None:
    """What looks whether the hub lives asks addresses that everybody may ask."""
    probes = {hub_container()[f"{kind}Probe"]["httpGet"]["path"] for kind in ("liveness", "readiness", "startup")}
    probes |= set(re.findall(r"http://127\.0\.0\.1:8080(/\w+)", CONTAINERFILE))

    document = json.loads((ROOT / "docs" / "hub-openapi.json").read_text())
    rights = {path: told["get"][RIGHT] for path, told in document["paths"].items() if path in probes}

    assert rights == {"/healthz": OPEN, "/readyz": OPEN}


def test_the_cluster_uses_the_images_user() -> None:
    """It owns files in the image and the volume."""
    (deployment,) = resources("Deployment")
    context = deployment["spec"]["template"]["spec"]["securityContext"]
    (user,) = re.findall(r"^USER (\d+)$", CONTAINERFILE, re.MULTILINE)

    assert (context["runAsUser"], context["fsGroup"]) == (int(user), int(user))


def test_the_secret_has_the_keys_in_use() -> None:
    """The command in the file makes the secret that the deployment wants."""
    (secret,) = re.findall(r"create secret generic ([\w-]+)", MANIFESTS[0].read_text())
    made = {(secret, key) for key in re.findall(r"--from-literal=([\w-]+)=", MANIFESTS[0].read_text())}

    refs = [each["valueFrom"].get("secretKeyRef") for each in hub_container()["env"]]

    assert made == {(ref["name"], ref["key"]) for ref in refs if ref}


def test_mounted_logs_are_allowed_and_read_only() -> None:
    """Compose mounts the folder that it allows, and nobody can write there."""
    hub = COMPOSE["services"]["hub"]
    mounts = [filled(each).split(":") for each in hub["volumes"]]

    read_only = [target for _source, target, *mode in mounts if mode == ["ro"]]

    assert list(settings_of(parser().parse_args(words_of("compose")), {}).allow_roots) == read_only


def test_volume_modes_stay_private() -> None:
    """fsGroup changes would make the hub refuse its files."""
    (deployment,) = resources("Deployment")

    context = deployment["spec"]["template"]["spec"]["securityContext"]
    assert (context["fsGroup"], context["fsGroupChangePolicy"]) == (context["runAsUser"], "OnRootMismatch")
    assert unit()["Service"]["StateDirectoryMode"] == "0700"
