"""Exports of cards, sections and views equal the API to the last digit (check 39)."""

import csv
import io
import json
import pathlib
import xml.etree.ElementTree as ET
import zipfile
from typing import Any

import numpy as np
from playwright.sync_api import Locator, Page, expect

from support import scalar_logs
from support.board_process import BoardProcess, BoardStarter
from support.chart_cards import fetch_series, find_card
from support.downloads import SVG, download_from_menu, open_export_menu, svg_texts
from support.page_driver import PageDriver
from support.settled_pages import press, settle

ODD = ("损失-实验", "тест №1", 'a<b>&"c"', "emoji 😀 run", "عربي")


def copied(page: Page, of: Locator, item: str) -> str:
    """Choose an item that copies; what is on the clipboard then."""
    open_export_menu(page, of)
    page.get_by_role("menuitem", name=item).press("Enter")
    expect(page.get_by_test_id("toast")).to_contain_text("Copied")
    text: str = page.evaluate("navigator.clipboard.readText()")
    return text


def rows_of(points: list[list[Any]], run: str, tag: str) -> list[tuple[str, str, int, float, float]]:
    """Points as the API tells them, in the columns of the long table."""
    return [(run, tag, step, wall, value) for wall, step, value in points]


def stored(board: BoardProcess, tag: str) -> list[tuple[str, str, int, float, float]]:
    """Every point of a tag of the sweep, by the API."""
    return [row for run in scalar_logs.SWEEP for row in rows_of(fetch_series(board, run, tag), run, tag)]


def table(text: str) -> list[tuple[str, str, int, float, float]]:
    """The rows of a long CSV table."""
    return [
        (row["run"], row["tag"], int(row["step"]), float(row["wall_time"]), float(row["value"]))
        for row in csv.DictReader(io.StringIO(text))
    ]


def test_points_of_a_card_as_csv_and_json_equal_the_api(
    driver: PageDriver, sweep: BoardProcess, tmp_path: pathlib.Path
) -> None:
    """Every point of every visible run, exactly as stored."""
    page = driver.open(sweep)
    loss = find_card(page, "train/loss")
    expected = sorted(stored(sweep, "train/loss"))
    as_csv = download_from_menu(page, loss, "All points as CSV", tmp_path)
    as_json = download_from_menu(page, loss, "All points as JSON", tmp_path)
    document = json.loads(as_json.read_text())["series"]
    assert (as_csv.name, as_json.name) == ("train-loss.csv", "train-loss.json")
    assert sorted(table(as_csv.read_text())) == expected
    assert sorted(row for each in document for row in rows_of(each["points"], each["run"], each["tag"])) == expected


def test_hidden_runs_are_not_exported(driver: PageDriver, sweep: BoardProcess, tmp_path: pathlib.Path) -> None:
    """A card is taken away as it is seen."""
    page = driver.open(sweep, "&runs=none&show=baseline")
    rows = table(download_from_menu(page, find_card(page, "eval/loss"), "All points as CSV", tmp_path).read_text())
    assert {run for run, *_ in rows} == {"baseline"}


def test_svg_pictures_are_complete_and_light(driver: PageDriver, sweep: BoardProcess, tmp_path: pathlib.Path) -> None:
    """In dark mode too: text as text, one stroke per line."""
    page = driver.open(sweep, "&smoothing=0.6", scheme="dark")
    svg = download_from_menu(page, find_card(page, "train/loss"), "Image as SVG", tmp_path).read_text()
    said = svg_texts(svg)
    assert said[:4] == ["train/loss", "smoothed 0.6", "loss", "Step"]
    assert set(said[-6:]) == set(scalar_logs.SWEEP)
    root = ET.fromstring(svg)
    paper = root.find(f"{SVG}rect")
    assert paper is not None
    assert paper.get("fill") in ("#fff", "#ffffff")
    strokes = [path.get("stroke") for path in root.iter(f"{SVG}path") if path.get("stroke-width") == "1.5"]
    assert len(set(strokes)) == len(strokes) == 6


def test_png_pictures_have_double_resolution(driver: PageDriver, sweep: BoardProcess, tmp_path: pathlib.Path) -> None:
    """1440 pixels wide."""
    page = driver.open(sweep)
    png = download_from_menu(page, find_card(page, "train/loss"), "Image as PNG", tmp_path).read_bytes()
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(png[16:20], "big") == 1440


def test_odd_names_are_escaped_in_pictures(
    driver: PageDriver, start_board: BoardStarter, tmp_path: pathlib.Path
) -> None:
    """Any script, XML characters, emoji."""
    for run, name in enumerate(ODD):
        values = scalar_logs.decay(run, 0, 50)
        records = {"loss": scalar_logs.scalars("损失/loss", range(50), scalar_logs.START + np.arange(50.0), values)}
        scalar_logs.write_run(tmp_path / "logs" / name, records)
    page = driver.open(start_board(tmp_path / "logs"))
    svg = download_from_menu(page, find_card(page, "损失/loss"), "Image as SVG", tmp_path).read_text()
    said = svg_texts(svg)
    assert said[0] == "损失/loss"
    assert set(ODD) <= set(said)


