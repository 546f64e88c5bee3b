/** A bar for each step of each host, on one scale; the slowest is marked. A table behind them has the same figures. */

import { useId, useState } from "react";
import { useWords } from "../../i18n/words";
import { formatMicroseconds } from "../../lib/microseconds";
import { windowAround } from "../data/captures";
import { useStep } from "../view/steps";
import { hostKey, hostLabel } from "./labels";
import { type PictureColumn, PictureTable } from "./picture-table";
import { type HostSummary, type ProfileStep, showProfile } from "./profiles";
import style from "./step-bars.module.css";
import { StepOnCharts, useHasCharts } from "./step-on-charts";

/** More steps share bars, of which each shows the slowest of its steps. */
const MAX_BARS = 160;
const HEIGHT = 72;

/** Steps in the same bar; `slowest` is the one that it shows. */
interface Bar {
  first: ProfileStep;
  slowest: ProfileStep;
  last: ProfileStep;
}

interface StepBarsProps {
  steps: readonly ProfileStep[];
  hosts: readonly HostSummary[];
  /** The name of the run of the capture; empty if it has none. */
  run: string;
}

export function StepBars({ steps, hosts, run }: StepBarsProps) {
  const say = useWords();
  const hasCharts = useHasCharts(run);
  const table = useId();
  const columns: PictureColumn<ProfileStep>[] = [
    {
      key: "step",
      head: say("profile.step"),
      cell: (step) => (
        <button
          type="button"
          className={style.open}
          aria-label={say("profile.stepSlices", { step: step.step })}
          onClick={() => showStep(step)}
        >
          {step.step}
        </button>
      ),
    },
    { key: "host", head: say("profile.host"), cell: hostLabel },
    { key: "start", head: say("profile.start"), cell: (step) => formatMicroseconds(step.start_us) },
    { key: "duration", head: say("profile.duration"), cell: (step) => formatMicroseconds(step.duration_us) },
  ];
  if (hasCharts)
    columns.push({
      key: "charts",
      head: say("profile.charts"),
      cell: (step) => <StepOnCharts run={run} step={step} />,
    });
  const most = Math.max(...steps.map(({ duration_us }) => duration_us), 1e-3);
  return (
    <>
      {hosts.map((host) => (
        <HostBars
          key={hostKey(host)}
          host={host}
          bars={barsOf(steps.filter((step) => step.host === host.host && step.rank === host.rank))}
          most={most}
          table={table}
          named={hosts.length > 1}
        />
      ))}
      <PictureTable id={table} label={say("profile.stepTable")} columns={columns} rows={steps} />
    </>
  );
}

interface HostBarsProps {
  host: HostSummary;
  bars: readonly Bar[];
  most: number;
  /** The table with the same figures, by its id. */
  table: string;
  named: boolean;
}

function HostBars({ host, bars, most, table, named }: HostBarsProps) {
  const say = useWords();
  const [hovered, hover] = useState<Bar | null>(null);
  const pinned = useStep();
  const { steps } = host;
  const isPinned = ({ first, last }: Bar) =>
    pinned !== null && !first.inferred && first.step <= pinned && pinned <= last.step;
  if (!steps || bars.length === 0) return null;
  const shown = hovered ?? bars.find(({ slowest }) => slowest.step === steps.slowest) ?? bars[0]!;
  const label = say("profile.stepPicture", {
    host: hostLabel(host),
    count: steps.count,
    least: formatMicroseconds(steps.min_us),
    most: formatMicroseconds(steps.max_us),
  });
  return (
    <figure className={style.figure} aria-label={label} aria-details={table}>
      <div className={style.bars} style={{ height: HEIGHT }}>
        {bars.map((bar) => {
          const text = textOf(bar, say("profile.step"));
          const isSlowest = bar.slowest.duration_us === steps.max_us;
          return (
            <button
              key={bar.first.start_us}
              type="button"
              className={style.bar}
              data-slowest={isSlowest || undefined}
              aria-label={isSlowest ? `${text}, ${say("profile.isSlowest")}` : text}
              onPointerEnter={() => hover(bar)}
              onPointerLeave={() => hover(null)}
              onFocus={() => hover(bar)}
              onBlur={() => hover(null)}
              aria-current={isPinned(bar) ? "step" : undefined}
              onClick={() => showStep(bar.slowest)}
            >
              <span style={{ height: `${Math.max(2, (100 * bar.slowest.duration_us) / most)}%` }} />
            </button>
          );
        })}
      </div>
      <figcaption className={style.caption}>
        {named && `${hostLabel(host)} · `}
        {textOf(shown, say("profile.step"))}
        {shown.slowest.duration_us === steps.max_us && ` · ${say("profile.isSlowest")}`}
      </figcaption>
    </figure>
  );
}

function barsOf(steps: readonly ProfileStep[]): Bar[] {
  const each = Math.ceil(steps.length / MAX_BARS) || 1;
  return Array.from({ length: Math.ceil(steps.length / each) }, (_, at) => {
    const part = steps.slice(at * each, (at + 1) * each);
    const slowest = part.reduce((most, step) => (step.duration_us > most.duration_us ? step : most));
    return { first: part[0]!, slowest, last: part.at(-1)! };
  });
}

/** "Step 3: 3.29 ms"; "Steps 3–8" share a bar. */
function textOf({ first, slowest, last }: Bar, word: string): string {
  const range = first === last ? String(first.step) : `${first.step}–${last.step}`;
  return `${word} ${range}: ${formatMicroseconds(slowest.duration_us)}`;
}

/** The time line at a step. */
function showStep({ start_us, duration_us }: ProfileStep): void {
  const window = windowAround([start_us, start_us + duration_us]);
  showProfile({ view: "timeline", window: [...window], slice: null });
}
