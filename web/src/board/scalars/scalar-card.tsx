/** One tag as a card: the frame, the chart, and messages without a chart. The chart is in `plot.ts`. */

import {
  type KeyboardEvent,
  memo,
  type PointerEvent,
  type ReactNode,
  type Ref,
  Suspense,
  useCallback,
  useContext,
  useEffect,
  useRef,
  useState,
} from "react";
import { useWords } from "../../i18n/words";
import { memoize } from "../../lib/memoize";
import { Button } from "../../ui/button";
import { lazyPart } from "../../ui/lazy-part";
import { Card, CardExportsContext } from "../cards/card";
import type { Margin } from "../cards/margins";
import { type RunInfo, type TagInfo, useRuns } from "../data/lists";
import { useLive } from "../data/live";
import { feed } from "../data/session";
import type { LineStyle } from "../runs/line-styles";
import { choose } from "../view/cards";
import { showFullScreen } from "../view/full-screen-card";
import { useView } from "../view/view";
import { CardActions } from "./card-actions";
import type { PopoverKind } from "./card-popovers";
import type { Part } from "./card-subscriptions";
import { JoinedTitle } from "./joined-title";
import { Plot, type PlotState } from "./plot";
import { NO_POINTS, type PointCounts, samePointCounts } from "./point-counts";
import { RepeatsNote } from "./repeats-note";
import style from "./scalar-card.module.css";
import { usePlotOptions } from "./use-plot-options";

/** Loaded on first use. */
const CardPopover = lazyPart(() => import("./card-popovers"));

/** A tag of a card, and the visible runs that have it. */
export interface CardPart {
  tag: TagInfo;
  runs: readonly LineStyle[];
}

/** A custom card of chosen tags: it has a name of its own, and its tags are fixed. */
export interface CustomCard {
  /** Identifies the card, where others have their tag. */
  name: string;
  title: ReactNode;
  /** Bands whose edges are tags of the card. */
  margins: readonly Margin[] | null;
  /** Shown below the chart. */
  foot?: ReactNode;
}

interface ScalarCardProps extends CardPart {
  /** Other tags in the same card. */
  joined?: readonly CardPart[];
  custom?: CustomCard;
  /** Not in the window yet. */
  near: boolean;
}

const ALONE: readonly CardPart[] = [];

export const ScalarCard = memo(function ScalarCard({
  tag,
  runs,
  joined = ALONE,
  custom,
  near,
}: ScalarCardProps) {
  const say = useWords();
  const card = useRef<HTMLElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const summary = useRef<HTMLSpanElement>(null);
  const plot = useRef<Plot | null>(null);
  const [{ state, error }, setState] = useState<{ state: PlotState; error: Error | null }>({
    state: "loading",
    error: null,
  });
  const [figures, setFigures] = useState(NO_POINTS);
  const name = custom?.name ?? tag.tag;
  const margins = custom?.margins ?? null;
  const options = usePlotOptions(name);
  const cardExports = useContext(CardExportsContext);
  const links = useView((view) => view.links);
  const { ignoreOutliers } = options;
  const [popover, setPopover] = useState<PopoverKind | null>(null);
  const anchor = useRef<HTMLElement | null>(null);
  const mark = useRef<HTMLButtonElement>(null);
  const open = useCallback((kind: PopoverKind, at: HTMLElement | null) => {
    anchor.current = at;
    setPopover(kind);
  }, []);

  useEffect(() => {
    const elements = { card: card.current!, host: host.current!, summary: summary.current! };
    const drawing = new Plot(name, feed, elements, {
      onState: (next, fault) =>
        setState((was) => (was.state === next && was.error === fault ? was : { state: next, error: fault })),
      onFigures: (next) => setFigures((was) => (samePointCounts(was, next) ? was : next)),
      onShowAll: () => choose(name, { ignoreOutliers: false }),
    });
    plot.current = drawing;
    return () => {
      plot.current = null;
      drawing.destroy();
    };
  }, [name]);
  useEffect(
    () => plot.current?.setParts(partsOf({ tag, runs }, joined), margins),
    [tag, runs, joined, margins],
  );
  useEffect(() => plot.current?.setOptions(options), [options]);
  useEffect(() => plot.current?.setNear(near), [near]);

  const hasBaseline = options.base !== null && runs.some((run) => run.name === options.base);

  return (
    <Card
      ref={card}
      tag={name}
      displayName={tag.display_name}
      suffix={hasBaseline && options.baseline !== null ? `− ${options.baseline}` : undefined}
      title={
        custom?.title ??
        (joined.length > 0 ? (
          <JoinedTitle tags={[tag, ...joined.map((part) => part.tag)].map(nameOf)} />
        ) : null)
      }
      summary={<span ref={summary} style={{ display: "contents" }} />}
      foot={
        <>
          {custom?.foot}
          {figures.repeats && <RepeatsNote onOpen={(at) => open("settings", at)} />}
          {links && cardExports && <cardExports.Links tag={name} />}
        </>
      }
      actions={
        <CardActions
          tag={name}
          ignoreOutliers={ignoreOutliers}
          hasBaseline={hasBaseline && margins === null}
          fixedTags={custom !== undefined}
          onPopover={open}
        />
      }
    >
      <div
        ref={host}
        role="img"
        className={style.host}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move the cursor over the chart
        tabIndex={0}
        aria-label={name}
        onKeyDown={(event) => plot.current && handleKey(event, plot.current, name)}
        onFocus={(event) => event.currentTarget.setAttribute("aria-label", plot.current?.describe() ?? name)}
        onBlur={() => plot.current?.leave()}
      />
      <AxisEnds onPopover={open} />
      <Corner tag={name} />
      {state === "loading" && figures.total === 0 && <div className={style.skeleton} />}
      {state === "empty" && <NoLines />}
      {state === "error" && (
        <div className={style.over} role="alert">
          <strong>{error?.message ?? say("card.failed")}</strong>
          <Button size="small" icon="reload" onClick={() => plot.current?.retry()}>
            {say("action.retry")}
          </Button>
        </div>
      )}
      {state === "ready" && (
        <Fidelity ref={mark} figures={figures} runs={runs} onClick={() => open("numbers", mark.current)} />
      )}
      {popover !== null && (
        <Suspense fallback={null}>
          <CardPopover
            kind={popover}
            tag={name}
            plot={plot.current}
            figures={figures}
            anchor={anchor}
            onClose={() => setPopover(null)}
          />
        </Suspense>
      )}
    </Card>
  );
});

