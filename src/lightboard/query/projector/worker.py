"""A process of its own that lays points out by t-SNE or UMAP and sends what it has so far, until it is killed.

Run as a module. In: u32 length of a JSON head {"method", "rows", "dims", "to", "params"}, the head, rows x dims
float32. Out, again and again: u32 length of a JSON head {"progress", "message", "error", "rows", "dims"}, the head, and
rows x dims float32 if there are any. It ends by itself when its input is closed: then nobody listens any more.
"""

import contextlib
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
"""Of address space: compiled code and threads reserve some, what is left is for rows."""

NICE = 5
"""Behind everybody who waits for an answer, before those who have all night."""

FRAME_SECS = 0.4
"""Positions are sent this far apart: more often than eyes care for costs more than it shows."""

Positions = Any
Tell = Callable[[float, str, Positions], None]
"""Takes how far it is (0 to 1), words, and positions or None."""


class Sender:
    """Writes what there is to tell, positions not more often than `FRAME_SECS`."""

    def __init__(self, out: BinaryIO) -> None:
        self.out = out
        self._sent = 0.0

    def tell(self, progress: float, message: str, positions: Positions = None) -> None:
        """As `Tell` says."""
        now = time.monotonic()
        if positions is not None and now - self._sent < FRAME_SECS and progress < 1:
            return
        self._sent = now if positions is not None else self._sent
        self.send({"progress": progress, "message": message}, positions)

    def send(self, head: dict[str, Any], positions: Positions = None) -> None:
        """One message."""
        body = b""
        if positions is not None:
            numbers = np.ascontiguousarray(positions, np.float32)
            head = head | {"rows": numbers.shape[0], "dims": numbers.shape[1]}
            body = numbers.tobytes()
        text = json.dumps(head).encode()
        self.out.write(struct.pack("<I", len(text)) + text + body)
        self.out.flush()


def tsne(matrix: Any, to: int, params: dict[str, Any], tell: Tell) -> Any:
    """t-SNE to 2 or 3 dimensions."""
    tell(0.0, "loading openTSNE", None)
    from openTSNE import TSNE
    from openTSNE.affinity import PerplexityBasedNN

    early, late = 250, int(params.get("iterations", 500))
    done = [0]

    def look(_iteration: int, _error: float, positions: Any) -> bool:
        done[0] += EVERY
        tell(min(0.99, 0.1 + 0.9 * done[0] / (early + late)), "", positions)
        return False

    tell(0.02, "finding neighbours", None)
    perplexity = min(float(params.get("perplexity", 30)), max(1.0, (len(matrix) - 1) / 3.5))
    rate = float(params.get("learning_rate", 0))
    threads = threads_for(len(matrix))
    # With an index of ours openTSNE does not import pynndescent, which it would not use: on a fresh machine that
    # compiles for twenty seconds.
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
        callbacks=look,
        callbacks_every_iters=EVERY,
    )
    return np.asarray(layout.fit(matrix, near))


EVERY = 5
"""Iterations between looks at the positions."""


def umap(matrix: Any, to: int, params: dict[str, Any], tell: Tell) -> Any:
    """UMAP to 2 or 3 dimensions. Only the moving of points is compiled: compiling more takes longer than it saves."""
    tell(0.0, "loading umap-learn; the first time on a machine it is compiled", None)
    from umap.layouts import optimize_layout_euclidean
    from umap.umap_ import find_ab_params, make_epochs_per_sample

    count = max(2, min(int(params.get("neighbors", 15)), len(matrix) - 1))
    tell(0.02, "finding neighbours", None)
    near, far = nearest(matrix, count)
    tell(0.25, "weighing neighbours", None)
    graph = graph_of(near, far)
    epochs = 500 if len(matrix) <= 10_000 else 200
    strong = graph.data >= graph.data.max() / epochs
    heads, tails, weights = graph.row[strong], graph.col[strong], graph.data[strong]
    a, b = find_ab_params(1.0, float(params.get("min_dist", 0.1)))
    places = beginning(matrix, to)
    tell(0.3, "", places)
    edge = np.iinfo(np.int32)
    state = np.random.RandomState(0).randint(edge.min + 1, edge.max - 1, 3).astype(np.int64)
    steps = Steps(epochs, lambda share: tell(0.3 + 0.69 * share, "", places))
    optimize_layout_euclidean(
        places,
        places,
        heads,
        tails,
        epochs,
        len(matrix),
        make_epochs_per_sample(weights, epochs),
        a,
        b,
        state,
        1.0,
        1.0,
        5.0,
        verbose=True,
        tqdm_kwds={"file": steps, "mininterval": 0, "miniters": 1, "bar_format": "{n}\n"},
    )
    return places


