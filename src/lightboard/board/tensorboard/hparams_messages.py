"""Parses and serializes TensorBoard's hparams messages as JSON."""

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
from lightboard.query.sessions import (
    Column,
    Group,
    MeasuredSession,
    MetricValue,
    SessionQuery,
    ValueFilter,
    choice_filter,
    interval_filter,
    regex_filter,
)
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
    """A query. Raises BadRequest."""
    try:
        return parse(text, fields)
    except ValueError as error:
        raise BadRequest(f"Expected a JSON-formatted request data of type: {name}, but got: {error}") from None


def query_of(params: dict[str, Any]) -> SessionQuery:
    """A ListSessionGroupsRequest. Raises BadRequest."""
    return SessionQuery(
        columns=[column_of(column) for column in params.get("col_params", ())],
        statuses=frozenset(params.get("allowed_statuses", ())),
        aggregation=params.get("aggregation_type", 0),
        aggregation_metric=metric_name(params.get("aggregation_metric", {})),
        start=params.get("start_index", 0),
        size=params.get("slice_size", 0),
    )


def column_of(params: dict[str, Any]) -> Column:
    """A ColParams. Raises BadRequest."""
    if "metric" not in params and "hparam" not in params:
        raise BadRequest(f'Got ColParam with both "metric" and "hparam" fields unset: {params}')
    if params.get("order", 0) not in range(len(ORDERS)):
        raise BadRequest(f"Unknown col_param.order given: {params}")
    return Column(
        parameter=params.get("hparam", ""),
        metric=metric_name(params["metric"]) if "metric" in params else None,
        order=params.get("order", 0),
        missing_first=params.get("missing_values_first", False),
        filter=filter_of(params),
        drop_missing=params.get("exclude_missing_values", False),
        included=params.get("include_in_result"),
    )


def filter_of(params: dict[str, Any]) -> ValueFilter | None:
    """The filter of a ColParams. Raises BadRequest."""
    if "filter_regexp" in params:
        return regex_filter(params["filter_regexp"])
    if "filter_interval" in params:
        ends = params["filter_interval"]
        return interval_filter(Interval(ends.get("min_value", 0.0), ends.get("max_value", 0.0)))
    return choice_filter(params["filter_discrete"]) if "filter_discrete" in params else None


def metric_name(params: dict[str, Any]) -> MetricName:
    """A MetricName."""
    return MetricName(params.get("group", ""), params.get("tag", ""))


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
    """A HParamInfo."""
    params: dict[str, Any] = {
        "name": parameter.name,
        "displayName": parameter.display_name,
        "description": parameter.description,
        "type": f"DATA_TYPE_{parameter.type.upper()}",
        "differs": parameter.differs,
    }
    if parameter.values is not None:
        params["domainDiscrete"] = list(parameter.values)
    if parameter.interval is not None:
        params["domainInterval"] = {"minValue": parameter.interval.low, "maxValue": parameter.interval.high}
    return params


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
        "sessions": [session_json(measured) for measured in group.sessions],
        "monitorUrl": group.monitor_url,
    }


def session_json(measured: MeasuredSession) -> dict[str, Any]:
    """A Session."""
    start, end = measured.session.start, measured.session.end or SessionEnd()
    return {
        "name": measured.session.run,
        "startTimeSecs": start.time,
        "endTimeSecs": end.time,
        "status": STATUSES[end.status] if 0 <= end.status < len(STATUSES) else end.status,
        "modelUri": start.model_uri,
        "metricValues": [value_json(value) for value in measured.metrics],
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