/** Explains why there is no line. */
function NoLines() {
  const say = useWords();
  const xTag = useView((view) => (view.axis === "tag" ? view.xTag : null));
  const why = xTag === null ? say("card.empty") : say("card.emptyBeside", { tag: xTag });
  return <div className={style.over}>{why}</div>;
}

/** Clicking the labels of an axis sets its range. Below x are the handles of the pin. */
export function AxisEnds({ onPopover }: { onPopover(kind: PopoverKind, at: HTMLElement): void }) {
  const say = useWords();
  const free = useView((view) => view.range === null && view.pin === null);
  const ends = [
    { place: style.yEnd, name: say("card.setYRange") },
    ...(free ? [{ place: style.xEnd, name: say("card.setXRange") }] : []),
  ];
  return ends.map(({ place, name }) => (
    <button
      key={name}
      type="button"
      // With keys, the menu of the card does the same.
      tabIndex={-1}
      className={place}
      aria-label={name}
      title={name}
      onClick={(event) => onPopover("settings", event.currentTarget)}
    />
  ));
}

/**
 * Arrow keys move the cursor over the points, with Shift ten at a time; Home and End go to the ends; m pins the step
 * like a click, Enter opens full screen.
 */
export function handleKey(event: KeyboardEvent, plot: Plot, tag: string): void {
  const stride = event.shiftKey ? 10 : 1;
  const steps: Record<string, number> = {
    ArrowLeft: -stride,
    ArrowRight: stride,
    Home: Number.NEGATIVE_INFINITY,
    End: Number.POSITIVE_INFINITY,
  };
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const step = steps[event.key];
  if (step !== undefined) plot.step(step);
  else if (event.key === "Enter") showFullScreen(tag);
  // By position: other layouts have another letter there.
  else if (event.code === "KeyM" || event.key.toLowerCase() === "m") plot.pinCursor(event.shiftKey);
  else return;
  event.preventDefault();
}

function nameOf({ tag }: TagInfo): string {
  return tag;
}

export function partsOf(first: CardPart, joined: readonly CardPart[]): Part[] {
  return [first, ...joined].map(({ tag, runs }) => ({ tag: tag.tag, lineStyles: runs }));
}

/** Minimum distance for a drag of the corner. */
const MEANT_PX = 48;

function Corner({ tag }: { tag: string }) {
  const say = useWords();
  const down = (event: PointerEvent<HTMLDivElement>) => {
    const corner = event.currentTarget;
    const from = event.clientX;
    corner.setPointerCapture(event.pointerId);
    corner.onpointermove = ({ clientX }) => {
      if (Math.abs(clientX - from) < MEANT_PX) return;
      corner.onpointermove = null;
      choose(tag, { wide: clientX > from });
    };
  };
  const up = (event: PointerEvent<HTMLDivElement>) => {
    event.currentTarget.onpointermove = null;
  };
  // With keys, the menu of the card does the same.
  return (
    <div
      className={style.corner}
      aria-hidden="true"
      title={say("card.resize")}
      onPointerDown={down}
      onPointerUp={up}
    />
  );
}

let known: ReadonlySet<number> = new Set();

/** Ids of the runs with damage; the same set until it changes. */
const damaged = memoize((runs: readonly RunInfo[]): ReadonlySet<number> => {
  const found = new Set(runs.filter((run) => run.damage_regions > 0).map(({ id }) => id));
  const same = found.size === known.size && [...found].every((id) => known.has(id));
  if (!same) known = found;
  return known;
});

interface FidelityProps {
  figures: PointCounts;
  runs: readonly { id: number }[];
  onClick(): void;
  ref: Ref<HTMLButtonElement>;
}

function Fidelity({ figures, runs, onClick, ref }: FidelityProps) {
  const say = useWords();
  const torn = damaged(useRuns());
  const reached = useLive((live) => live.reached);
  const lost = torn.size > 0 && runs.some(({ id }) => torn.has(id));
  if (!figures.thinned && !lost && reached) return null;
  return (
    <button
      ref={ref}
      type="button"
      className={style.mark}
      data-testid="fidelity"
      data-why={[figures.thinned && "thinned", lost && "skipped", !reached && "stale"]
        .filter(Boolean)
        .join(" ")}
      aria-label={say("fidelity.label")}
      title={say("fidelity.label")}
      onClick={onClick}
    />
  );
}
