"""What is taken away of a card, a section or the view equals what the API tells, to the last digit (check 39)."""

import csv
import io
import json
import pathlib
import xml.etree.ElementTree as ET
import zipfile
from typing import Any

import logs
import numpy as np
from cards import card, series
from playwright.sync_api import Locator, Page, expect
from served import Board, Serving
from taking import SVG, open_menu, take, texts
from visitor import Visitor

ODD = ("损失-实验", "тест №1", 'a<b>&"c"', "emoji 😀 run", "عربي")


def copied(page: Page, of: Locator, item: str) -> str:
    """Choose an item that copies; what is on the clipboard then."""
    open_menu(page, of)
    page.get_by_role("menuitem", name=item).press("Enter")
    expect(page.get_by_test_id("toast")).to_contain_text("Copied")
    text: str = page.evaluate("navigator.clipboard.readText()")
    return text


def rows_of(points: list[list[Any]], run: str, tag: str) -> list[tuple[str, str, int, float, float]]:
    """Points as the API tells them, in the columns of the long table."""
    return [(run, tag, step, wall, value) for wall, step, value in points]


def stored(board: Board, tag: str) -> list[tuple[str, str, int, float, float]]:
    """Every point of a tag of the sweep, by the API."""
    return [row for run in logs.SWEEP for row in rows_of(series(board, run, tag), run, tag)]


def table(text: str) -> list[tuple[str, str, int, float, float]]:
    """The rows of a long CSV table."""
    return [
        (row["run"], row["tag"], int(row["step"]), float(row["wall_time"]), float(row["value"]))
        for row in csv.DictReader(io.StringIO(text))
    ]


def test_points_of_a_card_as_csv_and_json_equal_the_api(visitor: Visitor, sweep: Board, tmp_path: pathlib.Path) -> None:
    """Both hold every point of every run drawn, exactly as stored."""
    page = visitor.open(sweep)
    loss = card(page, "train/loss")
    expected = sorted(stored(sweep, "train/loss"))
    as_csv = take(page, loss, "All points as CSV", tmp_path)
    as_json = take(page, loss, "All points as JSON", tmp_path)
    document = json.loads(as_json.read_text())["series"]
    assert (as_csv.name, as_json.name) == ("train-loss.csv", "train-loss.json")
    assert sorted(table(as_csv.read_text())) == expected
    assert sorted(row for each in document for row in rows_of(each["points"], each["run"], each["tag"])) == expected


def test_runs_that_are_not_shown_are_not_taken(visitor: Visitor, sweep: Board, tmp_path: pathlib.Path) -> None:
    """A card is taken away as it is seen."""
    page = visitor.open(sweep, "&runs=none&show=baseline")
    rows = table(take(page, card(page, "eval/loss"), "All points as CSV", tmp_path).read_text())
    assert {run for run, *_ in rows} == {"baseline"}


def test_a_picture_has_title_names_and_axes_on_white_also_where_the_page_is_dark(
    visitor: Visitor, sweep: Board, tmp_path: pathlib.Path
) -> None:
    """The SVG is drawn for paper: light colours, text as text, one stroke for each line."""
    page = visitor.open(sweep, "&smoothing=0.6", scheme="dark")
    svg = take(page, card(page, "train/loss"), "Picture as SVG", tmp_path).read_text()
    said = texts(svg)
    assert said[:4] == ["train/loss", "smoothed 0.6", "loss", "Step"]
    assert set(said[-6:]) == set(logs.SWEEP)
    root = ET.fromstring(svg)
    paper = root.find(f"{SVG}rect")
    assert paper is not None
    assert paper.get("fill") in ("#fff", "#ffffff")
    strokes = [path.get("stroke") for path in root.iter(f"{SVG}path") if path.get("stroke-width") == "1.5"]
    assert len(set(strokes)) == len(strokes) == 6


def test_a_picture_as_png_is_twice_as_sharp(visitor: Visitor, sweep: Board, tmp_path: pathlib.Path) -> None:
    """1440 pixels across, and a real PNG."""
    page = visitor.open(sweep)
    png = take(page, card(page, "train/loss"), "Picture as PNG", tmp_path).read_bytes()
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(png[16:20], "big") == 1440


def test_odd_names_stay_whole_in_a_picture(visitor: Visitor, serving: Serving, tmp_path: pathlib.Path) -> None:
    """Any script, marks of XML, emoji: the file is well-formed and says the same."""
    for run, name in enumerate(ODD):
        values = logs.decay(run, 0, 50)
        records = {"loss": logs.scalars("损失/loss", range(50), logs.START + np.arange(50.0), values)}
        logs.write_run(tmp_path / "logs" / name, records)
    page = visitor.open(serving(tmp_path / "logs"))
    svg = take(page, card(page, "损失/loss"), "Picture as SVG", tmp_path).read_text()
    said = texts(svg)
    assert said[0] == "损失/loss"
    assert set(ODD) <= set(said)


