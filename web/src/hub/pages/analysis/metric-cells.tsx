// biome-ignore-all lint/a11y/useSemanticElements: a table of which only the rows in sight exist
// biome-ignore-all lint/a11y/useFocusableInteractive: rows and heads hold what takes the focus

/** The metrics of a job in its row: a column each, or where there is no room for that, a line below its name. */

import type { JobMetricSummary } from "../../../api/hub-schema.gen";
import { whenText } from "../../../i18n/format";
import { useWords } from "../../../i18n/words";
import { formatStep, formatValue } from "../../../lib/number";
import type { Job } from "../../data/jobs";
import { pointsOf } from "../../data/metrics";
import { Sparkline } from "../../ui/sparkline";
import style from "./job-list.module.css";
import list from "./resource-list.module.css";

const DIGITS = 4;

interface MetricsProps {
  job: Job;
  columns: readonly string[];
}

const metricOf = (job: Job, name: string) => job.metrics.find((each) => each.name === name);

export function MetricCells({ job, columns }: MetricsProps) {
  return columns.map((name) => <MetricCell key={name} name={name} metric={metricOf(job, name)} />);
}

function MetricCell({ name, metric }: { name: string; metric: JobMetricSummary | undefined }) {
  const say = useWords();
  if (!metric)
    return (
      <div role="cell" className={`${style.metric} ${style.absent}`} data-metric={name}>
        –
      </div>
    );
  const value = Number(metric.value);
  const step = say("hub.metric.atStep", { step: formatStep(metric.step) });
  const title = [`${name} ${formatValue(value)}`, whenText(metric.wall_time, step)].join("\n");
  return (
    <div role="cell" className={style.metric} title={title} data-metric={name}>
      <span className={Number.isFinite(value) ? style.value : style.notFinite}>
        {formatValue(value, DIGITS)}
      </span>
      <Sparkline name={name} points={pointsOf(metric)} />
    </div>
  );
}

export function MetricLine({ job, columns }: MetricsProps) {
  const found = columns.flatMap((name) => metricOf(job, name) ?? []);
  if (found.length === 0) return null;
  return (
    <span className={`${list.second} ${style.line}`} data-testid="metric-line">
      {found.map(({ name, value }, at) => (
        <span key={name}>
          {at > 0 && " · "}
          <bdi>{name}</bdi> {formatValue(Number(value), DIGITS)}
        </span>
      ))}
    </span>
  );
}
