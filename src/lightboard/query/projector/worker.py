"""A subprocess that lays out points by t-SNE or UMAP, and sends intermediate positions. Run as a module.

Input: u32 length of a JSON header {"method", "rows", "dims", "to", "params"}, the header, rows x dims float32.
Output, repeatedly: u32 length of a JSON header {"progress", "message", "error", "rows", "dims"}, the header, and rows x
dims float32 if the header has rows. The process exits when its input is closed, since its parent is gone then.
"""

import contextlib
import importlib.util
import json
import os
import struct
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, BinaryIO

import numpy as np

MEMORY_BYTES = 12 << 30
"""Limit of the address space, part of which compiled code and threads reserve."""

NICE = 5
"""Below interactive processes, above batch jobs of the lowest priority."""

FRAME_SECS = 0.4
"""Minimum time between two messages with positions, since sending them is expensive."""

Positions = Any
Report = Callable[[float, str, Positions], None]
"""Reports progress (0 to 1), a message, and positions or None."""


class Sender:
    """Writes messages, those with positions at most every FRAME_SECS."""

    def __init__(self, out: BinaryIO) -> None:
        self.out = out
        self._sent = 0.0

    def report(self, progress: float, message: str, positions: Positions = None) -> None:
        """See `Report`. The last positions, with a progress of 1, are always sent."""
        now = time.monotonic()
        if positions is not None and now - self._sent < FRAME_SECS and progress < 1:
            return
        self._sent = now if positions is not None else self._sent
        self.send({"progress": progress, "message": message}, positions)

    def send(self, head: dict[str, Any], positions: Positions = None) -> None:
        """Write one message."""
        body = b""
        if positions is not None:
            numbers = np.ascontiguousarray(positions, np.float32)
            head = head | {"rows": numbers.shape[0], "dims": numbers.shape[1]}
            body = numbers.tobytes()
        text = json.dumps(head).encode()
        self.out.write(struct.pack("<I", len(text)) + text + body)
        self.out.flush()


def tsne(matrix: Any, to: int, params: dict[str, Any], report: Report) -> Any:
    """Positions by t-SNE in `to` dimensions (2 or 3), [rows, to].

    `params`: perplexity (30), iterations (500), learning_rate (0 for automatic).
    """
    report(0.0, "loading openTSNE", None)
    from openTSNE import TSNE
    from openTSNE.affinity import PerplexityBasedNN

    early, late = 250, int(params.get("iterations", 500))
    done = [0]

    def on_iterations(_iteration: int, _error: float, positions: Any) -> bool:
        done[0] += CALLBACK_ITERATIONS
        report(min(0.99, 0.1 + 0.9 * done[0] / (early + late)), "", positions)
        return False

    report(0.02, "finding neighbours", None)
    perplexity = min(float(params.get("perplexity", 30)), max(1.0, (len(matrix) - 1) / 3.5))
    rate = float(params.get("learning_rate", 0))
    threads = threads_for(len(matrix))
    # Given an index, openTSNE does not import pynndescent, which compiles for twenty seconds on a fresh machine.
    index = index_of(matrix, min(len(matrix) - 1, int(3 * perplexity)))
    near = PerplexityBasedNN(perplexity=perplexity, knn_index=index, n_jobs=threads)
    layout = TSNE(
        n_components=to,
        learning_rate=rate if rate > 0 else "auto",
        early_exaggeration_iter=early,
        n_iter=late,
        negative_gradient_method="auto" if to == 2 else "bh",
        n_jobs=threads,
        random_state=0,
        callbacks=on_iterations,
        callbacks_every_iters=CALLBACK_ITERATIONS,
    )
    return np.asarray(layout.fit(matrix, near))


CALLBACK_ITERATIONS = 5
"""Iterations of t-SNE between two reports."""


