"""Where symbolic links in a folder of somebody else lead to, judged by their text alone."""


def leads_out(path: str, target: str) -> bool:
    """Whether the link `path` (relative to the folder) may lead out of the folder.

    That includes every `..` after a name: the name may be a link itself, so that it leads elsewhere than it seems.
    """
    parts = [part for part in target.split("/") if part not in ("", ".")]
    up = next((index for index, part in enumerate(parts) if part != ".."), len(parts))
    return target.startswith("/") or up > path.count("/") or ".." in parts[up:]
