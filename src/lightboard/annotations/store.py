"""The interface of everything that stores the annotations of one board."""

from collections.abc import Callable
from typing import Protocol

from lightboard.annotations.annotations import Annotations

Edit = Callable[[Annotations], Annotations]


class AnnotationStore(Protocol):
    """Stores one `Annotations`. Every method is thread-safe."""

    @property
    def name(self) -> str:
        """The name of the store for users; "" if annotations are lost when the process ends."""

    @property
    def writable(self) -> bool:
        """Whether a change would probably succeed."""

    def read(self) -> Annotations:
        """The current annotations, including changes by other processes."""

    def change(self, edit: Edit) -> Annotations:
        """Replace the annotations by `edit(annotations)` atomically, and return them.

        Raises:
            AnnotationsError: they cannot be written; nothing has changed. Exceptions of `edit` propagate.
        """