def umap(matrix: Any, to: int, params: dict[str, Any], report: Report) -> Any:
    """Positions by UMAP in `to` dimensions (2 or 3), [rows, to].

    `params`: neighbors (15), min_dist (0.1). Only the optimisation uses umap-learn's compiled code. The graph is built
    here, because compiling the rest takes longer than it saves.
    """
    report(0.0, "loading umap-learn", None)
    optimize_layout_euclidean = umap_optimizer()
    count = max(2, min(int(params.get("neighbors", 15)), len(matrix) - 1))
    report(0.02, "finding neighbours", None)
    near, far = nearest(matrix, count)
    report(0.25, "weighing neighbours", None)
    graph = graph_of(near, far)
    epochs = 500 if len(matrix) <= 10_000 else 200
    strong = graph.data >= graph.data.max() / epochs  # weaker edges would never be sampled
    heads, tails, weights = graph.row[strong], graph.col[strong], graph.data[strong]
    a, b = curve_params(float(params.get("min_dist", 0.1)))
    positions = initial_positions(matrix, to)
    report(0.3, "", positions)
    limits = np.iinfo(np.int32)
    state = np.random.RandomState(0).randint(limits.min + 1, limits.max - 1, 3).astype(np.int64)
    progress = ProgressFile(epochs, lambda fraction: report(0.3 + 0.69 * fraction, "", positions))
    optimize_layout_euclidean(
        positions,
        positions,
        heads,
        tails,
        epochs,
        len(matrix),
        weights.max() / weights.astype(np.float64),  # the strongest edges are sampled in each epoch
        a,
        b,
        state,
        1.0,
        1.0,
        5.0,
        verbose=True,
        tqdm_kwds={"file": progress, "mininterval": 0, "miniters": 1, "bar_format": "{n}\n"},
    )
    return positions


def umap_optimizer() -> Any:
    """umap-learn's `optimize_layout_euclidean`, without the rest of the package.

    Its `__init__` imports pynndescent, which compiles for a minute on a fresh machine and is not used here.
    """
    spec = importlib.util.find_spec("umap")
    if spec is None:
        raise ModuleNotFoundError("umap-learn is not installed", name="umap")
    sys.modules["umap"] = importlib.util.module_from_spec(spec)  # not executed
    from umap.layouts import optimize_layout_euclidean

    return optimize_layout_euclidean


def curve_params(min_dist: float) -> tuple[float, float]:
    """a and b of UMAP's similarity 1 / (1 + a x^2b) of two positions at distance x.

    The curve is fitted to the one that is 1 up to `min_dist` and then decays exponentially (section 3.2 of the paper).
    """
    from scipy.optimize import curve_fit

    distances = np.linspace(0.0, 3.0, 300)
    wanted = np.where(distances < min_dist, 1.0, np.exp(min_dist - distances))
    (a, b), _ = curve_fit(lambda x, a, b: 1.0 / (1.0 + a * x ** (2 * b)), distances, wanted)
    return float(a), float(b)


class ProgressFile:
    """The file that umap-learn's progress bar writes to: each line is the number of finished epochs.

    umap-learn has no callbacks, but it moves the positions in place, so they can be read after each epoch.
    """

    def __init__(self, epochs: int, on_epoch: Callable[[float], None]) -> None:
        self.epochs = epochs
        self.on_epoch = on_epoch

    def write(self, text: str) -> None:
        """Call `on_epoch` with the fraction of finished epochs."""
        if (number := text.strip()).isdigit():
            self.on_epoch(min(1.0, int(number) / self.epochs))

    def flush(self) -> None:
        """Nothing is buffered."""


def nearest(matrix: Any, count: int) -> tuple[Any, Any]:
    """Indices and distances of the `count` nearest neighbours of each row, [rows, count] each, the row itself first."""
    numbers, distances = index_of(matrix, count - 1).build()
    own = np.arange(len(matrix))[:, None]
    return np.hstack([own, numbers]), np.hstack([np.zeros((len(matrix), 1)), distances]).astype(np.float32)


def index_of(matrix: Any, count: int) -> Any:
    """An index for the `count` nearest other rows of each row: exact below FEW_ROWS rows, approximate above."""
    from openTSNE.nearest_neighbors import Annoy, Sklearn

    kind = Sklearn if len(matrix) < FEW_ROWS else Annoy
    return kind(matrix, count, metric="euclidean", n_jobs=threads_for(len(matrix)), random_state=0, verbose=False)


FEW_ROWS = 1000


