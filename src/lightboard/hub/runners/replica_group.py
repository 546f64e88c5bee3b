"""The control group of a replica, from its specification. Only the standard library is imported."""

from lightboard.hub.runners.control_group import ControlGroup, GroupSpec
from lightboard.hub.runners.control_group_v1 import ControlGroupV1
from lightboard.hub.runners.control_group_v2 import ControlGroupV2


def control_group_of(spec: GroupSpec) -> ControlGroup:
    """The group that a specification describes, which may not exist."""
    return ControlGroupV2(spec.folders[""]) if spec.version == 2 else ControlGroupV1(spec.folders)
