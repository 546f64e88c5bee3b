/** What a job has used of the machine over time: a small chart for each resource. */

import type { JobDetail } from "../../../api/hub-schema.gen";
import { count, duration, timeOfDay } from "../../../i18n/format";
import { useWords } from "../../../i18n/words";
import { formatValue } from "../../../lib/number";
import { measuredMemoryText } from "../../data/job-values";
import { useJobUsage } from "../../data/jobs";
import { type Resource, type UsageChart, usageCharts, usageSpan } from "../../data/usage";
import { EmptyState, ErrorNotice } from "../../ui/page";
import { SmallChart, SmallCharts } from "../../ui/small-chart";

export function JobResources({ job }: { job: JobDetail }) {
  const say = useWords();
  const { data, error, refetch } = useJobUsage(job);
  if (!data) return error && <ErrorNotice fault={error} onRetry={() => void refetch()} />;
  const span = usageSpan(data);
  if (!span)
    return (
      <EmptyState title={say("hub.usage.none")}>
        <p>{say("hub.usage.noneWhat")}</p>
      </EmptyState>
    );
  const text = say("hub.usage.span", { span: duration(span.high - span.low), time: timeOfDay(span.high) });
  return (
    <SmallCharts>
      {usageCharts(data, limitsOf(job)).map((chart) => (
        <Chart key={chart.resource} chart={chart} span={text} replicas={data.replicas.length} />
      ))}
    </SmallCharts>
  );
}

/** A job without a preset may use all processors of the machine. */
const limitsOf = (job: JobDetail) => ({
  cpus: job.preset === "" ? null : job.cpus,
  memory: job.memory_limit_bytes,
});

const FORMATS: Record<Resource, (value: number) => string> = {
  cpus: (value) => formatValue(value, 2),
  memory: measuredMemoryText,
  gpu: (value) => `${Math.round(value * 100)} %`,
  gpuMemory: measuredMemoryText,
};

function Chart({ chart, span, replicas }: { chart: UsageChart; span: string; replicas: number }) {
  const say = useWords();
  const format = FORMATS[chart.resource];
  return (
    <SmallChart
      title={say(`hub.usage.${chart.resource}`)}
      span={span}
      range={chart.range}
      format={format}
      left={chart.left > 0 ? say("hub.usage.left", { count: chart.left }) : ""}
      testId={`usage-${chart.resource}`}
      lines={chart.lines.map(({ rank, gpu, points, last, total }, at) => ({
        key: `${rank}/${gpu}`,
        name: [
          replicas > 1 && say("hub.log.replicaNumber", { rank: count(rank) }),
          gpu !== null && say("hub.usage.gpuNumber", { id: String(gpu) }),
        ]
          .filter(Boolean)
          .join(" · "),
        color: at,
        points,
        value: format(last),
        finite: true,
        note: total === null || chart.resource === "gpu" ? "" : say("hub.usage.of", { total: format(total) }),
      }))}
    />
  );
}
