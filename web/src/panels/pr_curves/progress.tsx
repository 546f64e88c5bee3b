/** Average precision over the steps, one line per run. A click chooses the step of the page. */

import { useEffect, useMemo, useRef } from "react";
import { Chart, type ChartSeries, readTheme } from "../../chart";
import { colorOf, dashOf, type RunLook } from "../../state/looks";
import { type PrProgress, useProgress } from "../../state/prcurves";
import { dashLengths, type Shade } from "../../state/slot";
import { setStep } from "../../state/steps";
import { useShade } from "../../state/theme";
import { useView } from "../../state/view";
import { useWords } from "../../words/words";
import style from "./progress.module.css";

export function Progress({ tag, runs }: { tag: string; runs: readonly RunLook[] }) {
  const say = useWords();
  const host = useRef<HTMLDivElement>(null);
  const chart = useRef<Chart | null>(null);
  const shade = useShade();
  const pin = useView((view) => view.pin?.step ?? null);
  const progress = useProgress(tag, runs);
  const series = useMemo(() => seriesOf(progress, runs, shade), [progress, runs, shade]);
  useEffect(() => {
    const made = new Chart(host.current!, {
      onCursor: (x) => made.setCursor(x, useView.getState().pin?.step ?? null),
      onZoom: () => {},
      onPin: (x) => setStep(x),
    });
    const observer = new ResizeObserver(([entry]) => made.resize(entry!.contentRect));
    observer.observe(host.current!);
    chart.current = made;
    return () => {
      observer.disconnect();
      made.destroy();
    };
  }, []);
  useEffect(() => {
    chart.current?.set({
      series,
      axis: "step",
      xRange: null,
      yRange: null,
      logY: false,
      ignoreOutliers: false,
      smoothing: 0,
      highlighted: null,
      theme: readTheme(host.current!),
    });
    chart.current?.setCursor(null, pin);
  }, [series, pin]);
  return (
    <div className={style.progress}>
      <div ref={host} className={style.host} role="img" aria-label={`${say("pr.ap")}: ${tag}`} />
    </div>
  );
}

function seriesOf(progress: readonly PrProgress[], runs: readonly RunLook[], shade: Shade): ChartSeries[] {
  const looks = new Map(runs.map((look) => [look.id, look]));
  return progress.flatMap(({ run, steps, average_precision, held }): ChartSeries[] => {
    const look = looks.get(run);
    if (!look) return [];
    return [
      {
        run,
        label: look.label,
        color: colorOf(look, shade),
        dash: dashLengths(dashOf(look)),
        x: Float64Array.from(steps),
        y: Float64Array.from(average_precision),
        aux: null,
        sx: null,
        sy: null,
        restarts: new Float64Array(),
        raw: true,
        held,
        inRange: held,
      },
    ];
  });
}
