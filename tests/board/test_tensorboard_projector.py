"""TensorBoard's projector routes with hostile configs: nothing outside the config's folder is sent.

`tests/corpus` compares responses about valid logs with TensorBoard's.
"""

from pathlib import Path

import pytest

from lightboard.config import BoardSettings
from lightboard.ingest.loader import Loader, LoaderOptions
from lightboard.ingest.logdir import sources
from lightboard.query.provider import CatalogProvider
from lightboard.series.catalog import Catalog
from support.board_client import BoardClient

PLUGIN = "/data/plugin/projector"
SECRET = b"1\t2\n3\t4\n"


@pytest.fixture
def hostile(tmp_path: Path) -> BoardClient:
    """A board whose configs name a secret beside the logdir in every way they can."""
    (tmp_path / "secret").write_bytes(SECRET)
    run = tmp_path / "logs" / "run"
    run.mkdir(parents=True)
    (run / "link").symlink_to(tmp_path / "secret")
    (run / "good.tsv").write_bytes(SECRET)
    ways = ["../../secret", str(tmp_path / "secret"), f"file://{tmp_path}/secret", "link", "http://host/secret"]
    entries = [f'tensor_name: "t{at}" tensor_path: "{way}"' for at, way in enumerate(ways)]
    entries += [
        f'tensor_name: "a{at}" tensor_path: "good.tsv" metadata_path: "{way}" bookmarks_path: "{way}" '
        f'sprite {{ image_path: "{way}" }}'
        for at, way in enumerate(ways)
    ]
    (run / "projector_config.pbtxt").write_text("\n".join(f"embeddings {{ {each} }}" for each in entries))
    catalog = Catalog()
    Loader(catalog, sources(str(tmp_path / "logs")), LoaderOptions(threads=0)).load()
    return BoardClient(provider=CatalogProvider(catalog, BoardSettings(logdir=str(tmp_path / "logs"))))


@pytest.mark.parametrize("at", range(5))
def test_tensors_outside_the_folder_are_refused(hostile: BoardClient, at: int) -> None:
    """Also by the API."""
    found = hostile.get(f"{PLUGIN}/tensor?run=run&name=t{at}")
    own = hostile.get(f"/api/v1/projector/vectors?run=run&name=t{at}")
    assert (found.status_code, own.status_code) == (400, 422)
    assert [b"1.0" in each.content or SECRET in each.content for each in (found, own)] == [False, False]


@pytest.mark.parametrize("at", range(5))
def test_attachments_outside_the_folder_are_refused(hostile: BoardClient, at: int) -> None:
    """Metadata, bookmarks and sprites; the tensor is shown."""
    names = f"run=run&name=a{at}"
    refused = [f"{PLUGIN}/{part}?{names}" for part in ("metadata", "bookmarks", "sprite_image")]
    refused += [f"/api/v1/projector/{part}?{names}" for part in ("labels", "bookmarks", "sprite")]
    answers = [hostile.get(url + ("&column=label" if "labels" in url else "")) for url in refused]
    assert [answer.status_code for answer in answers] == [400, 400, 400, 422, 422, 422]
    assert not any(SECRET in answer.content for answer in answers)
    assert hostile.get(f"{PLUGIN}/tensor?{names}").status_code == 200


def test_only_usable_tensors_are_listed(hostile: BoardClient) -> None:
    """Paths are those of the config and cannot traverse."""
    listed = hostile.get(f"{PLUGIN}/info?run=run").json()["embeddings"]
    assert [one["tensorName"] for one in listed] == ["a0", "a1", "a2", "a3", "a4"]


def test_absurd_configs_are_safe() -> None:
    """Huge shapes, markup in names, invalid text."""
    from lightboard.testing.fakes import MemoryBoard

    text = 'embeddings { tensor_name: "<script>" tensor_path: "x" tensor_shape: 4294967295 tensor_shape: 4294967295 }\n'
    files = {"projector_config.pbtxt": text.encode() * 1000 + b"\xff\xfe{{{", "x": bytes(64)}
    board = BoardClient(provider=CatalogProvider(MemoryBoard(files).catalog, BoardSettings(logdir="m")))
    answer = board.get("/api/v1/projector").json()
    assert [one["name"] for one in answer["tensors"]] == ["<script>"]
    assert answer["tensors"][0]["problem"].startswith("x has 64 bytes; 4294967295 x 4294967295 float32")
    assert answer["problems"] == [{"run": ".", "problem": "line 1001 of the config makes no sense"}]
    assert board.get(f"{PLUGIN}/runs").json() == []
