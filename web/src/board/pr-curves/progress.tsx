/** Average precision over the steps, one line per run. A click chooses the step of the page. */

import { useEffect, useMemo, useRef } from "react";
import { Chart, type ChartSeries, readTheme } from "../../chart";
import { useWords } from "../../i18n/words";
import { colorOf, dashOf, type LineStyle } from "../runs/line-styles";
import { type ColorScheme, dashLengths } from "../runs/slot";
import { setStep } from "../view/steps";
import { useColorScheme } from "../view/theme";
import { useView } from "../view/view";
import { type PrProgress, useProgress } from "./pr-curves";
import style from "./progress.module.css";

export function Progress({ tag, runs }: { tag: string; runs: readonly LineStyle[] }) {
  const say = useWords();
  const host = useRef<HTMLDivElement>(null);
  const chart = useRef<Chart | null>(null);
  const scheme = useColorScheme();
  const pin = useView((view) => view.pin?.step ?? null);
  const progress = useProgress(tag, runs);
  const series = useMemo(() => seriesOf(progress, runs, scheme), [progress, runs, scheme]);
  useEffect(() => {
    const created = new Chart(host.current!, {
      onCursor: (x) => created.setCursor(x, useView.getState().pin?.step ?? null),
      onZoom: () => {},
      onPin: (x) => setStep(x),
    });
    const observer = new ResizeObserver(([entry]) => created.resize(entry!.contentRect));
    observer.observe(host.current!);
    chart.current = created;
    return () => {
      observer.disconnect();
      created.destroy();
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

function seriesOf(
  progress: readonly PrProgress[],
  runs: readonly LineStyle[],
  scheme: ColorScheme,
): ChartSeries[] {
  const lineStyles = new Map(runs.map((lineStyle) => [lineStyle.id, lineStyle]));
  return progress.flatMap(({ run, steps, average_precision, held }): ChartSeries[] => {
    const lineStyle = lineStyles.get(run);
    if (!lineStyle) return [];
    return [
      {
        run,
        label: lineStyle.label,
        color: colorOf(lineStyle, scheme),
        dash: dashLengths(dashOf(lineStyle)),
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
