/** What a time line shows as tables: slices, values of counters, and events, of all tracks that are told. */

import { useMemo } from "react";
import { count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { formatMicroseconds } from "../../lib/microseconds";
import { useDebounced } from "../../lib/use-debounced";
import type { Span } from "../view/view-codec";
import { counterValue } from "./labels";
import { type PictureColumn, PictureTable } from "./picture-table";
import type { Category, TimeLine } from "./profiles";
import style from "./time-line.module.css";
import { REST_MS } from "./time-line-marks";

interface TimeLineTablesProps {
  /** By which the picture names them. */
  id: string;
  line: TimeLine;
  window: Span;
}

export function TimeLineTables({ id, line, window }: TimeLineTablesProps) {
  const say = useWords();
  const rested = useDebounced(window, REST_MS);
  const slices = useMemo(() => slicesIn(line, rested), [line, rested]);
  const samples = useMemo(() => within(line.samples.time_us, rested), [line, rested]);
  const instants = useMemo(() => within(line.instants.time_us, rested), [line, rested]);
  const owner = (host: number) => (line.hosts.length > 1 ? `${line.hosts[host]} · ` : "");
  const trackName = (at: number) => {
    const { host, process, name } = line.tracks[at]!;
    return `${owner(host)}${process} · ${name}`;
  };
  const counterName = (at: number) => {
    const { host, process, name } = line.counters[at]!;
    return `${owner(host)}${process} · ${name}`;
  };
  const sampled = (column: "value" | "low" | "high") => (at: number) =>
    counterValue(line.counters[line.samples.counter[at]!]!.name, line.samples[column][at]!);
  const { marks } = line;
  const sliceColumns: PictureColumn<number>[] = [
    { key: "start", head: say("profile.start"), cell: (at) => formatMicroseconds(marks.start_us[at]!) },
    {
      key: "duration",
      head: say("profile.duration"),
      cell: (at) => formatMicroseconds(marks.count[at]! > 1 ? marks.busy_us[at]! : marks.duration_us[at]!),
    },
    {
      key: "name",
      head: say("profile.column.name"),
      cell: (at) => {
        const name = line.names[marks.name[at]!]!;
        const many = marks.count[at]!;
        return <bdi>{many > 1 ? say("profile.slices", { count: many, name }) : name}</bdi>;
      },
    },
    {
      key: "category",
      head: say("profile.column.category"),
      cell: (at) => say(`profile.category.${line.categories[marks.category[at]!] as Category}`),
    },
    { key: "track", head: say("profile.track"), cell: (at) => <bdi>{trackName(marks.track[at]!)}</bdi> },
  ];
  const counterColumns: PictureColumn<number>[] = [
    {
      key: "time",
      head: say("profile.memory.time"),
      cell: (at) => formatMicroseconds(line.samples.time_us[at]!),
    },
    { key: "value", head: say("profile.value"), cell: sampled("value") },
    { key: "low", head: say("profile.lowest"), cell: sampled("low") },
    { key: "high", head: say("profile.highest"), cell: sampled("high") },
    {
      key: "counter",
      head: say("profile.counter"),
      cell: (at) => <bdi>{counterName(line.samples.counter[at]!)}</bdi>,
    },
  ];
  const eventColumns: PictureColumn<number>[] = [
    {
      key: "time",
      head: say("profile.memory.time"),
      cell: (at) => formatMicroseconds(line.instants.time_us[at]!),
    },
    { key: "count", head: say("profile.column.count"), cell: (at) => count(line.instants.count[at]!) },
    {
      key: "name",
      head: say("profile.column.name"),
      cell: (at) => <bdi>{line.names[line.instants.name[at]!]}</bdi>,
    },
    {
      key: "track",
      head: say("profile.track"),
      cell: (at) => <bdi>{trackName(line.instants.track[at]!)}</bdi>,
    },
  ];
  return (
    <section id={id} className={style.part} aria-label={say("profile.timeTables")}>
      <PictureTable label={say("profile.timeTables.slices")} columns={sliceColumns} rows={slices} />
      {line.counters.length > 0 && (
        <PictureTable label={say("profile.timeTables.counters")} columns={counterColumns} rows={samples} />
      )}
      {line.instants.time_us.length > 0 && (
        <PictureTable label={say("profile.timeTables.events")} columns={eventColumns} rows={instants} />
      )}
    </section>
  );
}

/** The marks that are seen, by their tracks and then in time. */
function slicesIn({ marks }: TimeLine, [begin, end]: Span): number[] {
  return marks.start_us
    .map((_, at) => at)
    .filter((at) => marks.start_us[at]! < end && marks.start_us[at]! + marks.duration_us[at]! > begin)
    .sort((a, b) => marks.track[a]! - marks.track[b]! || marks.start_us[a]! - marks.start_us[b]!);
}

/** The moments that are seen, in the order of columns. */
function within(times: readonly number[], [begin, end]: Span): number[] {
  return times.map((_, at) => at).filter((at) => begin <= times[at]! && times[at]! <= end);
}
