/** One tag as a card: the frame, the chart and what to say when there is none. The chart itself is `plot.ts`. */

import {
  type KeyboardEvent,
  lazy,
  memo,
  type ReactNode,
  Suspense,
  useCallback,
  useContext,
  useEffect,
  useRef,
  useState,
} from "react";
import { Card } from "../../panel/card";
import { TakeAwayContext } from "../../panel/take-away";
import { choose } from "../../state/cards";
import { showFull } from "../../state/full";
import type { TagInfo } from "../../state/lists";
import type { RunLook } from "../../state/looks";
import type { Margin } from "../../state/margins";
import { feed } from "../../state/session";
import { useView } from "../../state/view";
import { Button } from "../../widgets/button";
import { useWords } from "../../words/words";
import { CardActions } from "./card-actions";
import type { SheetKind } from "./card-sheets";
import { Corner } from "./corner";
import { Fidelity } from "./fidelity";
import { NO_FIGURES, sameFigures } from "./figures";
import { JoinedTitle } from "./joined-title";
import { Plot, type PlotState } from "./plot";
import { usePlotOptions } from "./plot-options";
import style from "./scalar-card.module.css";
import type { Part } from "./sources";

/** What few ask for comes when they do. */
const CardSheet = lazy(() => import("./card-sheets"));

/** One of the tags of a card, and the runs on show that hold it. */
export interface CardPart {
  tag: TagInfo;
  runs: readonly RunLook[];
}

/** A card that somebody made of tags of their choice: it has a name of its own, and its tags stay. */
export interface MadeCard {
  /** Stands for the card where others are called by their tag. */
  name: string;
  title: ReactNode;
  /** Bands whose edges are tags of the card. */
  margins: readonly Margin[] | null;
  /** Stands below the chart. */
  foot?: ReactNode;
}

interface ScalarCardProps extends CardPart {
  /** Further tags drawn in the same card. */
  joined?: readonly CardPart[];
  made?: MadeCard;
  /** Not in the window yet. */
  near: boolean;
}

const ALONE: readonly CardPart[] = [];

export const ScalarCard = memo(function ScalarCard({
  tag,
  runs,
  joined = ALONE,
  made,
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
  const [figures, setFigures] = useState(NO_FIGURES);
  const name = made?.name ?? tag.tag;
  const margins = made?.margins ?? null;
  const options = usePlotOptions(name);
  const takeAway = useContext(TakeAwayContext);
  const links = useView((view) => view.links);
  const { ignoreOutliers } = options;
  const [sheet, setSheet] = useState<SheetKind | null>(null);
  const anchor = useRef<HTMLElement | null>(null);
  const mark = useRef<HTMLButtonElement>(null);
  const open = useCallback((kind: SheetKind, at: HTMLElement | null) => {
    anchor.current = at;
    setSheet(kind);
  }, []);

  useEffect(() => {
    const elements = { card: card.current!, host: host.current!, summary: summary.current! };
    const drawing = new Plot(name, feed, elements, {
      onState: (next, fault) =>
        setState((was) => (was.state === next && was.error === fault ? was : { state: next, error: fault })),
      onFigures: (next) => setFigures((was) => (sameFigures(was, next) ? was : next)),
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
        made?.title ??
        (joined.length > 0 ? (
          <JoinedTitle tags={[tag, ...joined.map((part) => part.tag)].map(nameOf)} />
        ) : null)
      }
      summary={<span ref={summary} style={{ display: "contents" }} />}
      foot={
        <>
          {made?.foot}
          {links && takeAway && <takeAway.Links tag={name} />}
        </>
      }
      actions={
        <CardActions
          tag={name}
          ignoreOutliers={ignoreOutliers}
          hasBaseline={hasBaseline && margins === null}
          made={made !== undefined}
          onSheet={open}
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
        onKeyDown={(event) => plot.current && steer(event, plot.current, name)}
        onFocus={(event) => event.currentTarget.setAttribute("aria-label", plot.current?.describe() ?? name)}
        onBlur={() => plot.current?.leave()}
      />
      <AxisEnds onSheet={open} />
      <Corner tag={name} />
      {state === "loading" && figures.held === 0 && <div className={style.skeleton} />}
      {state === "empty" && <Nothing />}
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
      {sheet !== null && (
        <Suspense fallback={null}>
          <CardSheet
            kind={sheet}
            tag={name}
            plot={plot.current}
            figures={figures}
            anchor={anchor}
            onClose={() => setSheet(null)}
          />
        </Suspense>
      )}
    </Card>
  );
});

/** Why no line is drawn. */
function Nothing() {
  const say = useWords();
  const xTag = useView((view) => (view.axis === "tag" ? view.xTag : null));
  const why = xTag === null ? say("card.empty") : say("card.emptyBeside", { tag: xTag });
  return <div className={style.over}>{why}</div>;
}

/** A click where the numbers of an axis stand sets its range. What is pinned has its handles under x. */
export function AxisEnds({ onSheet }: { onSheet(kind: SheetKind, at: HTMLElement): void }) {
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
      // The menu of the card is the way for keys.
      tabIndex={-1}
      className={place}
      aria-label={name}
      title={name}
      onClick={(event) => onSheet("settings", event.currentTarget)}
    />
  ));
}

/**
 * Arrow keys move the cursor over the points, with Shift ten at a time; Home and End go to the ends; m marks the step
 * as a click does, Enter shows the card full screen.
 */
export function steer(event: KeyboardEvent, plot: Plot, tag: string): void {
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
  else if (event.key === "Enter") showFull(tag);
  // By its place: other keyboards have another letter there.
  else if (event.code === "KeyM" || event.key.toLowerCase() === "m") plot.pinCursor(event.shiftKey);
  else return;
  event.preventDefault();
}

function nameOf({ tag }: TagInfo): string {
  return tag;
}

export function partsOf(first: CardPart, joined: readonly CardPart[]): Part[] {
  return [first, ...joined].map(({ tag, runs }) => ({ tag: tag.tag, looks: runs }));
}
