"""TensorBoard's hparams messages as JSON: how questions are read and answers written."""

from collections.abc import Iterable
from typing import Any

from lightboard.asgi.scheduler import Pieces
from lightboard.board import json_pieces
from lightboard.board.encoding import encode
from lightboard.board.tensorboard.proto_json import (
    Fields,
    boolean,
    double,
    enum,
    int32,
    message,
    parse,
    repeated,
    scalars,
    string,
)
from lightboard.errors import BadRequest
from lightboard.query.sessions import Column, Group, Keep, MetricValue, Question, Told, among, between, matching
from lightboard.series.experiment import (
    Experiment,
    Interval,
    Metric,
    MetricName,
    Parameter,
    SessionEnd,
)
from lightboard.series.hparams import OUTCOMES

STATUSES = tuple(f"STATUS_{word.upper()}" for word in OUTCOMES)
ORDERS = ("ORDER_UNSPECIFIED", "ORDER_ASC", "ORDER_DESC")
AGGREGATIONS = tuple(f"AGGREGATION_{word}" for word in ("UNSET", "AVG", "MEDIAN", "MIN", "MAX"))

METRIC_NAME: Fields = {"group": string, "tag": string}

COLUMN: Fields = {
    "metric": message(METRIC_NAME),
    "hparam": string,
    "order": enum(ORDERS),
    "missing_values_first": boolean,
    "filter_regexp": string,
    "filter_interval": message({"min_value": double, "max_value": double}),
    "filter_discrete": scalars,
    "exclude_missing_values": boolean,
    "include_in_result": boolean,
}
ONE_OF = (
    frozenset(("metric", "hparam")),
    frozenset(("filter_regexp", "filter_interval", "filter_discrete")),
)

EXPERIMENT_REQUEST: Fields = {"experiment_name": string, "include_metrics": boolean, "hparams_limit": int32}
GROUPS_REQUEST: Fields = {
    "experiment_name": string,
    "allowed_statuses": repeated(enum(STATUSES)),
    "col_params": repeated(message(COLUMN, one_of=ONE_OF)),
    "aggregation_type": enum(AGGREGATIONS),
    "aggregation_metric": message(METRIC_NAME),
    "start_index": int32,
    "slice_size": int32,
    "include_metrics": boolean,
}
EVALS_REQUEST: Fields = {"experiment_name": string, "session_name": string, "metric_name": message(METRIC_NAME)}


def read_request(text: bytes, fields: Fields, name: str) -> dict[str, Any]:
    """A question. Raises BadRequest."""
    try:
        return parse(text, fields)
    except ValueError as error:
        raise BadRequest(f"Expected a JSON-formatted request data of type: {name}, but got: {error}") from None


def question_of(said: dict[str, Any]) -> Question:
    """A ListSessionGroupsRequest. Raises BadRequest."""
    return Question(
        columns=[column_of(one) for one in said.get("col_params", ())],
        statuses=frozenset(said.get("allowed_statuses", ())),
        aggregation=said.get("aggregation_type", 0),
        aggregation_metric=metric_name(said.get("aggregation_metric", {})),
        start=said.get("start_index", 0),
        size=said.get("slice_size", 0),
    )


def column_of(said: dict[str, Any]) -> Column:
    """A ColParams. Raises BadRequest."""
    if "metric" not in said and "hparam" not in said:
        raise BadRequest(f'Got ColParam with both "metric" and "hparam" fields unset: {said}')
    if said.get("order", 0) not in range(len(ORDERS)):
        raise BadRequest(f"Unknown col_param.order given: {said}")
    return Column(
        parameter=said.get("hparam", ""),
        metric=metric_name(said["metric"]) if "metric" in said else None,
        order=said.get("order", 0),
        missing_first=said.get("missing_values_first", False),
        keep=filter_of(said),
        drop_missing=said.get("exclude_missing_values", False),
        included=said.get("include_in_result"),
    )


def filter_of(said: dict[str, Any]) -> Keep | None:
    """The filter of a ColParams. Raises BadRequest."""
    if "filter_regexp" in said:
        return matching(said["filter_regexp"])
    if "filter_interval" in said:
        ends = said["filter_interval"]
        return between(Interval(ends.get("min_value", 0.0), ends.get("max_value", 0.0)))
    return among(said["filter_discrete"]) if "filter_discrete" in said else None


def metric_name(said: dict[str, Any]) -> MetricName:
    """A MetricName."""
    return MetricName(said.get("group", ""), said.get("tag", ""))


def experiment_json(experiment: Experiment) -> Pieces:
    """An Experiment, parameter by parameter."""
    head = {
        "name": experiment.name,
        "description": experiment.description,
        "user": experiment.user,
        "timeCreatedSecs": experiment.time_created,
    }
    yield encode(head).removesuffix(b"}") + b',"hparamInfos":'
    yield from json_pieces.rows(map(parameter_json, experiment.parameters))
    yield b',"metricInfos":'
    yield from json_pieces.rows(map(metric_json, experiment.metrics))
    yield b"}"


def parameter_json(parameter: Parameter) -> dict[str, Any]:
    """A HParamInfo; the domain is there only where there is one."""
    said: dict[str, Any] = {
        "name": parameter.name,
        "displayName": parameter.display_name,
        "description": parameter.description,
        "type": f"DATA_TYPE_{parameter.type.upper()}",
        "differs": parameter.differs,
    }
    if parameter.values is not None:
        said["domainDiscrete"] = list(parameter.values)
    if parameter.interval is not None:
        said["domainInterval"] = {"minValue": parameter.interval.low, "maxValue": parameter.interval.high}
    return said


def metric_json(metric: Metric) -> dict[str, Any]:
    """A MetricInfo."""
    return {
        "name": metric.name._asdict(),
        "displayName": metric.display_name,
        "description": metric.description,
        "datasetType": f"DATASET_{metric.dataset_type.upper()}",
    }


def groups_json(groups: Iterable[Group], total: int) -> Pieces:
    """A ListSessionGroupsResponse, group by group."""
    yield b'{"sessionGroups":'
    yield from json_pieces.rows(map(group_json, groups))
    yield b',"totalSize":%d}' % total


def group_json(group: Group) -> dict[str, Any]:
    """A SessionGroup."""
    return {
        "name": group.name,
        "hparams": group.config,
        "metricValues": [value_json(value) for value in group.metrics],
        "sessions": [session_json(told) for told in group.sessions],
        "monitorUrl": group.monitor_url,
    }


def session_json(told: Told) -> dict[str, Any]:
    """A Session."""
    start, end = told.session.start, told.session.end or SessionEnd()
    return {
        "name": told.session.run,
        "startTimeSecs": start.time,
        "endTimeSecs": end.time,
        "status": STATUSES[end.status] if 0 <= end.status < len(STATUSES) else end.status,
        "modelUri": start.model_uri,
        "metricValues": [value_json(value) for value in told.metrics],
        "monitorUrl": start.monitor_url,
    }


def value_json(value: MetricValue) -> dict[str, Any]:
    """A MetricValue."""
    return {
        "name": value.name._asdict(),
        "value": value.value,
        "trainingStep": value.step,
        "wallTimeSecs": value.wall_time,
    }
