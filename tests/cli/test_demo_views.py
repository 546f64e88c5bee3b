"""Images, histograms and other kinds that the demo writes."""

import math
import pathlib

import numpy as np
import pytest

from lightboard.cli import summaries
from lightboard.cli.demo_views import (
    MAP_SIZE,
    SURFACE_SIZE,
    decision_map,
    decision_surface,
    hidden_of,
    view_values,
    write_embedding,
)
from lightboard.cli.event_writer import EventWriter, field
from lightboard.cli.training import VALIDATION, Network, Recipe, new_network, predict, train
from lightboard.config import BoardSettings
from lightboard.events.arrays import read_numbers
from lightboard.events.byte_reader import ByteReader
from lightboard.events.payloads import find_payload, read_strings
from lightboard.ingest.loader import Loader, LoaderOptions
from lightboard.ingest.logdir import sources
from lightboard.query.provider import CatalogProvider
from lightboard.series.catalog import Catalog


@pytest.fixture(scope="module")
def network() -> Network:
    """One that has learned for a while."""
    made = new_network(Recipe(lr=0.2, seed=3))
    for _ in train(Recipe(lr=0.2, seed=3), network=made, steps=150):
        pass
    return made


@pytest.fixture
def provider(tmp_path: pathlib.Path, network: Network) -> CatalogProvider:
    """A run `.` that holds one look at the network."""
    writer = EventWriter(tmp_path, wall_time=5.0)
    writer.add_values(150, view_values(network), 6.0)
    writer.close()
    catalog = Catalog()
    Loader(catalog, sources(str(tmp_path)), LoaderOptions(threads=0)).load()
    return CatalogProvider(catalog, BoardSettings(logdir=str(tmp_path)))


def window_of(provider: CatalogProvider, plugin: str, tag: str) -> ByteReader:
    return provider.window(provider.values(plugin, ".", tag).location(0))


def test_every_kind_is_written(provider: CatalogProvider) -> None:
    """Once at the step."""
    assert provider.plugin_counts() == {"histograms": 3, "images": 1, "mesh": 1, "pr_curves": 1, "text": 1}


def test_pr_curves_count_every_point(provider: CatalogProvider) -> None:
    """At each threshold; at 0 everything is positive."""
    curve = read_numbers(window_of(provider, "pr_curves", "validation/orange_arm"))

    assert curve.shape == (6, summaries.THRESHOLDS)
    assert curve[:4].sum(axis=0).tolist() == [len(VALIDATION)] * summaries.THRESHOLDS
    assert curve[5, 0] == 1


def test_mesh_faces_use_existing_vertices(provider: CatalogProvider) -> None:
    """Faces name vertices that are there."""
    faces = read_numbers(window_of(provider, "mesh", "decision/surface_FACE"))
    vertices = read_numbers(window_of(provider, "mesh", "decision/surface_VERTEX"))

    assert (vertices.shape, faces.shape) == ((1, SURFACE_SIZE**2, 3), (1, 2 * (SURFACE_SIZE - 1) ** 2, 3))
    assert (faces.min(), faces.max()) == (0, SURFACE_SIZE**2 - 1)


def test_the_confusion_table_counts_errors(provider: CatalogProvider, network: Network) -> None:
    """As many as are on the wrong side."""
    wrong = sum(predict(network, x, y) * side <= 0 for x, y, side in VALIDATION)
    window = window_of(provider, "text", "validation/mistakes")
    text = window.slice(*read_strings(window).spans[0]).decode()

    assert text.startswith(f"{wrong} of {len(VALIDATION)} points are on the wrong side.")


def test_images_are_png(provider: CatalogProvider) -> None:
    """With the right size."""
    window = window_of(provider, "images", "decision/map")
    payload = find_payload(window)
    png = window.slice(payload.begin, payload.end)
    head = png[png.index(b"\x89PNG") :]

    assert head[16:24] == MAP_SIZE.to_bytes(4, "big") * 2


def test_histograms_count_every_number() -> None:
    """Also equal ones."""
    for values in ([3.0, 1.0, 2.0, 2.0], [5.0, 5.0]):
        data = summaries.histogram("h", values)
        counts = np.frombuffer(data[-8 * summaries.BUCKETS :], "<f8")
        assert counts.sum() == len(values)


def test_diverged_networks_write_no_views() -> None:
    """There is nothing to see but NaN."""
    network = new_network(Recipe(lr=0.1))
    network.units[0][0] = math.nan

    assert list(view_values(network)) == []


def test_embeddings_have_a_row_per_point(tmp_path: pathlib.Path, network: Network) -> None:
    """With metadata and a header."""
    write_embedding(tmp_path, network)
    rows = (tmp_path / "hidden.tsv").read_text().splitlines()
    labels = (tmp_path / "hidden_points.tsv").read_text().splitlines()

    assert (len(rows), len(labels)) == (len(VALIDATION), len(VALIDATION) + 1)
    x, y, _ = VALIDATION[0]
    assert [float(number) for number in rows[0].split("\t")] == pytest.approx(hidden_of(network, x, y), rel=1e-5)


def test_sizes_match_contents(network: Network) -> None:
    """Three bytes a pixel, a colour a vertex."""
    pixels, width, height = decision_map(network)
    vertices, _, colors = decision_surface(network)

    assert (len(pixels), len(colors)) == (3 * width * height, len(vertices))


def test_meshes_are_three_values() -> None:
    """In one summary."""
    data = summaries.mesh("m", [(0.0, 0.0, 0.0)], [(0, 0, 0)], [(1, 2, 3)])

    assert data.count(field(1, b"m_VERTEX")) == 1