def test_card_tables_are_exact(driver: PageDriver, sweep: BoardProcess) -> None:
    """Last, min, max and mean of each run as Markdown, equal to NumPy's."""
    page = driver.open(sweep, permissions=["clipboard-read", "clipboard-write"])
    lines = copied(page, find_card(page, "train/loss"), "Copy table as Markdown").splitlines()
    assert lines[0] == "| run | last | step | min | min step | max | max step | mean | points |"
    expected = {}
    for run, name in enumerate(scalar_logs.SWEEP):
        values = scalar_logs.decay(run, 0, 1_000)
        low, high = int(values.argmin()), int(values.argmax())
        expected[name] = (values[-1], 9_990.0, values[low], 10.0 * low, values[high], 10.0 * high)
    found = {}
    for line in lines[2:]:
        name, *numbers = [cell.strip() for cell in line.replace("\\", "").strip("|").split("|")]
        found[name] = tuple(map(float, numbers[:6]))
        run = scalar_logs.SWEEP.index(name)
        np.testing.assert_allclose(float(numbers[6]), scalar_logs.decay(run, 0, 1_000).mean(), rtol=1e-12)
    assert found == expected


def test_card_tables_include_the_pinned_step(driver: PageDriver, sweep: BoardProcess) -> None:
    """First; LaTeX is escaped."""
    page = driver.open(sweep, "&pin=5000,baseline", permissions=["clipboard-read", "clipboard-write"])
    latex = copied(page, find_card(page, "eval/loss"), "Copy table as LaTeX")
    tag = scalar_logs.SWEEP_TAGS.index("eval/loss")
    for run, name in enumerate(scalar_logs.SWEEP):
        value = scalar_logs.decay(run, tag, 1_000)[500]
        escaped = name.replace("_", "\\_")
        assert f"  {escaped} & {float(value)!r} & 5000 & " in latex


def test_sections_export_as_one_archive(driver: PageDriver, sweep: BoardProcess, tmp_path: pathlib.Path) -> None:
    """CSV for each series equal to the API's, SVG for each card, and view.json."""
    page = driver.open(sweep)
    page.get_by_role("heading", name="eval 2").hover()
    page.get_by_role("button", name="Export section: eval").click()
    with page.expect_download() as download:
        page.get_by_role("menuitem", name="Images and points as ZIP").click()
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    assert path.name == "eval.zip"
    with zipfile.ZipFile(path) as archive:
        index = list(csv.DictReader(io.StringIO(archive.read("index.csv").decode())))
        tags = ("eval/accuracy", "eval/loss")
        assert {(row["run"], row["tag"]) for row in index} == {(run, tag) for run in scalar_logs.SWEEP for tag in tags}
        for row in index:
            points = fetch_series(sweep, row["run"], row["tag"])
            lines = csv.DictReader(io.StringIO(archive.read(row["file"]).decode()))
            found = [[float(line["wall_time"]), int(line["step"]), float(line["value"])] for line in lines]
            assert found == points
            assert row["file"] == f"scalars/{row['tag']}/{row['run'].replace('/', '_')}.csv"
        for tag in tags:
            assert svg_texts(archive.read(f"charts/{tag}.svg").decode())[0] == tag
        view = json.loads(archive.read("view.json"))
        assert view["cards"] == [["eval/loss"], ["eval/accuracy"]]


def test_c22_links_for_downloads_are_there_once_switched_on(driver: PageDriver, sweep: BoardProcess) -> None:
    """Each card then has CSV and JSON of the run chosen: plain links, as TensorBoard's."""
    page = driver.open(sweep)
    page.get_by_role("button", name="Chart settings").click()
    page.get_by_role("checkbox", name="Show data download links").check()
    press(page, "Escape")
    links = find_card(page, "train/loss").get_by_test_id("download-links")
    links.get_by_role("combobox", name="Run to download").select_option(label="lr_1e-3")
    settle(page)
    address = links.get_by_role("link", name="Download lr_1e-3 as JSON").get_attribute("href")
    body = page.evaluate("async (address) => (await fetch(address)).json()", address)
    assert body["points"] == fetch_series(sweep, "lr_1e-3", "train/loss")
    expect(links.get_by_role("link", name="Download lr_1e-3 as CSV")).to_have_text("CSV")


def test_without_the_switch_there_are_no_links(driver: PageDriver, sweep: BoardProcess) -> None:
    """A card at rest shows a chart and nothing else."""
    page = driver.open(sweep)
    expect(find_card(page, "train/loss").get_by_test_id("download-links")).to_have_count(0)


def test_what_cannot_be_made_is_said(driver: PageDriver, start_board: BoardStarter, tmp_path: pathlib.Path) -> None:
    """Without a server there is no file: the page says which one, and goes on."""
    records = {
        "loss": scalar_logs.scalars("loss", range(50), scalar_logs.START + np.arange(50.0), scalar_logs.decay(0, 0, 50))
    }
    scalar_logs.write_run(tmp_path / "run", records)
    board = start_board(tmp_path)
    page = driver.open(board)
    loss = find_card(page, "loss")
    # What the menu is made of comes with its first opening.
    open_export_menu(page, loss)
    expect(page.get_by_role("menuitem", name="All points as CSV")).to_be_visible()
    press(page, "Escape", "Escape")
    driver.expect_error("net::ERR_")  # of every refused connection, until the page is closed
    board.kill()
    expect(page.get_by_test_id("lost")).to_be_visible()
    open_export_menu(page, loss)
    page.get_by_role("menuitem", name="All points as CSV").press("Enter")
    expect(page.get_by_test_id("toast")).to_contain_text("Could not create loss.csv")
    expect(page.get_by_test_id("taking")).to_have_count(0)
