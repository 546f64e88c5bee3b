/**
 * The histograms of one tag for the runs on show: on its own page a picture for each run side by side, on Time Series,
 * in the size of a scalar card, one run at a time.
 */

import { lazy, memo, Suspense, useEffect, useMemo, useRef, useState } from "react";
import { Card, Title } from "../../panel/card";
import { showFull, useFull } from "../../state/full";
import { useHistogramMap } from "../../state/histograms";
import { jumpTo } from "../../state/jump";
import type { TagInfo } from "../../state/lists";
import { colorOf, dashOf, type RunLook } from "../../state/looks";
import { useScene } from "../../state/scene";
import { useShade } from "../../state/theme";
import { useView } from "../../state/view";
import { neighbour } from "../../state/walk";
import { Button } from "../../widgets/button";
import { RunName } from "../../widgets/run-name";
import { Swatch } from "../../widgets/swatch";
import { useWords } from "../../words/words";
import { CardActions } from "./card-actions";
import { columnAxis, spanOf } from "./columns";
import style from "./histogram-card.module.css";
import { Panel } from "./panel";
import { isCurves } from "./picture";
import { questionOf } from "./question";
import { SeriesLinks } from "./series-links";
import { useSize } from "./size";

const FullScreen = lazy(() => import("./full-screen"));

export interface HistogramCardProps {
  tag: TagInfo;
  runs: readonly RunLook[];
  /** Not in the window yet. */
  near?: boolean;
  /** It has a row of its own, with a picture for each run. */
  roomy?: boolean;
}

/** Pictures of a row of its own before one asks for more. */
const MOST_PANELS = 12;

export const HistogramCard = memo(function HistogramCard({ tag, runs, roomy = false }: HistogramCardProps) {
  const say = useWords();
  const card = useRef<HTMLElement>(null);
  const name = tag.tag;
  const [all, showAll] = useState(false);
  const [full, setFull] = useState(false);
  const asked = useFull((each) => each.tag === name);
  const chosen = useChosen(runs, !roomy);
  const shown = useMemo(
    () => (roomy ? runs.slice(0, all ? runs.length : MOST_PANELS) : chosen ? [chosen[0]] : []),
    [roomy, runs, all, chosen],
  );
  const place = useRef<HTMLDivElement>(null);
  const size = useSize(place, shown[0]?.id);
  const view = useSettings();
  const ids = shown.map(({ id }) => id);
  // The range is that of all runs, so that it stays when another one is looked at.
  const deciding = runs.map(({ id }) => id);
  const { map, error, stale, retry } = useHistogramMap(
    size && ids.length > 0 ? questionOf(name, ids, deciding, view, size) : null,
  );
  const span = useMemo(
    () => view.zoom ?? (map && spanOf(map.blocks, columnAxis(view.axis), isCurves(view.histogramMode))),
    [map, view.axis, view.zoom, view.histogramMode],
  );
  const state = error
    ? "error"
    : !map && ids.length > 0
      ? "loading"
      : map && map.blocks.length > 0 && span
        ? "ready"
        : "empty";
  useEffect(() => {
    if (card.current) card.current.dataset.state = state;
  }, [state]);
  const open = () => (roomy ? showFull(name) : setFull(true));
  // The card beside it shows itself.
  const turn = (direction: 1 | -1) => {
    const to = neighbour(name, direction);
    if (to === null || to === name) return;
    showFull(to);
    jumpTo(to);
  };
  const close = () => {
    setFull(false);
    if (asked) showFull(null);
  };

  return (
    <Card
      ref={card}
      tag={name}
      displayName={tag.display_name}
      title={
        roomy ? null : (
          <>
            <Title tag={name} displayName={tag.display_name} />
            <Turner runs={runs} chosen={chosen} />
          </>
        )
      }
      summary={roomy && say("card.runs", { runs: runs.length })}
      foot={<SeriesLinks tag={name} runs={shown} />}
      actions={<CardActions tag={name} runs={runs} onFull={open} />}
    >
      <div
        className={roomy ? style.grid : style.one}
        style={roomy ? { gridTemplateColumns: columnsFor(shown.length) } : undefined}
        data-stale={stale || undefined}
      >
        {shown.map((look, at) => (
          <Panel
            key={look.id}
            tag={name}
            look={look}
            map={map}
            span={span}
            titled={roomy}
            place={at === 0 ? place : undefined}
            onFull={open}
          />
        ))}
      </div>
      {roomy && runs.length > shown.length && (
        <Button className={style.more} onClick={() => showAll(true)}>
          {say("hist.moreRuns", { count: runs.length - shown.length })}
        </Button>
      )}
      {state === "empty" && <div className={style.over}>{say("hist.empty")}</div>}
      {state === "error" && (
        <div className={style.over} role="alert">
          <strong>{error?.message ?? say("hist.failed")}</strong>
          <Button size="small" icon="reload" onClick={retry}>
            {say("action.retry")}
          </Button>
        </div>
      )}
      {(full || (roomy && asked)) && (
        <Suspense fallback={null}>
          <FullScreen
            tag={tag}
            runs={runs}
            first={chosen?.[0].id ?? null}
            onClose={close}
            onTurn={roomy ? turn : null}
          />
        </Suspense>
      )}
    </Card>
  );
});

/** One run fills half a row, so that it is no endless ribbon; more share it. */
function columnsFor(panels: number): string {
  const least = panels === 1 ? 340 : 280;
  return `repeat(auto-fill, minmax(min(100%, ${least}px), 1fr))`;
}

function useSettings() {
  const histogramMode = useView((view) => view.histogramMode);
  const histogramRange = useView((view) => view.histogramRange);
  const sharedRange = useView((view) => view.sharedRange);
  const logCount = useView((view) => view.logCount);
  const axis = useView((view) => view.axis);
  const zoom = useView((view) => view.zoom);
  const pin = useView((view) => view.pin);
  return { histogramMode, histogramRange, sharedRange, logCount, axis, zoom, pin };
}

type Chosen = readonly [RunLook, (id: number) => void];

/** The run that is looked at where there is room for one: the one pointed at in the table, else as chosen. */
function useChosen(runs: readonly RunLook[], single: boolean): Chosen | null {
  const [id, choose] = useState<number | null>(null);
  const front = useScene((scene) =>
    single ? (scene.source === "table" ? (scene.hovered ?? scene.held) : scene.held) : null,
  );
  const look = runs.find((run) => run.id === front) ?? runs.find((run) => run.id === id) ?? runs[0];
  return useMemo(() => (look ? [look, choose] : null), [look]);
}

/** Which run is shown, and the way to the others. */
function Turner({ runs, chosen }: { runs: readonly RunLook[]; chosen: Chosen | null }) {
  const say = useWords();
  const shade = useShade();
  if (chosen === null) return null;
  const [look, choose] = chosen;
  const at = runs.indexOf(look);
  const turn = (by: number) => choose(runs[(at + by + runs.length) % runs.length]!.id);
  return (
    <span className={style.turner} title={look.name}>
      <span>
        <Swatch color={colorOf(look, shade)} dash={dashOf(look)} />
        <RunName name={look.label} title={look.name} />
        {runs.length > 1 && (
          <>
            <Button
              look="quiet"
              size="small"
              icon="left"
              label={say("hist.previousRun")}
              onClick={() => turn(-1)}
            />
            <span className={style.place}>{`${at + 1}/${runs.length}`}</span>
            <Button
              look="quiet"
              size="small"
              icon="right"
              label={say("hist.nextRun")}
              onClick={() => turn(1)}
            />
          </>
        )}
      </span>
    </span>
  );
}
