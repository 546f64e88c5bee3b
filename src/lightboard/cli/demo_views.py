"""Images, histograms and other values of the demo: the network's decision boundary, its weights, and its mistakes.

All values are computed from the network at the step that they are logged at.
"""

import math
from collections.abc import Iterator, Mapping
from pathlib import Path

from lightboard.cli import summaries
from lightboard.cli.event_writer import field
from lightboard.cli.training import LEAK, TRAINING, VALIDATION, Network, Recipe, predict

VIEW_EVERY = 50
"""Steps between two views of a network."""

EXTENT = 1.35
"""Views show the plane from -EXTENT to EXTENT in both directions."""

MAP_SIZE = 40
SURFACE_SIZE = 20
MAX_MISTAKES = 12

TILT = math.radians(55)
"""The angle by which the surface is tilted back."""

PROJECTOR = """embeddings {
  tensor_name: "hidden layer"
  tensor_path: "hidden.tsv"
  metadata_path: "hidden_points.tsv"
}
"""

Color = tuple[int, int, int]
Vector = tuple[float, float, float]

ARM_COLORS: tuple[Color, Color] = ((70, 107, 244), (214, 140, 40))
"""Colours of the two arms of the spiral: blue and orange."""

BACKGROUND: Color = (246, 247, 249)


def view_values(network: Network) -> Iterator[bytes]:
    """Serialized fields of a Summary for one step. There are none once the network has diverged."""
    if not all(math.isfinite(weight) for unit in network.units for weight in unit):
        return
    answers = [(predict(network, x, y), side) for x, y, side in VALIDATION]
    outgoing = [unit[3] for unit in network.units]
    incoming = [weight for unit in network.units for weight in unit[:2]]
    hidden = [number for x, y, _ in VALIDATION for number in hidden_of(network, x, y)]
    scores = [1 / (1 + math.exp(-max(-30.0, min(30.0, 2 * answer)))) for answer, _ in answers]
    values = [
        summaries.image("decision/map", *decision_map(network)),
        summaries.histogram("weights/incoming", incoming),
        summaries.histogram("weights/outgoing", outgoing),
        summaries.histogram("activations/hidden", hidden),
        summaries.pr_curve("validation/orange_arm", scores, [side > 0 for _, side in answers]),
        summaries.text("validation/mistakes", mistakes(answers)),
    ]
    yield from (field(1, value) for value in values)
    yield summaries.mesh("decision/surface", *decision_surface(network))


def setup_values(recipe: Recipe, config: Mapping[str, float | str], group: str) -> list[bytes]:
    """Serialized fields of a Summary for the beginning of a run: hyperparameters, a description, and a layout."""
    rows = "\n".join(f"| {key} | `{value}` |" for key, value in config.items())
    description = f"**Two spirals**, one hidden layer of {recipe.hidden} units.\n\n| | |\n|---|---|\n{rows}\n"
    charts = {"loss": ["train/loss", "validation/loss"], "optimizer": ["optimizer/.*norm"]}
    values = [
        summaries.hparams(config, group),
        summaries.text("recipe", description),
        summaries.layout("Two spirals", charts),
    ]
    return [field(1, value) for value in values]


def write_embedding(folder: Path, network: Network) -> None:
    """Write the activations of the hidden layer for each validation point, with a config for the projector."""
    vectors = [hidden_of(network, x, y) for x, y, _ in VALIDATION]
    if not all(math.isfinite(number) for vector in vectors for number in vector):
        return
    (folder / "hidden.tsv").write_text("".join("\t".join(f"{n:.6g}" for n in vector) + "\n" for vector in vectors))
    lines = [f"{'orange' if side > 0 else 'blue'}\t{math.hypot(x, y):.3f}\n" for x, y, side in VALIDATION]
    (folder / "hidden_points.tsv").write_text("arm\tdistance\n" + "".join(lines))
    (folder / "projector_config.pbtxt").write_text(PROJECTOR)


def hidden_of(network: Network, x: float, y: float) -> list[float]:
    """The activation of each hidden unit for a point."""
    inside = [a * x + b * y + bias for a, b, bias, _ in network.units]
    return [value if value > 0 else LEAK * value for value in inside]


def grid(size: int) -> list[float]:
    """`size` evenly spaced coordinates from -EXTENT to EXTENT."""
    return [EXTENT * (2 * index / (size - 1) - 1) for index in range(size)]


def decision_map(network: Network) -> tuple[bytes, int, int]:
    """An image of the plane in the colours of the outputs, with training points: RGB pixels, width and height."""
    coordinates = grid(MAP_SIZE)
    pixels = [[color_of(predict(network, x, -y), 0.55) for x in coordinates] for y in coordinates]
    for x, y, side in TRAINING[::3]:
        column, row = (round((coordinate / EXTENT + 1) / 2 * (MAP_SIZE - 1)) for coordinate in (x, -y))
        if 0 <= column < MAP_SIZE and 0 <= row < MAP_SIZE:
            pixels[row][column] = ARM_COLORS[side > 0]
    return bytes(part for row in pixels for color in row for part in color), MAP_SIZE, MAP_SIZE


def decision_surface(
    network: Network,
) -> tuple[list[tuple[float, float, float]], list[tuple[int, int, int]], list[Color]]:
    """A surface with the outputs as heights over the plane: vertices, triangles and colours."""
    coordinates = grid(SURFACE_SIZE)
    heights = [(x, y, predict(network, x, y)) for y in coordinates for x in coordinates]
    vertices = [tilt(x, y, max(-1.5, min(1.5, height)) / 2) for x, y, height in heights]
    colors = [color_of(height, 1.0) for _, _, height in heights]
    corners = [row * SURFACE_SIZE + column for row in range(SURFACE_SIZE - 1) for column in range(SURFACE_SIZE - 1)]
    faces = [
        triangle
        for corner in corners
        for triangle in (
            (corner, corner + 1, corner + SURFACE_SIZE),
            (corner + 1, corner + SURFACE_SIZE + 1, corner + SURFACE_SIZE),
        )
    ]
    return vertices, faces, colors


def tilt(x: float, y: float, z: float) -> Vector:
    """Rotate a point by TILT about the x axis, so that hills are seen from the front."""
    return x, y * math.cos(TILT) + z * math.sin(TILT), z * math.cos(TILT) - y * math.sin(TILT)


def color_of(answer: float, strength: float) -> Color:
    """The colour of an output: that of its sign, the closer to the background the smaller the output is."""
    share = min(1.0, abs(answer)) * strength
    return blend(ARM_COLORS[answer > 0], share)


def blend(color: Color, share: float) -> Color:
    """Blend a colour, with the fraction `share`, with the background."""
    red, green, blue = (round(under + (part - under) * share) for part, under in zip(color, BACKGROUND, strict=True))
    return red, green, blue


def mistakes(answers: list[tuple[float, float]]) -> str:
    """A Markdown table of misclassified validation points, those with the largest outputs first."""
    wrong = [
        (abs(answer), point, answer)
        for point, (answer, side) in zip(VALIDATION, answers, strict=True)
        if answer * side <= 0
    ]
    wrong.sort(reverse=True)
    head = f"{len(wrong)} of {len(answers)} points are on the wrong side."
    if not wrong:
        return head
    rows = [
        f"| {x:.2f} | {y:.2f} | {'orange' if side > 0 else 'blue'} | {answer:.2f} |"
        for _, (x, y, side), answer in wrong[:MAX_MISTAKES]
    ]
    return "\n".join([head, "", "| x | y | arm | answer |", "|---:|---:|---|---:|", *rows])
