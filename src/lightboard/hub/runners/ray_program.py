"""The archive of our modules that nodes of a Ray cluster run, which have no Lightboard. Python imports it as it is."""

import hashlib
import importlib.util
import io
import os
import tempfile
import zipfile
from pathlib import Path

MODULES = (
    "lightboard",
    "lightboard.errors",
    "lightboard.hub",
    "lightboard.hub.resources",
    "lightboard.hub.resources.replicas",
    "lightboard.hub.resources.usage_history",
    "lightboard.hub.runners",
    "lightboard.hub.runners.base",
    "lightboard.hub.runners.command_process",
    "lightboard.hub.runners.control_group",
    "lightboard.hub.runners.control_group_v1",
    "lightboard.hub.runners.control_group_v2",
    "lightboard.hub.runners.exec_server",
    "lightboard.hub.runners.exec_session",
    "lightboard.hub.runners.gpu_monitor",
    "lightboard.hub.runners.gpus",
    "lightboard.hub.runners.line_log",
    "lightboard.hub.runners.log_part",
    "lightboard.hub.runners.namespaces",
    "lightboard.hub.runners.port_connection",
    "lightboard.hub.runners.process_tree",
    "lightboard.hub.runners.ray_driver",
    "lightboard.hub.runners.ray_replica",
    "lightboard.hub.runners.remove_tree",
    "lightboard.hub.runners.rendezvous",
    "lightboard.hub.runners.replica_folder",
    "lightboard.hub.runners.replica_group",
    "lightboard.hub.runners.replica_observation",
    "lightboard.hub.runners.sandbox_entry",
    "lightboard.hub.runners.supervisor",
    "lightboard.hub.runners.tcp_sockets",
    "lightboard.hub.runners.usage_log",
    "lightboard.hub.runners.watched_tree",
    "lightboard.memory_sizes",
    "lightboard.types",
)
"""They import each other and the standard library, apart from `ray`, which only several replicas need."""
START = "from lightboard.hub.runners import ray_driver\nimport sys\nsys.exit(ray_driver.main(sys.argv[1:]))\n"
FIRST_DATE = (1980, 1, 1, 0, 0, 0)


def write_program(folder: Path) -> Path:
    """The path of the archive in a folder, where it is created if it is missing. `python` runs it as the driver.

    Its name depends on its content, so that jobs which run keep theirs when the hub is upgraded. Raises OSError.
    """
    content = archive()
    path = folder / f"program-{hashlib.sha256(content).hexdigest()[:16]}.pyz"
    if not path.exists():
        fd, name = tempfile.mkstemp(dir=folder, prefix=".program-")
        with open(fd, "wb") as file:
            file.write(content)
            os.fsync(fd)
        os.replace(name, path)
    return path


def archive() -> bytes:
    """The archive, the same for the same modules."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as opened:
        opened.writestr(zipfile.ZipInfo("__main__.py", FIRST_DATE), START)
        for module in MODULES:
            found = importlib.util.find_spec(module)
            assert found is not None
            assert found.origin is not None
            name = module.replace(".", "/") + ("/__init__.py" if found.submodule_search_locations else ".py")
            opened.writestr(zipfile.ZipInfo(name, FIRST_DATE), Path(found.origin).read_bytes())
    return buffer.getvalue()
