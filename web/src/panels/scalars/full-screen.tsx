/** One card over the whole window: a large chart, a brush for x, and the table of its values. */

import { type KeyboardEvent, useCallback, useEffect, useMemo, useReducer, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { Title } from "../../panel/card";
import { choose } from "../../state/cards";
import { showFull } from "../../state/full";
import type { Margin } from "../../state/margins";
import { moveCursor } from "../../state/scene";
import { feed } from "../../state/session";
import { cardBeside, neighbour } from "../../state/walk";
import { Button } from "../../widgets/button";
import { Icon } from "../../widgets/icon";
import { useWords } from "../../words/words";
import { Brush } from "./brush";
import { CardActions } from "./card-actions";
import CardSheet, { type SheetKind } from "./card-sheets";
import { NO_FIGURES, sameFigures } from "./figures";
import style from "./full-screen.module.css";
import { Values } from "./full-values";
import { JoinedTitle } from "./joined-title";
import { Plot } from "./plot";
import { usePlotOptions } from "./plot-options";
import { AxisEnds, type CardPart, type MadeCard, partsOf, steer } from "./scalar-card";
import type { Part } from "./sources";

interface FullScreenProps extends CardPart {
  joined: readonly CardPart[];
  made?: MadeCard;
}

/** More names at the ends of the lines than this are no help. */
const MOST_LABELS = 8;
export default function FullScreen({ tag, runs, joined, made }: FullScreenProps) {
  const say = useWords();
  const name = made?.name ?? tag.tag;
  const margins = made?.margins ?? null;
  const parts = useMemo(() => partsOf({ tag, runs }, joined), [tag, runs, joined]);
  const lineCount = parts.reduce((sum, { looks }) => sum + looks.length, 0);
  const options = usePlotOptions(name, lineCount <= MOST_LABELS);
  const { article, host, summary, plot, figures, points } = usePlot(name, parts, margins, options);
  const box = useRef<HTMLDivElement>(null);
  const anchor = useRef<HTMLElement | null>(null);
  const [sheet, setSheet] = useState<SheetKind | null>(null);
  const open = useCallback((kind: SheetKind, at: HTMLElement | null) => {
    anchor.current = at;
    setSheet(kind);
  }, []);
  useEffect(() => {
    const before = document.activeElement;
    box.current?.focus();
    return () => {
      moveCursor(null);
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  const hasBaseline = options.base !== null && runs.some((run) => run.name === options.base);

  return createPortal(
    <div
      ref={box}
      role="dialog"
      aria-modal="true"
      aria-label={name}
      tabIndex={-1}
      className={style.full}
      data-testid="fullscreen"
      onKeyDown={(event) => steerFull(event, name, plot)}
    >
      <article ref={article} className={style.card} data-tag={name} aria-label={name}>
        <header className={style.head}>
          <Step from={name} direction={-1} label={say("full.previous")} />
          <div className={style.title}>
            {made ? (
              made.title
            ) : joined.length > 0 ? (
              <JoinedTitle tags={parts.map((part) => part.tag)} />
            ) : (
              <Title
                tag={name}
                displayName={tag.display_name}
                suffix={hasBaseline && options.baseline !== null ? `− ${options.baseline}` : undefined}
              />
            )}
            <div className={style.summary}>
              <span ref={summary} style={{ display: "contents" }} />
            </div>
          </div>
          <Step from={name} direction={1} label={say("full.next")} />
          <span className={style.actions}>
            <CardActions
              tag={name}
              ignoreOutliers={options.ignoreOutliers}
              hasBaseline={hasBaseline && margins === null}
              made={made !== undefined}
              onSheet={open}
              full
            />
            <Button
              look="quiet"
              icon="close"
              label={`${say("action.close")} (Esc)`}
              onClick={() => showFull(null)}
            />
          </span>
        </header>
        <div className={style.chart}>
          <div
            ref={host}
            role="img"
            className={style.host}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move the cursor over the chart
            tabIndex={0}
            aria-label={name}
            onKeyDown={(event) => plot && steer(event, plot, name)}
            onFocus={(event) => event.currentTarget.setAttribute("aria-label", plot?.describe() ?? name)}
            onBlur={() => plot?.leave()}
          />
          <AxisEnds onSheet={open} />
        </div>
        <BrushStrip parts={parts} />
        {plot && (
          <Values
            plot={plot}
            parts={parts}
            smoothing={options.smoothing}
            drawn={figures.drawn}
            points={points}
          />
        )}
      </article>
      {sheet !== null && (
        <CardSheet
          kind={sheet}
          tag={name}
          plot={plot}
          figures={figures}
          anchor={anchor}
          onClose={() => setSheet(null)}
        />
      )}
    </div>,
    document.body,
  );
}

/** The chart, bound to its elements. */
function usePlot(
  name: string,
  parts: readonly Part[],
  margins: readonly Margin[] | null,
  options: ReturnType<typeof usePlotOptions>,
) {
  const article = useRef<HTMLElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const summary = useRef<HTMLSpanElement>(null);
  const [plot, setPlot] = useState<Plot | null>(null);
  const [figures, setFigures] = useState(NO_FIGURES);
  const [points, countPoints] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const elements = { card: article.current!, host: host.current!, summary: summary.current! };
    const drawing = new Plot(name, feed, elements, {
      onState: () => {},
      onFigures: (next) => setFigures((was) => (sameFigures(was, next) ? was : next)),
      onShowAll: () => choose(name, { ignoreOutliers: false }),
      onPoints: countPoints,
    });
    setPlot(drawing);
    return () => drawing.destroy();
  }, [name]);
  useEffect(() => plot?.setParts(parts, margins), [plot, parts, margins]);
  useEffect(() => plot?.setOptions(options), [plot, options]);
  return { article, host, summary, plot, figures, points };
}

function Step({ from, direction, label }: { from: string; direction: 1 | -1; label: string }) {
  const to = cardBeside(from, direction);
  if (to === null) return null;
  return (
    <button
      type="button"
      className={style.step}
      aria-label={`${label}: ${to}`}
      title={`${label}: ${to}`}
      onClick={() => showFull(to)}
    >
      {direction < 0 && <Icon name="left" />}
      <bdi>{to}</bdi>
      {direction > 0 && <Icon name="right" />}
    </button>
  );
}

function BrushStrip({ parts }: { parts: readonly Part[] }) {
  const say = useWords();
  const host = useRef<HTMLDivElement>(null);
  const brush = useRef<Brush | null>(null);
  useEffect(() => {
    const made = new Brush(host.current!, feed);
    brush.current = made;
    return () => made.destroy();
  }, []);
  useEffect(() => brush.current?.setParts(parts), [parts]);
  return (
    <div className={style.brush} title={say("full.brush")}>
      <div ref={host} className={style.host} aria-hidden="true" />
    </div>
  );
}

/** Arrows outside the chart go to the neighbours, from anywhere Page keys and j, k do; Esc and f close. */
function steerFull(event: KeyboardEvent, tag: string, plot: Plot | null): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  const { target } = event;
  if (target instanceof HTMLInputElement) return;
  const inside = event.currentTarget.contains(target as Node);
  const steps: Record<string, 1 | -1> = { PageUp: -1, PageDown: 1, KeyK: -1, KeyJ: 1 };
  const arrows: Record<string, 1 | -1> = { ArrowLeft: -1, ArrowRight: 1 };
  const onChart = target instanceof Element && target.closest('[role="img"]') !== null;
  const direction = steps[event.code] ?? (onChart ? undefined : arrows[event.key]);
  if (event.key === "Tab") {
    keepInside(event);
    return;
  }
  if (!inside) return;
  if (event.key === "Escape" || event.code === "KeyF") showFull(null);
  else if (direction !== undefined) showFull(neighbour(tag, direction));
  else if (plot && ["Home", "End", "KeyM"].includes(event.code)) steer(event, plot, tag);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** The keyboard stays in the dialog while it is open. */
function keepInside(event: KeyboardEvent): void {
  const stops = [
    ...event.currentTarget.querySelectorAll<HTMLElement>(
      'button:not([tabindex="-1"]), [tabindex="0"], input',
    ),
  ];
  const [first, last] = [stops[0], stops.at(-1)];
  const at = document.activeElement;
  const wraps = event.shiftKey ? at === first || at === event.currentTarget : at === last;
  if (!wraps) return;
  event.preventDefault();
  (event.shiftKey ? last : first)?.focus();
}
