/** One tag as a card: the frame, the chart and what to say when there is none. The chart itself is `plot.ts`. */

import { type KeyboardEvent, memo, useCallback, useEffect, useRef, useState } from "react";
import { formatStep } from "../../base/number";
import { Card } from "../../panel/card";
import { choose, useChoice } from "../../state/cards";
import type { TagInfo } from "../../state/lists";
import type { RunLook } from "../../state/looks";
import { feed } from "../../state/session";
import { useView } from "../../state/view";
import { boxOf, zoomBack } from "../../state/zoom";
import { Button } from "../../widgets/button";
import { useWords } from "../../words/words";
import { NO_FIGURES, sameFigures } from "./figures";
import { Numbers } from "./numbers";
import { Plot, type PlotState } from "./plot";
import { usePlotOptions } from "./plot-options";
import style from "./scalar-card.module.css";
import type { Part } from "./sources";

/** One of the tags of a card, and the runs on show that hold it. */
export interface CardPart {
  tag: TagInfo;
  runs: readonly RunLook[];
}

interface ScalarCardProps extends CardPart {
  /** Further tags drawn in the same card. */
  joined?: readonly CardPart[];
  /** Not in the window yet. */
  near: boolean;
}

const ALONE: readonly CardPart[] = [];

export const ScalarCard = memo(function ScalarCard({ tag, runs, joined = ALONE, near }: ScalarCardProps) {
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
  const name = tag.tag;
  const options = usePlotOptions(name);
  const choice = useChoice(name);
  const zoomed = useView((view) => boxOf(view, name) !== null || view.zoom !== null);
  const { logY, ignoreOutliers } = options;

  useEffect(() => {
    const elements = { card: card.current!, host: host.current!, summary: summary.current! };
    const made = new Plot(name, feed, elements, {
      onState: (next, fault) =>
        setState((was) => (was.state === next && was.error === fault ? was : { state: next, error: fault })),
      onFigures: (next) => setFigures((was) => (sameFigures(was, next) ? was : next)),
    });
    plot.current = made;
    return () => {
      plot.current = null;
      made.destroy();
    };
  }, [name]);
  useEffect(() => plot.current?.setParts(partsOf({ tag, runs }, joined)), [tag, runs, joined]);
  useEffect(() => plot.current?.setOptions(options), [options]);
  useEffect(() => plot.current?.setNear(near), [near]);

  const fit = useCallback(() => {
    if (zoomed) zoomBack();
    else choose(name, { ignoreOutliers: !ignoreOutliers });
  }, [zoomed, name, ignoreOutliers]);

  return (
    <Card
      ref={card}
      tag={name}
      displayName={tag.display_name}
      summary={<span ref={summary} style={{ display: "contents" }} />}
      actions={
        <>
          <Button
            look="quiet"
            size="small"
            aria-pressed={logY}
            title={say("card.logY")}
            aria-label={say("card.logY")}
            onClick={() => choose(name, { logY: !logY })}
          >
            log
          </Button>
          <Button
            look="quiet"
            size="small"
            icon="fit"
            label={say(zoomed ? "card.reset" : ignoreOutliers ? "card.fit" : "card.robust")}
            onClick={fit}
          />
          <Button
            look="quiet"
            size="small"
            icon={choice.wide ? "narrow" : "wide"}
            label={say(choice.wide ? "card.narrow" : "card.wide")}
            onClick={() => choose(name, { wide: !choice.wide })}
          />
          <Numbers tag={tag} runs={runs} figures={figures} />
        </>
      }
    >
      <div
        ref={host}
        role="img"
        className={style.host}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move the cursor over the chart
        tabIndex={0}
        aria-label={name}
        onKeyDown={(event) => plot.current && steer(event, plot.current)}
        onFocus={(event) => event.currentTarget.setAttribute("aria-label", plot.current?.describe() ?? name)}
        onBlur={() => plot.current?.leave()}
      />
      {state === "loading" && figures.held === 0 && <div className={style.skeleton} />}
      {state === "empty" && <div className={style.over}>{say("card.empty")}</div>}
      {state === "error" && (
        <div className={style.over} role="alert">
          <strong>{error?.message ?? say("card.failed")}</strong>
          <Button size="small" icon="reload" onClick={() => plot.current?.retry()}>
            {say("action.retry")}
          </Button>
        </div>
      )}
      {state === "ready" && figures.thinned && (
        <span
          className={style.thinned}
          title={say("card.thinned", { drawn: formatStep(figures.drawn), held: formatStep(figures.held) })}
        />
      )}
    </Card>
  );
});

/** Arrow keys move the cursor over the points, with Shift ten at a time; Home and End go to the ends. */
function steer(event: KeyboardEvent, plot: Plot): void {
  const stride = event.shiftKey ? 10 : 1;
  const steps: Record<string, number> = {
    ArrowLeft: -stride,
    ArrowRight: stride,
    Home: Number.NEGATIVE_INFINITY,
    End: Number.POSITIVE_INFINITY,
  };
  const step = steps[event.key];
  if (step !== undefined) plot.step(step);
  else if (event.key === "Enter") plot.pinCursor();
  else return;
  event.preventDefault();
}

function partsOf(first: CardPart, joined: readonly CardPart[]): Part[] {
  return [first, ...joined].map(({ tag, runs }) => ({ tag: tag.tag, looks: runs }));
}
