/** One card, full screen: a large chart, a brush for x, and the table of its values. */

import { type KeyboardEvent, useCallback, useEffect, useMemo, useReducer, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import { Icon } from "../../ui/icon";
import { trapFocus } from "../../ui/trap-focus";
import { Title } from "../cards/card";
import type { Margin } from "../cards/margins";
import { feed } from "../data/session";
import { adjacentCard, cardOnSide } from "../view/card-navigation";
import { choose } from "../view/cards";
import { showFullScreen } from "../view/full-screen-card";
import { moveCursor } from "../view/interaction";
import { Brush } from "./brush";
import { CardActions } from "./card-actions";
import CardPopover, { type PopoverKind } from "./card-popovers";
import type { Part } from "./card-subscriptions";
import style from "./full-screen.module.css";
import { Values } from "./full-values";
import { JoinedTitle } from "./joined-title";
import { Plot } from "./plot";
import { NO_POINTS, samePointCounts } from "./point-counts";
import { RepeatsNote } from "./repeats-note";
import { AxisEnds, type CardPart, type CustomCard, handleKey, partsOf } from "./scalar-card";
import { usePlotOptions } from "./use-plot-options";

const CONTROLS = 'button:not([tabindex="-1"]), [tabindex="0"], input';

interface FullScreenProps extends CardPart {
  joined: readonly CardPart[];
  custom?: CustomCard;
}

/** Maximum number of names at the ends of lines. */
const MAX_LABELS = 8;
export default function FullScreen({ tag, runs, joined, custom }: FullScreenProps) {
  const say = useWords();
  const name = custom?.name ?? tag.tag;
  const margins = custom?.margins ?? null;
  const parts = useMemo(() => partsOf({ tag, runs }, joined), [tag, runs, joined]);
  const lineCount = parts.reduce((sum, { lineStyles }) => sum + lineStyles.length, 0);
  const options = usePlotOptions(name, lineCount <= MAX_LABELS);
  const { article, host, summary, plot, figures, points } = usePlot(name, parts, margins, options);
  const box = useRef<HTMLDivElement>(null);
  const anchor = useRef<HTMLElement | null>(null);
  const [popover, setPopover] = useState<PopoverKind | null>(null);
  const open = useCallback((kind: PopoverKind, at: HTMLElement | null) => {
    anchor.current = at;
    setPopover(kind);
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
      onKeyDown={(event) => handleFullScreenKey(event, name, plot)}
    >
      <article ref={article} className={style.card} data-tag={name} aria-label={name}>
        <header className={style.head}>
          <Step from={name} direction={-1} label={say("full.previous")} />
          <div className={style.title}>
            {custom ? (
              custom.title
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
              fixedTags={custom !== undefined}
              onPopover={open}
              full
            />
            <Button
              variant="quiet"
              icon="close"
              label={`${say("action.close")} (Esc)`}
              onClick={() => showFullScreen(null)}
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
            onKeyDown={(event) => plot && handleKey(event, plot, name)}
            onFocus={(event) => event.currentTarget.setAttribute("aria-label", plot?.describe() ?? name)}
            onBlur={() => plot?.leave()}
          />
          <AxisEnds onPopover={open} />
        </div>
        {figures.repeats && <RepeatsNote onOpen={(at) => open("settings", at)} />}
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
      {popover !== null && (
        <CardPopover
          kind={popover}
          tag={name}
          plot={plot}
          figures={figures}
          anchor={anchor}
          onClose={() => setPopover(null)}
        />
      )}
    </div>,
    document.body,
  );
}

/** Creates the chart in its elements. */
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
  const [figures, setFigures] = useState(NO_POINTS);
  const [points, countPoints] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const elements = { card: article.current!, host: host.current!, summary: summary.current! };
    const drawing = new Plot(name, feed, elements, {
      onState: () => {},
      onFigures: (next) => setFigures((was) => (samePointCounts(was, next) ? was : next)),
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
  const to = cardOnSide(from, direction);
  if (to === null) return null;
  return (
    <button
      type="button"
      className={style.step}
      aria-label={`${label}: ${to}`}
      title={`${label}: ${to}`}
      onClick={() => showFullScreen(to)}
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
    const brushChart = new Brush(host.current!, feed);
    brush.current = brushChart;
    return () => brushChart.destroy();
  }, []);
  useEffect(() => brush.current?.setParts(parts), [parts]);
  return (
    <div className={style.brush} title={say("full.brush")}>
      <div ref={host} className={style.host} aria-hidden="true" />
    </div>
  );
}

/** Arrows outside the chart go to neighbouring cards, Page keys and j, k from anywhere; Esc and f close. */
function handleFullScreenKey(event: KeyboardEvent, tag: string, plot: Plot | null): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  const { target } = event;
  if (target instanceof HTMLInputElement) return;
  const inside = event.currentTarget.contains(target as Node);
  const steps: Record<string, 1 | -1> = { PageUp: -1, PageDown: 1, KeyK: -1, KeyJ: 1 };
  const arrows: Record<string, 1 | -1> = { ArrowLeft: -1, ArrowRight: 1 };
  const onChart = target instanceof Element && target.closest('[role="img"]') !== null;
  const direction = steps[event.code] ?? (onChart ? undefined : arrows[event.key]);
  if (event.key === "Tab") {
    trapFocus(event, CONTROLS);
    return;
  }
  if (!inside) return;
  if (event.key === "Escape" || event.code === "KeyF") showFullScreen(null);
  else if (direction !== undefined) showFullScreen(adjacentCard(tag, direction));
  else if (plot && ["Home", "End", "KeyM"].includes(event.code)) handleKey(event, plot, tag);
  else return;
  event.preventDefault();
  event.stopPropagation();
}