def graph_of(near: Any, far: Any) -> Any:
    """UMAP's fuzzy neighbour graph as a symmetric sparse matrix of weights, from the results of `nearest`.

    As in McInnes et al. 2018 (arXiv:1802.03426), section 3.1: neighbour j of point i has the weight
    exp(-max(0, d_ij - rho_i) / sigma_i). rho_i is the smallest positive distance of its neighbours, and sigma_i makes
    their weights add up to log2(count). The weights a and b of both directions are combined to a + b - ab.
    """
    from scipy.sparse import coo_matrix

    count, width = near.shape
    others = far[:, 1:].astype(np.float64)
    apart = np.maximum(0.0, others - smallest(others)[:, None])
    low, high = np.zeros(count), np.full(count, np.inf)
    unit = np.ones(count)
    for _ in range(BISECTIONS):
        above = np.exp(-apart / unit[:, None]).sum(axis=1) > np.log2(width)
        high, low = np.where(above, unit, high), np.where(above, low, unit)
        unit = np.where(np.isinf(high), unit * 2, (low + high) / 2)
    unit = np.maximum(unit, 1e-3 * np.maximum(others.mean(axis=1), 1e-12))
    weights = np.exp(-apart / unit[:, None]).astype(np.float32)
    heads = np.repeat(np.arange(count), width - 1)
    one_way = coo_matrix((weights.ravel(), (heads, near[:, 1:].ravel())), shape=(count, count)).tocsr()
    back = one_way.T.tocsr()
    graph = (one_way + back - one_way.multiply(back)).tocoo()
    graph.eliminate_zeros()
    return graph


BISECTIONS = 40


def smallest(distances: Any) -> Any:
    """The smallest positive distance of each row; 0 if there is none."""
    minima = np.where(distances > 0, distances, np.inf).min(axis=1)
    return np.where(np.isinf(minima), 0.0, minima)


def initial_positions(matrix: Any, to: int) -> Any:
    """The first principal components scaled to [-10, 10], with a little noise so that equal points can separate."""
    from lightboard.query.projector.pca import components

    scores = components(matrix, to).scores
    if scores.shape[1] < to:
        scores = np.hstack([scores, np.zeros((len(scores), to - scores.shape[1]), np.float32)])
    widest = float(np.abs(scores).max()) or 1.0
    noise = np.random.default_rng(0).normal(scale=1e-4, size=scores.shape)
    return np.ascontiguousarray(10.0 * scores / widest + noise, np.float32)


METHODS = {"tsne": tsne, "umap": umap}
SMALL_ROWS = 2000


def threads_for(rows: int) -> int:
    """The number of threads to use: one for few points, where more only wait for each other."""
    return 1 if rows <= SMALL_ROWS else max(1, os.cpu_count() or 1)


def run(source: BinaryIO, sender: Sender) -> None:
    """Read one task, run it and send its messages."""
    head = json.loads(exactly(source, struct.unpack("<I", exactly(source, 4))[0]))
    rows, dims = head["rows"], head["dims"]
    matrix = np.frombuffer(exactly(source, rows * dims * 4), np.float32).reshape(rows, dims)
    threading.Thread(target=exit_with_input, args=(source,), daemon=True).start()
    try:
        positions = METHODS[head["method"]](matrix, head["to"], head["params"], sender.report)
    except ImportError as error:
        sender.send({"error": f"{error.name} is not installed", "missing": True})
    except MemoryError:
        sender.send({"error": "there is not enough memory for so many points"})
    except Exception as error:  # report bugs of libraries to the parent
        sender.send({"error": f"{type(error).__name__}: {error}"})
    else:
        sender.send({"progress": 1.0, "message": ""}, positions)


def exactly(source: BinaryIO, length: int) -> bytes:
    """Read `length` bytes. Exits the process if the input ends before, since the parent is gone then."""
    data = source.read(length)
    if len(data) < length:
        os._exit(1)
    return data


def exit_with_input(source: BinaryIO) -> None:
    """Exit the process when its input ends."""
    source.read()
    os._exit(1)


def limit_resources() -> None:
    """Lower the priority of this process and limit its memory."""
    with contextlib.suppress(OSError, AttributeError):
        os.nice(NICE)
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))


def main() -> None:
    """Run the process. Standard output is redirected to standard error, so that prints of libraries are no messages."""
    os.environ.setdefault("NUMBA_NUM_THREADS", "1")
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    limit_resources()
    run(sys.stdin.buffer, Sender(out))
    out.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
