"""`scripts/unpack_chromium.mjs`, as the workers of a test run call it: several at once on a fresh checkout."""

import json
import pathlib
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[1]
WORKERS, ROUNDS = 6, 4
PACK = """
import { brotliCompressSync } from "node:zlib";
import { readFileSync, writeFileSync } from "node:fs";
for (const [from, to] of [["a.tar", "al2023.tar.br"], ["a.tar", "swiftshader.tar.br"], ["a.tar", "fonts.tar.br"],
    ["a.tar", "chromium.br"]]) writeFileSync(to, brotliCompressSync(readFileSync(from)));
"""
"""The package's archives, with next to nothing in them."""


@pytest.fixture
def checkout(tmp_path: pathlib.Path) -> pathlib.Path:
    """A project with the script and a small package."""
    packed = tmp_path / "web/node_modules/@sparticuz/chromium/bin"
    packed.mkdir(parents=True)
    (packed / "pack.mjs").write_text(PACK)
    subprocess.run(["tar", "-cf", "a.tar", "pack.mjs"], cwd=packed, check=True)
    subprocess.run(["node", "pack.mjs"], cwd=packed, check=True)
    (tmp_path / "scripts").mkdir()
    shutil.copy(ROOT / "scripts/unpack_chromium.mjs", tmp_path / "scripts")
    return tmp_path


def test_several_may_unpack_at_once(checkout: pathlib.Path) -> None:
    """All find the browser, and nothing else is left."""
    cache = checkout / ".cache"
    for _ in range(ROUNDS):
        shutil.rmtree(cache, ignore_errors=True)
        command = ["node", checkout / "scripts/unpack_chromium.mjs"]
        workers = [
            subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(WORKERS)
        ]
        said = [worker.communicate() for worker in workers]

        assert [errors for _, errors in said] == [""] * WORKERS
        assert {json.loads(told)["executable"] for told, _ in said} == {str(cache / "chromium/chromium")}
        assert [each.name for each in cache.iterdir()] == ["chromium"]
