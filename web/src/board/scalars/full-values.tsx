/** The table of a full-screen card for the cursor, the pinned step and the range. */

import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useReducer, useState } from "react";
import { fetchRanges } from "../../api/board";
import { digitsWithin } from "../../chart";
import { useWords } from "../../i18n/words";
import { formatStep } from "../../lib/number";
import { shortNames } from "../../lib/short-names";
import { feed } from "../data/session";
import { useRunLabels } from "../runs/run-labels";
import { type Cursor, useInteraction } from "../view/interaction";
import { useView } from "../view/view";
import { CardSubscriptions, type Part } from "./card-subscriptions";
import type { Plot } from "./plot";
import { exactStatistics, type RangeStatistics } from "./statistics";
import { statisticsByLine, valueRows } from "./value-rows";
import { ValueTable } from "./value-table";

/** A table of more rows than this follows the pointer more slowly. */
const MANY_ROWS = 12;
const CALM_MS = 90;
/** Statistics use as many points as a response may have. */
const STATISTICS_PX = 4000;

interface ValuesProps {
  plot: Plot;
  parts: readonly Part[];
  smoothing: number | null;
  /** Changes when the chart was redrawn. */
  drawn: number;
  /** Changes when other points arrived. */
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
  const cursor = useCalmCursor(parts.length * parts[0]!.lineStyles.length > MANY_ROWS ? CALM_MS : 0);
  const lines = useStatisticsLines(parts, axis === "step" ? range : null);
  const drawnOnes = useMemo(() => statisticsByLine(lines, axis, range), [lines, axis, range]);
  const exactRanges = useAnnouncement(parts, range, [...drawnOnes.values()].some(isEstimate));
  const statistics = useMemo(
    () => new Map([...drawnOnes].map(([key, each]) => [key, exactRanges?.get(key) ?? each])),
    [drawnOnes, exactRanges],
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
  // A step without a position here is not the one of the values.
  const step = at.x === null ? null : (cursor?.step ?? pin?.step ?? null);
  const caption = step === null ? say("full.atEnd") : say("full.at", { step: formatStep(step) });
  const over = range
    ? say("full.over", { from: formatStep(range[0]), to: formatStep(range[1]) })
    : say("full.overAll");
  const { ymin, ymax } = plot.chart.stats;
  const names = useMemo(() => namesOf(parts), [parts]);
  const { common } = useRunLabels();
  return (
    <ValueTable
      rows={rows}
      caption={[caption, over, common].filter(Boolean).join(" · ")}
      names={names}
      digits={digitsWithin([ymin, ymax])}
      smoothing={smoothed}
      baseline={baseline !== null && rows.some(({ lineStyle }) => lineStyle.name === baseline)}
    />
  );
}

/** The throttled cursor: charts follow every frame, but many numbers cannot be read faster than this. */
function useCalmCursor(everyMs: number): Cursor | null {
  const [cursor, setCursor] = useState(useInteraction.getState().cursor);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const follow = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        setCursor(useInteraction.getState().cursor);
      }, everyMs);
    };
    const stop = useInteraction.subscribe(
      (interaction, before) => interaction.cursor !== before.cursor && follow(),
    );
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

/** Statistics of a dragged range are fetched when it rests. */
const REST_MS = 150;

/** Exact statistics of a range with too many points to load; null while they load. */
function useAnnouncement(
  parts: readonly Part[],
  range: readonly [number, number] | null,
  wanted: boolean,
): ReadonlyMap<string, RangeStatistics> | null {
  const tags = parts.map(({ tag }) => tag);
  const runs = [...new Set(parts.flatMap(({ lineStyles }) => lineStyles.map(({ id }) => id)))];
  const [first, last] = useRestingRange(range) ?? [null, null];
  const moving = first !== (range?.[0] ?? null) || last !== (range?.[1] ?? null);
  const { data } = useQuery({
    queryKey: ["ranges", tags, runs, first, last],
    queryFn: ({ signal }) => fetchRanges({ tags, runs, first, last }, signal),
    enabled: wanted && !moving,
    staleTime: 0,
    gcTime: 0,
  });
  const exactRanges = useMemo(
    () =>
      data ? new Map(data.ranges.map((each) => [`${each.run} ${each.tag}`, exactStatistics(each)])) : null,
    [data],
  );
  return moving ? null : exactRanges;
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

/** The points for statistics, whatever part the chart shows: not smoothed, also for groups. */
function useStatisticsLines(parts: readonly Part[], range: readonly [number, number] | null) {
  const [, news] = useReducer((count: number) => count + 1, 0);
  const [sources] = useState(() => new CardSubscriptions(feed, news));
  useEffect(() => () => sources.close(), [sources]);
  useEffect(() => {
    sources.setParts(parts);
    sources.update({ zoom: range, px: STATISTICS_PX, smoothing: 0 });
  }, [sources, parts, range]);
  return sources.lines;
}
