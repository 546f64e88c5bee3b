"""Pages without data in the logs: what each says of itself, and where it leads, whatever else the logs have."""

import pathlib
import shutil
from collections.abc import Callable
from typing import NamedTuple

import pytest
from playwright.sync_api import Page, expect

from lightboard.testing.event_files import (
    STRING,
    graph_record,
    image_value,
    summary_metadata,
    summary_record,
    tensor,
    tensor_record,
    write_events,
)
from support import graph_logs, image_logs
from support.board_process import BoardStarter
from support.onnx_models import GRAPH_FILES
from support.page_driver import PageDriver
from support.page_faults import LANGUAGES, find_page_faults
from support.profiles import PROFILES
from support.settled_pages import settle

NAMES = {
    "timeseries": "Scalars",
    "runs": "Runs",
    "hparams": "HParams",
    "images": "Images",
    "audio": "Audio",
    "text": "Text",
    "histograms": "Histograms",
    "graphs": "Graphs",
    "profile": "Profile",
    "pr_curves": "PR Curves",
    "projector": "Projector",
    "mesh": "Mesh",
    "custom_scalars": "Custom Scalars",
}


class Seen(NamedTuple):
    """What a page without data says: its heading, whether it has code, and the other pages that it leads to."""

    heading: str
    has_code: bool
    others: list[str]


def captures(folder: pathlib.Path) -> None:
    shutil.copytree(PROFILES / "torch", folder)


def programs(folder: pathlib.Path) -> None:
    shutil.copytree(PROFILES / "jax", folder)


def models(folder: pathlib.Path) -> None:
    folder.mkdir()
    shutil.copy(GRAPH_FILES / "torch_traced.onnx", folder)


def graphs(folder: pathlib.Path) -> None:
    write_run(folder, graph_record(graph_logs.transformer_graph(2)))


def images(folder: pathlib.Path) -> None:
    write_run(folder, summary_record([image_value("sample", image_logs.encoded(image_logs.drawn(8, 0, 0)))]))


def text(folder: pathlib.Path) -> None:
    write_run(folder, tensor_record("words", 0, tensor(STRING, [b"hello"]), 5.0, summary_metadata("text")))


def write_run(folder: pathlib.Path, record: bytes) -> None:
    """A run with one record."""
    (folder / "a").mkdir(parents=True)
    write_events(folder / "a" / "events.out.tfevents.1750000000.host", [record])


def seen_on(page: Page, name: str) -> Seen | None:
    """What a page says; None if it has data."""
    page.evaluate("(name) => { location.hash = name; }", name)
    expect(page.locator("main[aria-busy=true]")).to_have_count(0)
    settle(page)
    heading = page.get_by_role("main").get_by_role("heading", name="in these logs")
    if heading.count() == 0:
        return None
    others = page.get_by_test_id("other-pages").get_by_role("button").all_inner_texts()
    return Seen(heading.first.inner_text(), page.locator("main pre").count() > 0, others)


@pytest.mark.parametrize(
    ("write", "shown", "others"),
    [
        (captures, {"profile"}, ["Profile · 1"]),
        (programs, {"profile", "graphs"}, ["Profile · 1"]),
        (models, {"graphs"}, ["Graphs · 1"]),
        (graphs, {"graphs", "runs"}, ["Graphs · 1"]),
        (images, {"images", "runs", "timeseries"}, ["Images · 1"]),
        (text, {"text", "runs"}, ["Text · 1"]),
    ],
)
def test_every_page_without_data_speaks_of_itself(
    driver: PageDriver,
    start_board: BoardStarter,
    tmp_path: pathlib.Path,
    write: Callable[[pathlib.Path], None],
    shown: set[str],
    others: list[str],
) -> None:
    """And leads to the page that has data."""
    write(tmp_path / "logs")
    page = driver.open(start_board(tmp_path / "logs", "--reload_task", "blocking"))

    assert {name: seen_on(page, name) for name in NAMES} == {
        name: None if name in shown else Seen(f"No {kind} in these logs", has_code=True, others=others)
        for name, kind in NAMES.items()
    }


@pytest.mark.parametrize(("write", "opened"), [(captures, "profile"), (models, "graphs")])
def test_logs_without_runs_open_where_they_have_data(
    driver: PageDriver,
    start_board: BoardStarter,
    tmp_path: pathlib.Path,
    write: Callable[[pathlib.Path], None],
    opened: str,
) -> None:
    write(tmp_path / "logs")
    page = driver.open(start_board(tmp_path / "logs", "--reload_task", "blocking"))
    expect(page.get_by_test_id(f"tab-{opened}")).to_have_attribute("aria-current", "page")


def test_a_link_leads_to_the_other_page(driver: PageDriver, start_board: BoardStarter, tmp_path: pathlib.Path) -> None:
    captures(tmp_path / "logs")
    page = driver.open(start_board(tmp_path / "logs", "--reload_task", "blocking"), "#graphs")
    page.get_by_role("button", name="Profile · 1").click()
    expect(page.get_by_test_id("tab-profile")).to_have_attribute("aria-current", "page")


def test_a_page_without_data_is_intact_translated_and_accessible(
    driver: PageDriver, start_board: BoardStarter, tmp_path: pathlib.Path
) -> None:
    captures(tmp_path / "logs")
    board = start_board(tmp_path / "logs", "--reload_task", "blocking")
    page = driver.open(board, f"#graphs&lang={LANGUAGES[0]}")
    expect(page.get_by_test_id("other-pages")).to_be_visible()

    # Long lines of code are scrolled.
    assert find_page_faults(page, [1440, 1024, 390], accessible=[1440, 390], allowed="sideways: pre") == {}
