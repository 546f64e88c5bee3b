"""`from pai.job import TrainingJob`."""

from lightboard import TrainingJob

__all__ = ["TrainingJob"]
