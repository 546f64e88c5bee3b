"""TensorBoard's plugins: names, tabs, and the kinds of data that enable them."""

from collections.abc import Mapping
from typing import Any, NamedTuple

GRAPH_KINDS = (
    "graphs",
    "graph_run_metadata",
    "graph_run_metadata_graph",
    "graph_keras_model",
    "graph_tagged_run_metadata",
)


class Plugin(NamedTuple):
    """One tab, which is enabled if the logs have one of `kinds`.

    `element` says how TensorBoard's page loads it: "" as a component of the newer page, a name as a custom element of
    the older one, a path in a frame.
    """

    name: str
    tab: str
    element: str
    kinds: tuple[str, ...]
    reload_disabled: bool = False

    @property
    def framed(self) -> bool:
        """Whether it is loaded in a frame. Such pages are not served here."""
        return self.element.startswith("/")


PLUGINS = (
    Plugin("timeseries", "Time Series", "", ("scalars", "histograms", "images")),
    Plugin("scalars", "scalars", "tf-scalar-dashboard", ("scalars",)),
    Plugin("custom_scalars", "Custom Scalars", "tf-custom-scalar-dashboard", ("custom_scalars",)),
    Plugin("images", "images", "tf-image-dashboard", ("images",)),
    Plugin("audio", "audio", "tf-audio-dashboard", ("audio",)),
    Plugin("debugger-v2", "Debugger V2", "", ()),
    Plugin("graphs", "graphs", "tf-graph-dashboard", GRAPH_KINDS, reload_disabled=True),
    Plugin("distributions", "distributions", "tf-distribution-dashboard", ("histograms",)),
    Plugin("histograms", "histograms", "tf-histogram-dashboard", ("histograms",)),
    Plugin("text", "text", "tf-text-dashboard", ("text",)),
    Plugin("pr_curves", "PR Curves", "tf-pr-curve-dashboard", ("pr_curves",)),
    Plugin("profile_redirect", "Profile", "tf-profile-redirect-dashboard", ()),
    Plugin("hparams", "hparams", "tf-hparams-dashboard", ("hparams",)),
    Plugin("mesh", "mesh", "mesh-dashboard", ("mesh",)),
    Plugin("wit_redirect", "What-If Tool", "tf-wit-redirect-dashboard", ()),
    Plugin("projector", "projector", "/data/plugin/projector/index.js", ("projector",), reload_disabled=True),
)


def listing(counts: Mapping[str, int]) -> dict[str, dict[str, Any]]:
    """The response of /data/plugins_listing for logs with `counts` tags of each kind."""
    return {
        plugin.name: {
            "disable_reload": plugin.reload_disabled,
            "enabled": any(counts.get(kind) for kind in plugin.kinds),
            "remove_dom": False,
            "tab_name": plugin.tab,
            "loading_mechanism": mechanism(plugin),
        }
        for plugin in PLUGINS
    }


def mechanism(plugin: Plugin) -> dict[str, str]:
    """The loading mechanism in TensorBoard's page."""
    if plugin.framed:
        return {"type": "IFRAME", "module_path": plugin.element}
    if not plugin.element:
        return {"type": "NG_COMPONENT"}
    return {"type": "CUSTOM_ELEMENT", "element_name": plugin.element}