class Steps:
    """What umap-learn's progress bar takes for a terminal: each line is the number of epochs done."""

    def __init__(self, epochs: int, look: Callable[[float], None]) -> None:
        self.epochs = epochs
        self.look = look

    def write(self, text: str) -> None:
        """Look at the positions, which are moved in place, after each epoch."""
        if (number := text.strip()).isdigit():
            self.look(min(1.0, int(number) / self.epochs))

    def flush(self) -> None:
        """Nothing is held back."""


def nearest(matrix: Any, count: int) -> tuple[Any, Any]:
    """Each row itself and its nearest others: numbers and distances, rows x count."""
    numbers, distances = index_of(matrix, count - 1).build()
    own = np.arange(len(matrix))[:, None]
    return np.hstack([own, numbers]), np.hstack([np.zeros((len(matrix), 1)), distances]).astype(np.float32)


def index_of(matrix: Any, count: int) -> Any:
    """What finds the `count` nearest others of each row: exactly where there are few, else nearly."""
    from openTSNE.nearest_neighbors import Annoy, Sklearn

    kind = Sklearn if len(matrix) < FEW_ROWS else Annoy
    return kind(matrix, count, metric="euclidean", n_jobs=threads_for(len(matrix)), random_state=0, verbose=False)


FEW_ROWS = 1000


def graph_of(near: Any, far: Any) -> Any:
    """How strongly points hang together, symmetric and sparse, by UMAP's rule.

    Each point counts distances from its nearest neighbour on, in a unit of its own, such that the strengths of all its
    neighbours add up to log2 of how many they are. Where one of two points reaches the other they hang together.
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
    """The smallest distance of each row that is not 0; 0 where there is none."""
    found = np.where(distances > 0, distances, np.inf).min(axis=1)
    return np.where(np.isinf(found), 0.0, found)


def beginning(matrix: Any, to: int) -> Any:
    """Where points start: their first principal components, ten wide, and a little noise so that twins can part."""
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
    """Threads that pay: for few points they only wait for each other."""
    return 1 if rows <= SMALL_ROWS else max(1, os.cpu_count() or 1)


def run(source: BinaryIO, sender: Sender) -> None:
    """One task from its input to its last message."""
    head = json.loads(exactly(source, struct.unpack("<I", exactly(source, 4))[0]))
    rows, dims = head["rows"], head["dims"]
    matrix = np.frombuffer(exactly(source, rows * dims * 4), np.float32).reshape(rows, dims)
    threading.Thread(target=leave_with, args=(source,), daemon=True).start()
    try:
        places = METHODS[head["method"]](matrix, head["to"], head["params"], sender.tell)
    except ImportError as error:
        sender.send({"error": f"{error.name} is not installed", "missing": True})
    except MemoryError:
        sender.send({"error": "there is not enough memory for so many points"})
    except Exception as error:  # a library's defect is told, not thrown
        sender.send({"error": f"{type(error).__name__}: {error}"})
    else:
        sender.send({"progress": 1.0, "message": ""}, places)


def exactly(source: BinaryIO, length: int) -> bytes:
    """So many bytes, or the end of the process: whoever began it is gone."""
    data = source.read(length)
    if len(data) < length:
        os._exit(1)
    return data


def leave_with(source: BinaryIO) -> None:
    """End the process when its input ends."""
    source.read()
    os._exit(1)


def limit() -> None:
    """Be polite: others first, and not all of the memory."""
    with contextlib.suppress(OSError, AttributeError):
        os.nice(NICE)
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))


def main() -> None:
    """The process. What libraries print goes where errors go, so that only messages reach the reader."""
    os.environ.setdefault("NUMBA_NUM_THREADS", "1")
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    limit()
    run(sys.stdin.buffer, Sender(out))
    out.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
