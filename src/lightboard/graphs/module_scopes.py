"""The scopes of nodes that tell which modules of torch they are in."""

from collections.abc import Iterable


def scope_of_modules(modules: Iterable[str]) -> str:
    """The scope inside of these modules, the outermost first: "layers.0/norm" of "layers.0" and "layers.0.norm"."""
    labels, above = list[str](), ""
    for module in modules:
        labels.append(module[len(above) + 1 :] if above and module.startswith(f"{above}.") else module)
        above = module
    return "/".join(labels)
