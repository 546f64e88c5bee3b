/** The table of a card that fills the window, fed with the cursor, the pinned step and the range. */

import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useReducer, useState } from "react";
import { askRanges } from "../../api/board";
import { formatStep } from "../../base/number";
import { shortNames } from "../../base/short-names";
import { digitsWithin } from "../../chart";
import { useRunLabels } from "../../state/run-labels";
import { type Cursor, useScene } from "../../state/scene";
import { feed } from "../../state/session";
import { useView } from "../../state/view";
import { useWords } from "../../words/words";
import type { Plot } from "./plot";
import { type Part, Sources } from "./sources";
import { exact, type RangeStatistics } from "./statistics";
import { ValueTable } from "./value-table";
import { statisticsByLine, valueRows } from "./values";

/** A table of more rows than this follows the pointer at a calmer pace. */
const MANY_ROWS = 12;
const CALM_MS = 90;
/** Statistics are of as many points as an answer holds. */
const STATISTICS_PX = 4000;

interface ValuesProps {
  plot: Plot;
  parts: readonly Part[];
  smoothing: number | null;
  /** Changes when the chart was drawn anew. */
  drawn: number;
  /** Changes when other points came. */
  points: number;
}

export function Values({ plot, parts, smoothing, drawn, points }: ValuesProps) {
  const say = useWords();
  const axis = useView((view) => view.axis);
  const range = useView((view) => view.range);
  const pin = useView((view) => view.pin);
  const pageSmoothing = useView((view) => view.smoothing);
  const baseline = useView((view) => view.baseline);
  const smoothed = (smoothing ?? pageSmoothing) > 0;
  const cursor = useCalmCursor(parts.length * parts[0]!.looks.length > MANY_ROWS ? CALM_MS : 0);
  const lines = useStatisticsLines(parts, axis === "step" ? range : null);
  const drawnOnes = useMemo(() => statisticsByLine(lines, axis, range), [lines, axis, range]);
  const told = useTold(parts, range, [...drawnOnes.values()].some(isEstimate));
  const statistics = useMemo(
    () => new Map([...drawnOnes].map(([key, each]) => [key, told?.get(key) ?? each])),
    [drawnOnes, told],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the chart says other things at another cursor or pin
  const at = useMemo(
    () => plot.rows(),
    [plot, axis, cursor, pin, range, drawn, points, pageSmoothing, smoothing],
  );
  const rows = useMemo(
    () => valueRows(plot.lines, at.rows, { axis, baseline, smoothing: smoothed, statistics }),
    [plot, at, axis, baseline, smoothed, statistics],
  );
  // A step that has no place here is not where the values are from.
  const step = at.x === null ? null : (cursor?.step ?? pin?.step ?? null);
  const said = step === null ? say("full.atEnd") : say("full.at", { step: formatStep(step) });
  const over = range
    ? say("full.over", { from: formatStep(range[0]), to: formatStep(range[1]) })
    : say("full.overAll");
  const { ymin, ymax } = plot.chart.stats;
  const names = useMemo(() => namesOf(parts), [parts]);
  const { common } = useRunLabels();
  return (
    <ValueTable
      rows={rows}
      caption={[said, over, common].filter(Boolean).join(" · ")}
      names={names}
      digits={digitsWithin([ymin, ymax])}
      smoothing={smoothed}
      baseline={baseline !== null && rows.some(({ look }) => look.name === baseline)}
    />
  );
}

/** The cursor as a table follows it: the chart does so within the frame, many numbers are read no faster than this. */
function useCalmCursor(everyMs: number): Cursor | null {
  const [cursor, setCursor] = useState(useScene.getState().cursor);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const follow = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        setCursor(useScene.getState().cursor);
      }, everyMs);
    };
    const stop = useScene.subscribe((scene, before) => scene.cursor !== before.cursor && follow());
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [everyMs]);
  return cursor;
}

/** Names of the tags among each other, if there are several. */
function namesOf(parts: readonly Part[]): ReadonlyMap<string, string> | null {
  if (parts.length < 2) return null;
  const tags = parts.map(({ tag }) => tag);
  const short = shortNames(tags).each;
  return new Map(tags.map((tag, at) => [tag, short[at]!]));
}

/** A range that is being dragged is asked about when it rests. */
const REST_MS = 150;

/** Exact figures of a range where too many points are held to be all here; null while they are on their way. */
function useTold(
  parts: readonly Part[],
  range: readonly [number, number] | null,
  wanted: boolean,
): ReadonlyMap<string, RangeStatistics> | null {
  const tags = parts.map(({ tag }) => tag);
  const runs = [...new Set(parts.flatMap(({ looks }) => looks.map(({ id }) => id)))];
  const [first, last] = useRestingRange(range) ?? [null, null];
  const moving = first !== (range?.[0] ?? null) || last !== (range?.[1] ?? null);
  const { data } = useQuery({
    queryKey: ["ranges", tags, runs, first, last],
    queryFn: ({ signal }) => askRanges({ tags, runs, first, last }, signal),
    enabled: wanted && !moving,
    staleTime: 0,
    gcTime: 0,
  });
  const told = useMemo(
    () => (data ? new Map(data.ranges.map((each) => [`${each.run} ${each.tag}`, exact(each)])) : null),
    [data],
  );
  return moving ? null : told;
}

function useRestingRange(range: readonly [number, number] | null): readonly [number, number] | null {
  const [resting, setResting] = useState(range);
  useEffect(() => {
    const timer = setTimeout(() => setResting(range), REST_MS);
    return () => clearTimeout(timer);
  }, [range]);
  return resting;
}

function isEstimate({ estimates }: RangeStatistics): boolean {
  return estimates.length > 0;
}

/** The points that statistics are made of, whatever part of them the chart shows: not smoothed, those of groups neither. */
function useStatisticsLines(parts: readonly Part[], range: readonly [number, number] | null) {
  const [, news] = useReducer((count: number) => count + 1, 0);
  const [sources] = useState(() => new Sources(feed, news));
  useEffect(() => () => sources.close(), [sources]);
  useEffect(() => {
    sources.setParts(parts);
    sources.want({ zoom: range, px: STATISTICS_PX, smoothing: 0 });
  }, [sources, parts, range]);
  return sources.lines;
}
