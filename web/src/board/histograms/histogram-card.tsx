/**
 * The histograms of one tag for the visible runs: on their page with a plot per run side by side, on Time Series, at
 * the size of a scalar card, one run at a time.
 */

import { memo, Suspense, useEffect, useMemo, useRef, useState } from "react";
import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import { lazyPart } from "../../ui/lazy-part";
import { RunName } from "../../ui/run-name";
import { Swatch } from "../../ui/swatch";
import { Card, Title } from "../cards/card";
import type { TagInfo } from "../data/lists";
import { colorOf, dashOf, type LineStyle } from "../runs/line-styles";
import { adjacentCard } from "../view/card-navigation";
import { showFullScreen, useFullScreenCard } from "../view/full-screen-card";
import { useInteraction } from "../view/interaction";
import { jumpTo } from "../view/jump";
import { useColorScheme } from "../view/theme";
import { useView } from "../view/view";
import { CardActions } from "./card-actions";
import { columnAxis, spanOf } from "./columns";
import style from "./histogram-card.module.css";
import { seriesUrl, useHistogramMap } from "./histograms";
import { Panel } from "./panel";
import { isCurves } from "./picture";
import { requestOf } from "./request";
import { useSize } from "./use-size";

const FullScreen = lazyPart(() => import("./full-screen"));

export interface HistogramCardProps {
  tag: TagInfo;
  runs: readonly LineStyle[];
  /** Not in the window yet. */
  near?: boolean;
  /** The card has its own row, with a plot per run. */
  roomy?: boolean;
}

/** Plots per row before more are requested. */
const MAX_PANELS = 12;

export const HistogramCard = memo(function HistogramCard({ tag, runs, roomy = false }: HistogramCardProps) {
  const say = useWords();
  const card = useRef<HTMLElement>(null);
  const name = tag.tag;
  const [all, showAll] = useState(false);
  const [full, setFull] = useState(false);
  const fullScreen = useFullScreenCard((each) => each.tag === name);
  const chosen = useRunChoice(runs, !roomy);
  const shown = useMemo(
    () => (roomy ? runs.slice(0, all ? runs.length : MAX_PANELS) : chosen ? [chosen[0]] : []),
    [roomy, runs, all, chosen],
  );
  const place = useRef<HTMLDivElement>(null);
  const size = useSize(place, shown[0]?.id);
  const view = useSettings();
  const ids = shown.map(({ id }) => id);
  // The range is that of all runs, so that it stays when another run is selected.
  const deciding = runs.map(({ id }) => id);
  const { map, error, stale, retry } = useHistogramMap(
    size && ids.length > 0 ? requestOf(name, ids, deciding, view, size) : null,
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
  const open = () => (roomy ? showFullScreen(name) : setFull(true));
  // Focuses the neighbouring card.
  const goToNeighbour = (direction: 1 | -1) => {
    const to = adjacentCard(name, direction);
    if (to === null || to === name) return;
    showFullScreen(to);
    jumpTo(to);
  };
  const close = () => {
    setFull(false);
    if (fullScreen) showFullScreen(null);
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
            <RunSwitcher runs={runs} chosen={chosen} />
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
        {shown.map((lineStyle, at) => (
          <Panel
            key={lineStyle.id}
            tag={name}
            lineStyle={lineStyle}
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
      {(full || (roomy && fullScreen)) && (
        <Suspense fallback={null}>
          <FullScreen
            tag={tag}
            runs={runs}
            first={chosen?.[0].id ?? null}
            onClose={close}
            onNeighbour={roomy ? goToNeighbour : null}
          />
        </Suspense>
      )}
    </Card>
  );
});

/** A single run fills half a row; more share it. */
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

type RunChoice = readonly [LineStyle, (id: number) => void];

/** The run to show if there is room for one: the one hovered in the table, otherwise the chosen one. */
function useRunChoice(runs: readonly LineStyle[], single: boolean): RunChoice | null {
  const [id, choose] = useState<number | null>(null);
  const front = useInteraction((interaction) =>
    single
      ? interaction.source === "table"
        ? (interaction.hoveredRun ?? interaction.heldRun)
        : interaction.heldRun
      : null,
  );
  const lineStyle = runs.find((run) => run.id === front) ?? runs.find((run) => run.id === id) ?? runs[0];
  return useMemo(() => (lineStyle ? [lineStyle, choose] : null), [lineStyle]);
}

/** Shows the current run, and switches to others. */
function RunSwitcher({ runs, chosen }: { runs: readonly LineStyle[]; chosen: RunChoice | null }) {
  const say = useWords();
  const scheme = useColorScheme();
  if (chosen === null) return null;
  const [lineStyle, choose] = chosen;
  const at = runs.indexOf(lineStyle);
  const rotateRun = (by: number) => choose(runs[(at + by + runs.length) % runs.length]!.id);
  return (
    <span className={style.turner} title={lineStyle.name}>
      <span>
        <Swatch color={colorOf(lineStyle, scheme)} dash={dashOf(lineStyle)} />
        <RunName name={lineStyle.label} title={lineStyle.name} />
        {runs.length > 1 && (
          <>
            <Button
              variant="quiet"
              size="small"
              icon="left"
              label={say("hist.previousRun")}
              onClick={() => rotateRun(-1)}
            />
            <span className={style.place}>{`${at + 1}/${runs.length}`}</span>
            <Button
              variant="quiet"
              size="small"
              icon="right"
              label={say("hist.nextRun")}
              onClick={() => rotateRun(1)}
            />
          </>
        )}
      </span>
    </span>
  );
}

function SeriesLinks({ tag, runs }: { tag: string; runs: readonly LineStyle[] }) {
  const say = useWords();
  const wanted = useView((view) => view.links);
  if (!wanted) return null;
  return (
    <ul className={style.links}>
      {runs.map(({ id, name, label }) => (
        <li key={id}>
          <bdi>{label}</bdi>
          {(["csv", "json"] as const).map((format) => (
            <a
              key={format}
              href={seriesUrl(name, tag, format)}
              download
              aria-label={`${label}: ${say(`hist.${format}`)}`}
            >
              {format.toUpperCase()}
            </a>
          ))}
        </li>
      ))}
    </ul>
  );
}
