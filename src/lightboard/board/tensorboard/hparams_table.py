"""Groups of sessions as TensorBoard's table: as CSV, JSON or LaTeX, the columns that are visible."""

import csv
import io
import json
import math
from collections.abc import Iterable, Sequence
from itertools import chain

from lightboard.asgi.scheduler import Pieces
from lightboard.board import json_pieces
from lightboard.board.tensorboard.hparams_messages import GROUPS_REQUEST, question_of, read_request
from lightboard.errors import BadRequest
from lightboard.query.experiment import Steps, experiment_steps, last_value_steps, session_steps
from lightboard.query.provider import Provider
from lightboard.query.sessions import Group, group_steps
from lightboard.series.experiment import Experiment
from lightboard.series.hparams import Scalar

Cell = Scalar | None


def read_groups(provider: Provider, text: bytes) -> Steps[tuple[Experiment, list[Group], int]]:
    """The answer of a ListSessionGroupsRequest: the experiment, one page of groups, and how many there are. Gives way.

    Raises BadRequest.
    """
    said = read_request(text, GROUPS_REQUEST, "ListSessionGroupsRequest")
    question = question_of(said)
    sessions = yield from session_steps(provider)
    with_metrics = said.get("include_metrics", True)
    experiment = yield from experiment_steps(provider, sessions, with_metrics=with_metrics)
    values = yield from last_value_steps(provider, sessions, experiment.metrics)
    groups, total = yield from group_steps(sessions, experiment.metrics, values, question)
    return experiment, groups, total


def table(provider: Provider, text: bytes, form: str, visibility: str | None) -> Pieces:
    """The table in `form`, "csv", "json" or "latex", row by row. Raises BadRequest."""
    visible = visible_of(visibility)
    experiment, groups, _ = yield from read_groups(provider, text)
    names: list[Cell] = [one.display_name or one.name for one in experiment.parameters]
    names += [one.display_name or one.name.tag for one in experiment.metrics]
    rows = (kept(cells_of(experiment, group), visible) for group in groups)
    yield from FORMS[form](kept(names, visible), rows)


def visible_of(text: str | None) -> Sequence[object]:
    """Which columns are wanted. Raises BadRequest."""
    try:
        found = json.loads(text or "")
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, list):
        raise BadRequest("columnsVisibility must be a JSON list of true and false")
    return found


def kept(row: Sequence[Cell], visible: Sequence[object]) -> list[Cell]:
    """The cells of visible columns; columns beyond the list are not."""
    return [cell for cell, wanted in zip(row, visible, strict=False) if wanted]


def cells_of(experiment: Experiment, group: Group) -> list[Cell]:
    """All cells of a row: "" for a parameter that is missing, None for a metric."""
    values = {one.name: one.value for one in group.metrics}
    cells: list[Cell] = [group.config.get(parameter.name, "") for parameter in experiment.parameters]
    return cells + [values.get(metric.name) for metric in experiment.metrics]


def as_csv(header: Sequence[Cell], rows: Iterable[Sequence[Cell]]) -> Pieces:
    """Lines of cells, empty where there is nothing."""
    for row in chain([header], rows):
        line = io.StringIO()
        csv.writer(line).writerow(row)
        yield line.getvalue().encode()


def as_json(header: Sequence[Cell], rows: Iterable[Sequence[Cell]]) -> Pieces:
    """{"header", "rows"}"""
    return json_pieces.fields_then({"header": header}, "rows", json_pieces.rows(rows))


def as_latex(header: Sequence[Cell], rows: Iterable[Sequence[Cell]]) -> Pieces:
    """A table to be put into a paper."""
    columns = "l" * len(header)
    yield f"\\begin{{table}}[tbp]\n\\begin{{tabular}}{{{columns}}}\n{latex_row(header)} \\hline\n".encode()
    for row in rows:
        yield f"{latex_row(row)}\n".encode()
    yield b"\\hline\n\\end{tabular}\n\\end{table}\n"


def latex_row(row: Sequence[Cell]) -> str:
    """The cells of one line."""
    return " & ".join(map(latex, row)) + r" \\"


def latex(cell: Cell) -> str:
    """One cell: three digits of a number."""
    if cell is None:
        return "-"
    if isinstance(cell, str):
        return cell.replace("_", r"\_").replace("%", r"\%")
    if isinstance(cell, bool):
        return f"${int(cell)}$"
    if math.isnan(cell):
        return r"$\mathrm{NaN}$"
    if math.isinf(cell):
        return r"$-\infty$" if cell < 0 else r"$+\infty$"
    digits, _, exponent = f"{cell:.3g}".partition("e")
    return rf"${digits}\cdot 10^{{{int(exponent)}}}$" if exponent else f"${digits}$"


FORMS = {"csv": as_csv, "json": as_json, "latex": as_latex}