def test_the_table_of_a_card_has_exact_numbers(visitor: Visitor, sweep: Board) -> None:
    """Last, least, greatest and mean of each run as Markdown, equal to NumPy's of what was written."""
    page = visitor.open(sweep, permissions=["clipboard-read", "clipboard-write"])
    lines = copied(page, card(page, "train/loss"), "Copy table as Markdown").splitlines()
    assert lines[0] == "| run | last | step | min | min at | max | max at | mean | points |"
    expected = {}
    for run, name in enumerate(logs.SWEEP):
        values = logs.decay(run, 0, 1_000)
        low, high = int(values.argmin()), int(values.argmax())
        expected[name] = (values[-1], 9_990.0, values[low], 10.0 * low, values[high], 10.0 * high)
    found = {}
    for line in lines[2:]:
        name, *numbers = [cell.strip() for cell in line.replace("\\", "").strip("|").split("|")]
        found[name] = tuple(map(float, numbers[:6]))
        run = logs.SWEEP.index(name)
        np.testing.assert_allclose(float(numbers[6]), logs.decay(run, 0, 1_000).mean(), rtol=1e-12)
    assert found == expected


def test_the_table_speaks_of_the_pinned_step(visitor: Visitor, sweep: Board) -> None:
    """With a pin the value of each run at that step stands first; LaTeX escapes what it must."""
    page = visitor.open(sweep, "&pin=5000,baseline", permissions=["clipboard-read", "clipboard-write"])
    latex = copied(page, card(page, "eval/loss"), "Copy table as LaTeX")
    tag = logs.SWEEP_TAGS.index("eval/loss")
    for run, name in enumerate(logs.SWEEP):
        value = logs.decay(run, tag, 1_000)[500]
        escaped = name.replace("_", "\\_")
        assert f"  {escaped} & {float(value)!r} & 5000 & " in latex


def test_a_section_is_one_archive_of_pictures_points_and_view(
    visitor: Visitor, sweep: Board, tmp_path: pathlib.Path
) -> None:
    """Every series is a CSV equal to the API's, every card an SVG, and view.json says what was seen."""
    page = visitor.open(sweep)
    card(page, "eval/loss")
    page.get_by_role("heading", name="eval 2").hover()
    page.get_by_role("button", name="Take section away: eval").click()
    with page.expect_download() as download:
        page.get_by_role("menuitem", name="Pictures and points as ZIP").click()
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    assert path.name == "eval.zip"
    with zipfile.ZipFile(path) as archive:
        index = list(csv.DictReader(io.StringIO(archive.read("index.csv").decode())))
        tags = ("eval/accuracy", "eval/loss")
        assert {(row["run"], row["tag"]) for row in index} == {(run, tag) for run in logs.SWEEP for tag in tags}
        for row in index:
            points = series(sweep, row["run"], row["tag"])
            lines = csv.DictReader(io.StringIO(archive.read(row["file"]).decode()))
            found = [[float(line["wall_time"]), int(line["step"]), float(line["value"])] for line in lines]
            assert found == points
            assert row["file"] == f"scalars/{row['tag']}/{row['run'].replace('/', '_')}.csv"
        for tag in tags:
            assert texts(archive.read(f"charts/{tag}.svg").decode())[0] == tag
        view = json.loads(archive.read("view.json"))
        assert view["cards"] == [["eval/accuracy"], ["eval/loss"]]


def test_links_for_downloads_are_there_once_switched_on(visitor: Visitor, sweep: Board) -> None:
    """Each card then has CSV and JSON of the run chosen: plain links, as TensorBoard's."""
    page = visitor.open(sweep, "&links=true")
    links = card(page, "train/loss").get_by_test_id("download-links")
    links.get_by_role("combobox", name="Run to download").select_option(label="lr_1e-3")
    address = links.get_by_role("link", name="Download lr_1e-3 as JSON").get_attribute("href")
    body = page.evaluate("async (address) => (await fetch(address)).json()", address)
    assert body["points"] == series(sweep, "lr_1e-3", "train/loss")
    expect(links.get_by_role("link", name="Download lr_1e-3 as CSV")).to_have_text("CSV")


def test_without_the_switch_there_are_no_links(visitor: Visitor, sweep: Board) -> None:
    """A card at rest shows a chart and nothing else."""
    page = visitor.open(sweep)
    expect(card(page, "train/loss").get_by_test_id("download-links")).to_have_count(0)


def test_what_cannot_be_made_is_said(visitor: Visitor, serving: Serving, tmp_path: pathlib.Path) -> None:
    """Without a server there is no file: the page says which one, and goes on."""
    records = {"loss": logs.scalars("loss", range(50), logs.START + np.arange(50.0), logs.decay(0, 0, 50))}
    logs.write_run(tmp_path / "run", records)
    board = serving(tmp_path)
    page = visitor.open(board)
    loss = card(page, "loss")
    # What the menu is made of comes with its first opening.
    open_menu(page, loss)
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    visitor.complaints_expected("net::ERR_")  # of every refused connection, until the page is closed
    board.kill()
    expect(page.get_by_test_id("lost")).to_be_visible()
    open_menu(page, loss)
    page.get_by_role("menuitem", name="All points as CSV").press("Enter")
    expect(page.get_by_test_id("toast")).to_contain_text("loss.csv could not be made")
    expect(page.get_by_test_id("taking")).to_have_count(0)
