"""Lists of the hub, which come in pages."""

from collections.abc import Iterator
from typing import Any

from lightboard.client.session import Session

PAGE_SIZE = 200


def all_items(session: Session, route: str, **filters: Any) -> Iterator[dict[str, Any]]:
    """All items of a list that match, page by page."""
    page, remaining = 1, 1
    while remaining > 0:
        response = session.get(route, {**filters, "page": page, "page_size": PAGE_SIZE})
        yield from response["items"]
        remaining = response["total"] - page * PAGE_SIZE
        page += 1
