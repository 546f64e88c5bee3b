/** The metrics of a job: a small chart for each tag. */

import type { JobDetail, JobMetric } from "../../../api/hub-schema.gen";
import { whenText } from "../../../i18n/format";
import { useWords } from "../../../i18n/words";
import { formatStep, formatValue } from "../../../lib/number";
import { useJobMetrics } from "../../data/jobs";
import { chartsOf, curveOf, MAX_LINES, pointsOf, rangeOf, runNames, type TagChart } from "../../data/metrics";
import { Why } from "../../ui/detail";
import { EmptyState, ErrorNotice } from "../../ui/page";
import style from "./job-metrics.module.css";

export function JobMetrics({ job }: { job: JobDetail }) {
  const say = useWords();
  const { data, error, refetch } = useJobMetrics(job);
  if (!data) return error && <ErrorNotice fault={error} onRetry={() => void refetch()} />;
  const charts = chartsOf(data.items);
  const names = runNames(data.items);
  const colors = new Map([...names.keys()].map((run, at) => [run, style[`line${at % MAX_LINES}`]!]));
  return (
    <>
      {data.message && <Why failed={false} reason={say("hub.metric.failed")} message={data.message} />}
      {data.limited && <p className={style.note}>{say("hub.metric.limited")}</p>}
      {data.behind && <p className={style.note}>{say("hub.metric.behind")}</p>}
      {charts.length === 0 && (
        <EmptyState title={say("hub.metric.none")}>
          <p>{say("hub.metric.noneWhat")}</p>
        </EmptyState>
      )}
      <div className={style.charts}>
        {charts.map((chart) => (
          <Chart key={chart.tag} {...chart} names={names} colors={colors} />
        ))}
      </div>
    </>
  );
}

interface Runs {
  names: ReadonlyMap<string, string>;
  /** A class for each run, the same in all charts. */
  colors: ReadonlyMap<string, string>;
}

function Chart({ tag, lines, left, names, colors }: TagChart & Runs) {
  const say = useWords();
  const points = lines.map(pointsOf);
  const x = rangeOf(points.flatMap(({ steps }) => steps));
  const y = rangeOf(points.flatMap(({ values }) => values));
  const steps = x && say("hub.metric.steps", { first: formatStep(x.low), last: formatStep(x.high) });
  return (
    <figure className={style.chart} data-testid="metric-chart">
      <figcaption>
        <bdi className={style.tag} title={tag}>
          {tag}
        </bdi>
      </figcaption>
      <div className={style.frame}>
        <span className={style.high}>{y && formatValue(y.high, 4)}</span>
        <svg
          viewBox="0 0 100 100"
          preserveAspectRatio="none"
          role="img"
          aria-label={[tag, steps].filter(Boolean).join(", ")}
        >
          {x &&
            y &&
            points
              .map((each, at) => (
                <path key={lines[at]!.run} className={colors.get(lines[at]!.run)} d={curveOf(each, x, y)} />
              ))
              .toReversed()}
        </svg>
        <span className={style.low}>{y && y.low < y.high && formatValue(y.low, 4)}</span>
      </div>
      <div className={style.steps}>{steps}</div>
      <ul className={style.lines}>
        {lines.map((line) => (
          <Line key={line.run} line={line} name={names.get(line.run)!} color={colors.get(line.run)!} />
        ))}
        {left > 0 && <li className={style.left}>{say("hub.metric.left", { count: left })}</li>}
      </ul>
    </figure>
  );
}

/** The last value of a line; its name, if the job has several runs. */
function Line({ line, name, color }: { line: JobMetric; name: string; color: string }) {
  const say = useWords();
  const value = Number(line.value);
  const step = say("hub.metric.atStep", { step: formatStep(line.step) });
  return (
    <li title={[line.run, whenText(line.wall_time, step)].join("\n")}>
      <span className={`${style.swatch} ${color}`} />
      {name && <bdi className={style.name}>{name}</bdi>}
      <span className={Number.isFinite(value) ? style.value : style.notFinite}>{formatValue(value)}</span>
      <span className={style.step}>{step}</span>
    </li>
  );
}
