"""The table of session groups in TensorBoard's formats: the visible columns as CSV, JSON or LaTeX."""

import csv
import io
import json
import math
from collections.abc import Iterable, Sequence
from itertools import chain

from lightboard.asgi.scheduler import Pieces
from lightboard.board import json_pieces
from lightboard.board.tensorboard.hparams_messages import GROUPS_REQUEST, query_of, read_request
from lightboard.errors import BadRequest
from lightboard.query.experiment import Steps, experiment_steps, last_value_steps, session_steps
from lightboard.query.provider import DataProvider
from lightboard.query.sessions import Group, group_steps
from lightboard.series.experiment import Experiment
from lightboard.series.hparams import Scalar

Cell = Scalar | None


def read_groups(provider: DataProvider, text: bytes) -> Steps[tuple[Experiment, list[Group], int]]:
    """The experiment, one page of session groups, and the number of all groups, for a ListSessionGroupsRequest.

    Yields to other work. Raises BadRequest.
    """
    request = read_request(text, GROUPS_REQUEST, "ListSessionGroupsRequest")
    query = query_of(request)
    sessions = yield from session_steps(provider)
    with_metrics = request.get("include_metrics", True)
    experiment = yield from experiment_steps(provider, sessions, with_metrics=with_metrics)
    values = yield from last_value_steps(provider, sessions, experiment.metrics)
    groups, total = yield from group_steps(sessions, experiment.metrics, values, query)
    return experiment, groups, total


def table(provider: DataProvider, text: bytes, form: str, visibility: str | None) -> Pieces:
    """The table in `form`, "csv", "json" or "latex", row by row. Raises BadRequest."""
    visible = visible_of(visibility)
    experiment, groups, _ = yield from read_groups(provider, text)
    names: list[Cell] = [parameter.display_name or parameter.name for parameter in experiment.parameters]
    names += [metric.display_name or metric.name.tag for metric in experiment.metrics]
    rows = (visible_cells(cells_of(experiment, group), visible) for group in groups)
    yield from FORMS[form](visible_cells(names, visible), rows)


def visible_of(text: str | None) -> Sequence[object]:
    """The requested visibility of each column. Raises BadRequest."""
    try:
        visible = json.loads(text or "")
    except (ValueError, RecursionError):
        visible = None
    if not isinstance(visible, list):
        raise BadRequest("columnsVisibility must be a JSON list of true and false")
    return visible


def visible_cells(row: Sequence[Cell], visible: Sequence[object]) -> list[Cell]:
    """The cells of visible columns. Columns beyond the end of `visible` are hidden."""
    return [cell for cell, is_visible in zip(row, visible, strict=False) if is_visible]


def cells_of(experiment: Experiment, group: Group) -> list[Cell]:
    """All cells of a row: "" for a missing parameter, None for a missing metric."""
    values = {metric.name: metric.value for metric in group.metrics}
    cells: list[Cell] = [group.config.get(parameter.name, "") for parameter in experiment.parameters]
    return cells + [values.get(metric.name) for metric in experiment.metrics]


def as_csv(header: Sequence[Cell], rows: Iterable[Sequence[Cell]]) -> Pieces:
    """The table as CSV. Missing values are empty cells."""
    for row in chain([header], rows):
        line = io.StringIO()
        csv.writer(line).writerow(row)
        yield line.getvalue().encode()


def as_json(header: Sequence[Cell], rows: Iterable[Sequence[Cell]]) -> Pieces:
    """{"header", "rows"}"""
    return json_pieces.fields_then({"header": header}, "rows", json_pieces.rows(rows))


def as_latex(header: Sequence[Cell], rows: Iterable[Sequence[Cell]]) -> Pieces:
    """The table as a LaTeX table environment."""
    columns = "l" * len(header)
    yield f"\\begin{{table}}[tbp]\n\\begin{{tabular}}{{{columns}}}\n{latex_row(header)} \\hline\n".encode()
    for row in rows:
        yield f"{latex_row(row)}\n".encode()
    yield b"\\hline\n\\end{tabular}\n\\end{table}\n"


def latex_row(row: Sequence[Cell]) -> str:
    """One row in LaTeX."""
    return " & ".join(map(latex, row)) + r" \\"


def latex(cell: Cell) -> str:
    """One cell in LaTeX. Numbers are rounded to three significant digits."""
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
