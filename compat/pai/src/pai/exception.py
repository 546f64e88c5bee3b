"""The exceptions of PAI's SDK that programs catch."""

from lightboard.errors import TensorboardLimitExceeded, UnexpectedStatusException

__all__ = ["TensorboardLimitExceeded", "UnexpectedStatusException"]
