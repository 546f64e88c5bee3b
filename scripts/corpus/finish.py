"""Copies the logs of the writers, with neutral names. Fails if a log contains a text that identifies the machine.

    python finish.py FROM TO [--forbid TEXT ...]

TensorFlow names its files after the host and the process. These parts are replaced, and the order of the files of a run
is kept. A folder in TO with the same name is replaced.
"""

import argparse
import re
import shutil
import sys
from pathlib import Path

NAME = re.compile(r"^(events\.out\.tfevents\.\d+)\.[^.]+(?:\.(?P<pid>\d+)(?=\.\d))?(?P<rest>.*)$")


def neutral_name(name: str) -> str:
    match = NAME.match(name)
    if not match:
        return name
    process = ".4242" if match["pid"] else ""
    return f"{match[1]}.trainer{process}{match['rest']}"


def main() -> int:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("source", type=Path)
    arguments.add_argument("target", type=Path)
    arguments.add_argument("--forbid", nargs="*", default=["/tmp/", "/home/", "/root/", "site-packages"])
    options = arguments.parse_args()
    bad = [
        f"{path}: contains {text!r}"
        for path in sorted(options.source.glob("[!.]*/**/*"))
        if path.is_file()
        for text in options.forbid
        if text.encode() in path.read_bytes()
    ]
    if bad:
        print("\n".join(bad), file=sys.stderr)
        return 1
    for folder in sorted(path for path in options.source.glob("[!.]*") if path.is_dir()):
        for path in sorted(folder.rglob("*tfevents*")):
            if path.is_file():
                path.rename(path.with_name(neutral_name(path.name)))
        shutil.rmtree(options.target / folder.name, ignore_errors=True)
        shutil.copytree(folder, options.target / folder.name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
