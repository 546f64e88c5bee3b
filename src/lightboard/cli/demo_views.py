"""What there is to see of a demo's network beside its curves: where it draws the line, its weights, its mistakes.

Everything is what the network of that step gives; nothing is painted by hand.
"""

import math
from collections.abc import Iterator, Mapping
from pathlib import Path

from lightboard.cli import summaries
from lightboard.cli.event_writer import field
from lightboard.cli.training import LEAK, TRAINING, VALIDATION, Network, Recipe, predict

EVERY = 50
"""Steps between two looks."""

REACH = 1.35
"""The plane is looked at from minus to plus this in both directions."""

MAP_SIZE = 40
SURFACE_SIZE = 20
MOST_MISTAKES = 12

TILT = math.radians(55)
"""How far the surface leans back."""

PROJECTOR = """embeddings {
  tensor_name: "hidden layer"
  tensor_path: "hidden.tsv"
  metadata_path: "hidden_points.tsv"
}
"""

Color = tuple[int, int, int]

SIDES: tuple[Color, Color] = ((70, 107, 244), (214, 140, 40))
"""Colours of the two arms: blue and orange."""

PAPER: Color = (246, 247, 249)


def looks(network: Network) -> Iterator[bytes]:
    """Fields of a Summary for one step; nothing once the network has diverged."""
    if not all(math.isfinite(weight) for unit in network.units for weight in unit):
        return
    answers = [(predict(network, x, y), side) for x, y, side in VALIDATION]
    outgoing = [unit[3] for unit in network.units]
    incoming = [weight for unit in network.units for weight in unit[:2]]
    hidden = [number for x, y, _ in VALIDATION for number in hidden_of(network, x, y)]
    scores = [1 / (1 + math.exp(-max(-30.0, min(30.0, 2 * answer)))) for answer, _ in answers]
    values = [
        summaries.image("decision/map", *picture(network)),
        summaries.histogram("weights/incoming", incoming),
        summaries.histogram("weights/outgoing", outgoing),
        summaries.histogram("activations/hidden", hidden),
        summaries.pr_curve("validation/orange_arm", scores, [side > 0 for _, side in answers]),
        summaries.text("validation/mistakes", mistakes(answers)),
    ]
    yield from (field(1, value) for value in values)
    yield summaries.mesh("decision/surface", *surface(network))


def about(recipe: Recipe, config: Mapping[str, float | str], group: str) -> list[bytes]:
    """Fields of a Summary for the beginning of a run: hyper-parameters, a description, which curves belong together."""
    rows = "\n".join(f"| {key} | `{value}` |" for key, value in config.items())
    described = f"**Two spirals**, one hidden layer of {recipe.hidden} units.\n\n| | |\n|---|---|\n{rows}\n"
    charts = {"loss": ["train/loss", "validation/loss"], "optimizer": ["optimizer/.*norm"]}
    values = [
        summaries.hparams(config, group),
        summaries.text("recipe", described),
        summaries.layout("Two spirals", charts),
    ]
    return [field(1, value) for value in values]


def write_embedding(folder: Path, network: Network) -> None:
    """The hidden layer's answer to each point of the validation set, for the projector."""
    vectors = [hidden_of(network, x, y) for x, y, _ in VALIDATION]
    if not all(math.isfinite(number) for vector in vectors for number in vector):
        return
    (folder / "hidden.tsv").write_text("".join("\t".join(f"{n:.6g}" for n in vector) + "\n" for vector in vectors))
    lines = [f"{'orange' if side > 0 else 'blue'}\t{math.hypot(x, y):.3f}\n" for x, y, side in VALIDATION]
    (folder / "hidden_points.tsv").write_text("arm\tdistance\n" + "".join(lines))
    (folder / "projector_config.pbtxt").write_text(PROJECTOR)


def hidden_of(network: Network, x: float, y: float) -> list[float]:
    """What each hidden unit says of a point."""
    inside = [a * x + b * y + bias for a, b, bias, _ in network.units]
    return [value if value > 0 else LEAK * value for value in inside]


def grid(size: int) -> list[float]:
    """Places on the plane, from one edge to the other."""
    return [REACH * (2 * at / (size - 1) - 1) for at in range(size)]


def picture(network: Network) -> tuple[bytes, int, int]:
    """The plane in the colours of the answers, with the training points on it: pixels, width, height."""
    places = grid(MAP_SIZE)
    pixels = [[color_of(predict(network, x, -y), 0.55) for x in places] for y in places]
    for x, y, side in TRAINING[::3]:
        column, row = (round((place / REACH + 1) / 2 * (MAP_SIZE - 1)) for place in (x, -y))
        if 0 <= column < MAP_SIZE and 0 <= row < MAP_SIZE:
            pixels[row][column] = SIDES[side > 0]
    return bytes(part for row in pixels for color in row for part in color), MAP_SIZE, MAP_SIZE


def surface(network: Network) -> tuple[list[tuple[float, float, float]], list[tuple[int, int, int]], list[Color]]:
    """The answers as heights over the plane: vertices, triangles, colours."""
    places = grid(SURFACE_SIZE)
    heights = [(x, y, predict(network, x, y)) for y in places for x in places]
    vertices = [tilted(x, y, max(-1.5, min(1.5, height)) / 2) for x, y, height in heights]
    colors = [color_of(height, 1.0) for _, _, height in heights]
    corners = [row * SURFACE_SIZE + column for row in range(SURFACE_SIZE - 1) for column in range(SURFACE_SIZE - 1)]
    faces = [
        triangle
        for at in corners
        for triangle in ((at, at + 1, at + SURFACE_SIZE), (at + 1, at + SURFACE_SIZE + 1, at + SURFACE_SIZE))
    ]
    return vertices, faces, colors


def tilted(x: float, y: float, z: float) -> tuple[float, float, float]:
    """Leaning back, so that hills are seen from the front."""
    return x, y * math.cos(TILT) + z * math.sin(TILT), z * math.cos(TILT) - y * math.sin(TILT)


def color_of(answer: float, strength: float) -> Color:
    """From the one side's colour over paper to the other's."""
    share = min(1.0, abs(answer)) * strength
    return mixed(SIDES[answer > 0], share)


def mixed(color: Color, share: float) -> Color:
    """So much of a colour on paper."""
    red, green, blue = (round(paper + (part - paper) * share) for part, paper in zip(color, PAPER, strict=True))
    return red, green, blue


def mistakes(answers: list[tuple[float, float]]) -> str:
    """The points of the validation set on the wrong side, the surest first, as a table."""
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
        for _, (x, y, side), answer in wrong[:MOST_MISTAKES]
    ]
    return "\n".join([head, "", "| x | y | arm | answer |", "|---:|---:|---|---:|", *rows])
