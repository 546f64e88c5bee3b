"""Descriptions that writers gave to a tag, as HTML for the page."""

from collections.abc import Mapping


def description_html(descriptions: Mapping[str, list[str]]) -> str:
    """Sanitised HTML of `descriptions`, which maps a Markdown text to the names of the runs that gave it.

    Most logs have none, so the Markdown reader is loaded only when it is needed. Runs that disagree are shown one
    under the other, each with its names, as TensorBoard shows them.
    """
    if not descriptions:
        return ""
    from lightboard.asgi.markdown import safe_html  # heavy, and rarely needed

    if len(descriptions) == 1:
        return safe_html(next(iter(descriptions)))
    parts = ["# Multiple descriptions"]
    for text, runs in sorted(descriptions.items()):
        parts.append(f"## For {'runs' if len(runs) > 1 else 'run'}: {', '.join(sorted(runs))}\n{text}")
    return safe_html("\n".join(parts))
