/** The metrics of a job: a small chart for each tag. */

import type { JobDetail } from "../../../api/hub-schema.gen";
import { whenText } from "../../../i18n/format";
import { useWords } from "../../../i18n/words";
import { formatStep, formatValue } from "../../../lib/number";
import { useJobMetrics } from "../../data/jobs";
import { chartsOf, pointsOf, rangeOf, runNames, type TagChart } from "../../data/metrics";
import { Why } from "../../ui/detail";
import { EmptyState, ErrorNotice } from "../../ui/page";
import { SmallChart, SmallCharts } from "../../ui/small-chart";
import style from "./job-metrics.module.css";

export function JobMetrics({ job }: { job: JobDetail }) {
  const say = useWords();
  const { data, error, refetch } = useJobMetrics(job);
  if (!data) return error && <ErrorNotice fault={error} onRetry={() => void refetch()} />;
  const charts = chartsOf(data.items);
  const names = runNames(data.items);
  const colors = new Map([...names.keys()].map((run, at) => [run, at]));
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
      <SmallCharts>
        {charts.map((chart) => (
          <Chart key={chart.tag} {...chart} names={names} colors={colors} />
        ))}
      </SmallCharts>
    </>
  );
}

interface Runs {
  names: ReadonlyMap<string, string>;
  /** A color for each run, the same in all charts. */
  colors: ReadonlyMap<string, number>;
}

function Chart({ tag, lines, left, names, colors }: TagChart & Runs) {
  const say = useWords();
  const x = rangeOf(lines.flatMap(({ steps }) => steps));
  return (
    <SmallChart
      title={tag}
      span={x ? say("hub.metric.steps", { first: formatStep(x.low), last: formatStep(x.high) }) : ""}
      format={(value) => formatValue(value, 4)}
      left={left > 0 ? say("hub.metric.left", { count: left }) : ""}
      testId="metric-chart"
      lines={lines.map((line) => {
        const value = Number(line.value);
        const note = say("hub.metric.atStep", { step: formatStep(line.step) });
        return {
          key: line.run,
          name: names.get(line.run)!,
          color: colors.get(line.run)!,
          points: pointsOf(line),
          value: formatValue(value),
          finite: Number.isFinite(value),
          note,
          hint: [line.run, whenText(line.wall_time, note)].join("\n"),
        };
      })}
    />
  );
}
