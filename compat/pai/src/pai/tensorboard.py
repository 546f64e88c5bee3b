"""`from pai.tensorboard import TensorBoard`."""

from lightboard import TensorBoard

__all__ = ["TensorBoard"]
