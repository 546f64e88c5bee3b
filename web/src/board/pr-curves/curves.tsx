/** The plot of a card with its tooltip and keys. */

import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useWords } from "../../i18n/words";
import { formatValue } from "../../lib/number";
import { showFullScreen } from "../view/full-screen-card";
import { hover } from "../view/interaction";
import { useView } from "../view/view";
import { CurvePlot, type PointedThreshold } from "./curve-plot";
import style from "./curves.module.css";
import { useCurveOptions } from "./model";
import { type Domain, placeOf, rowAt } from "./points";
import { markThreshold, pointAt, type RunCurve, usePointed, useThreshold } from "./pr-curves";
import { CurveTip } from "./tip";

interface CurvesProps {
  tag: string;
  curves: readonly RunCurve[];
  zoom: Domain | null;
  onZoom(zoom: Domain | null): void;
}

export function Curves({ tag, curves, zoom, onZoom }: CurvesProps) {
  const say = useWords();
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<CurvePlot | null>(null);
  const zoomTo = useRef(onZoom);
  zoomTo.current = onZoom;
  const [pointed, setPointed] = useState<PointedThreshold | null>(null);
  const [spoken, setSpoken] = useState("");
  const options = useCurveOptions(curves, zoom);
  const threshold = useThreshold();
  useEffect(() => {
    const created = new CurvePlot(host.current!, {
      onPointed: (next) => {
        setPointed(next);
        pointAt(next?.threshold ?? null);
        hover(next?.run ?? null, "chart");
      },
      onMark: markThreshold,
      onZoom: (next) => zoomTo.current(next),
    });
    plot.current = created;
    return () => {
      plot.current = null;
      pointAt(null);
      hover(null, "chart");
      created.destroy();
    };
  }, []);
  useEffect(() => plot.current?.set(options), [options]);
  useEffect(() => plot.current?.setThreshold(threshold), [threshold]);
  useEffect(() => {
    if (pointed === null) return;
    const hide = () => setPointed(null);
    addEventListener("scroll", hide, { capture: true, passive: true });
    return () => removeEventListener("scroll", hide, { capture: true });
  }, [pointed]);

  const move = (event: KeyboardEvent) => {
    const next = thresholdAfterKey(event, curves);
    if (next === undefined) {
      if (event.key === "Enter") showFullScreen(tag);
      else if (event.code === "KeyM") markThreshold(usePointed.getState().threshold);
      else return;
    } else {
      pointAt(next);
      setSpoken(sentence(curves, next, say("pr.at", { threshold: formatValue(next, 4) })));
    }
    event.preventDefault();
    event.stopPropagation();
  };
  const names = options.runs.map(({ label }) => label).join(", ");
  return (
    <>
      <div
        ref={host}
        role="img"
        className={style.host}
        data-mode={options.mode}
        data-drawn={options.runs.length}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move the threshold over the curves
        tabIndex={0}
        aria-label={say("pr.sentence", { tag, x: options.xName, y: options.yName, names })}
        onKeyDown={move}
        onBlur={() => pointAt(null)}
      />
      <span className={style.spoken} role="status">
        {spoken}
      </span>
      {pointed !== null && <CurveTip pointed={pointed} curves={curves} />}
    </>
  );
}

/** The threshold after a key; undefined for other keys. */
function thresholdAfterKey(
  { key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent,
  curves: readonly RunCurve[],
) {
  if (ctrlKey || metaKey || altKey || curves.length === 0) return undefined;
  const count = Math.max(2, ...curves.map(({ curve }) => curve.thresholds.length));
  const stride = (shiftKey ? 10 : 1) / (count - 1);
  const from = usePointed.getState().threshold ?? useView.getState().threshold ?? 0.5;
  const to: Record<string, number> = {
    ArrowLeft: from - stride,
    ArrowRight: from + stride,
    Home: 0,
    End: 1,
  };
  const next = to[key];
  return next === undefined ? undefined : Math.min(1, Math.max(0, next));
}

function sentence(curves: readonly RunCurve[], threshold: number, head: string): string {
  const runs = curves.flatMap(({ lineStyle, curve }) => {
    const at = placeOf(curve, threshold);
    if (at < 0) return [];
    const { precision, recall, f1 } = rowAt(curve, at);
    return [
      `${lineStyle.label}: P ${formatValue(precision, 3)}, R ${formatValue(recall, 3)}, F1 ${formatValue(f1, 3)}`,
    ];
  });
  return [head, ...runs].join("; ");
}
