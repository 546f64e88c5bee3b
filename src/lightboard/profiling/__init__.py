"""Makes captures of PyTorch, JAX, TensorFlow and plain Python that a board finds and that have what it shows.

    from lightboard import profiling

    with profiling.capture("runs/a") as capture:
        for number, batch in enumerate(batches):
            with capture.step(number):
                train(batch)

`on_trace_ready` is the handler of a `torch.profiler.profile` with a schedule. No framework is loaded by importing this.
"""

from lightboard.profiling.capture import Capture, capture
from lightboard.profiling.torch_recorder import on_trace_ready

__all__ = ["Capture", "capture", "on_trace_ready"]
