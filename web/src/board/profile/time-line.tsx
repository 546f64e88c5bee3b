/** The slices of a capture in time: zoomed and moved by keys, wheel, mouse and touch; a click shows the details of one. */

import {
  type KeyboardEvent,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { count } from "../../i18n/format";
import { type Say, useWords } from "../../i18n/words";
import { formatMicroseconds } from "../../lib/microseconds";
import { useDebounced } from "../../lib/use-debounced";
import { Button } from "../../ui/button";
import { PictureLayout } from "../../ui/picture-layout";
import { SidePanel } from "../../ui/side-panel";
import tipStyle from "../../ui/tip.module.css";
import { ZoomButtons } from "../../ui/zoom-buttons";
import type { PlaceKey, SliceName } from "../view/profile-view";
import { useStep } from "../view/steps";
import { useColorScheme } from "../view/theme";
import { change, useView } from "../view/view";
import type { Span } from "../view/view-codec";
import { counterValue } from "./labels";
import {
  type CaptureName,
  type Category,
  type Overview,
  showProfile,
  type TimeLine,
  useSlice,
  useSteps,
  useTimeLine,
} from "./profiles";
import { SliceDetailsPart } from "./slice-details";
import { StepOnCharts, stepIn } from "./step-on-charts";
import style from "./time-line.module.css";
import { TimeLineFind } from "./time-line-find";
import { type Point, useGestures, useWheel } from "./time-line-gestures";
import { TimeLineHeads } from "./time-line-heads";
import { askedWindow, markAt, moved, REST_MS, seenWindow, within, zoomed } from "./time-line-marks";
import {
  COUNTER_PX,
  placesOf,
  placeY,
  processKey,
  RULER_PX,
  scrollFor,
  scrollOf,
  TICK_PX,
  trackKey,
  tracksBetween,
} from "./time-line-places";
import { instantAt, valueAt } from "./time-line-points";
import { TimeLineRange } from "./time-line-range";
import { TimeLineTables } from "./time-line-tables";
import { useScrollSize, useTimeLinePicture } from "./use-time-line-picture";

const STEP_PART = 0.2;
const STEP_ZOOM = 0.7;
const STEP_RANGE = 0.02;
const WHEEL_PX = 400;
const LONGEST = 30;
const SLACK_PX = 3;

interface TimeLineProps {
  name: CaptureName;
  /** The name of its run; empty if it has none. */
  run: string;
  overview: Overview;
}

export function TimeLinePart({ name, run, overview }: TimeLineProps) {
  const say = useWords();
  const view = useView((state) => state.profile);
  const { slice: chosen, range, find: search, closed, pinned } = view;
  const length = Math.max(overview.duration_us, 0.001);
  const whole = useMemo((): Span => [0, length], [length]);
  const [shown, show] = useWindow(view.window, whole, length);
  const scroll = useRef<HTMLElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const box = useRef<HTMLInputElement>(null);
  const size = useScrollSize(scroll);
  const asked = useDebounced(
    useMemo(() => askedWindow(shown, Math.max(1, size.width), length), [shown, size.width, length]),
    REST_MS,
  );
  const { data, error } = useTimeLine(name, asked, search.trim(), size.width > 0);
  const details = useSlice(name, chosen).data ?? null;
  const steps = useSteps(name, overview.steps > 0).data?.steps ?? NO_STEPS;
  const step = stepIn(steps, shown);
  const pinnedStep = useStep();
  const places = useMemo(() => (data ? placesOf(data, { closed, pinned }) : null), [data, closed, pinned]);
  const [top, setTop] = useKeptTop(scroll, name, places !== null);
  const [goal, setGoal] = useState<{ key: PlaceKey; depth: number } | null>(null);
  const [isSelecting, setSelecting] = useState(false);
  const [hovered, hover] = useState<{ mark: number | null; at: Point; text: TipText } | null>(null);
  const scheme = useColorScheme();
  const tables = useId();
  const scrolled = useMemo(
    () => (places ? scrollOf(places, top, size.height) : { top, stuck: 0 }),
    [places, top, size.height],
  );

  const picture = useMemo(
    () =>
      data && places
        ? {
            ...{ line: data, places, steps, window: shown, scroll: scrolled, scheme, chosen, range, details },
            pinnedStep,
            hovered: hovered?.mark ?? null,
          }
        : null,
    [data, places, steps, shown, scrolled, scheme, hovered, chosen, range, details, pinnedStep],
  );
  useTimeLinePicture(canvas, size, picture);

  useLayoutEffect(() => {
    if (!goal || !places || !scroll.current) return;
    const to = scrollFor(places, goal.key, goal.depth, scrolled, size.height);
    if (to === null) return;
    scroll.current.scrollTop = to;
    setGoal(null);
  }, [goal, places, scrolled, size.height]);

  const timeAt = (x: number) => shown[0] + (x / Math.max(1, size.width)) * (shown[1] - shown[0]);
  const find = ({ x, y }: Point): number | null => {
    if (!data || !places || y < RULER_PX) return null;
    const slack = (SLACK_PX * (shown[1] - shown[0])) / Math.max(1, size.width);
    return markAt(data, places, timeAt(x), placeY(y - RULER_PX, scrolled), slack);
  };
  /** What the tip says of an instant or a counter. */
  const pointText = ({ x, y }: Point): TipText | null => {
    if (!data || !places || y < RULER_PX) return null;
    const height = placeY(y - RULER_PX, scrolled);
    const place = places.tracks.find(
      ({ ticks }) => ticks !== null && ticks <= height && height < ticks + TICK_PX,
    );
    if (place) {
      const slack = (2 * SLACK_PX * (shown[1] - shown[0])) / Math.max(1, size.width);
      const at = instantAt(data, place.track, timeAt(x), slack);
      if (at === null) return null;
      const { name: names, count: counts, time_us } = data.instants;
      const more = counts[at]! > 1 ? ` · ${say("profile.instants", { count: counts[at]! })}` : "";
      return [data.names[names[at]!]!, formatMicroseconds(time_us[at]!) + more];
    }
    const counter = places.counters.find(
      ({ top: above }) => above <= height && height < above + COUNTER_PX,
    )?.counter;
    const value = counter === undefined ? null : valueAt(data, counter, timeAt(x));
    if (counter === undefined || value === null) return null;
    const label = data.counters[counter]!.name;
    return [label, `${counterValue(label, value)} · ${formatMicroseconds(timeAt(x))}`];
  };
  const select = (span: Span, tracks: readonly PlaceKey[]) =>
    showProfile({ range: { span: rounded(within(sorted(span), length)), tracks } }, change);
  const choose = (mark: number | null) => {
    if (!data) return;
    const { marks, tracks } = data;
    if (mark === null) showProfile({ slice: null }, change);
    else if (marks.count[mark]! > 1) {
      const [start, long] = [marks.start_us[mark]!, marks.duration_us[mark]!];
      show(within([start - long / 2, start + long * 1.5], length));
    } else
      showProfile({ slice: { host: tracks[marks.track[mark]!]!.host, slice: marks.slice[mark]! } }, change);
  };
  /** Chooses a slice, and makes sure that it is seen. */
  const goTo = (
    slice: SliceName,
    start: number,
    duration: number,
    place: { track: number; depth: number },
  ) => {
    const key = trackKey({ host: slice.host, track_index: place.track });
    const track = data?.tracks.find((each) => trackKey(each) === key);
    const shut = [key, track ? processKey(track) : ""];
    showProfile({ slice, closed: closed.filter((each) => !shut.includes(each)) }, change);
    show((was) => seenWindow(was, start, duration, size.width, length));
    setGoal({ key, depth: place.depth });
  };
  const zoom = useCallback(
    (by: number, at?: number) => show((was) => zoomed(was, by, at ?? (was[0] + was[1]) / 2, length)),
    [show, length],
  );
  const gestures = useGestures({
    scroll,
    width: size.width,
    length,
    isSelecting,
    show,
    hover: (at) => {
      const mark = at && find(at);
      const text = data && at && (mark === null ? pointText(at) : markText(say, data, mark));
      hover(at && text ? { mark, at, text } : null);
    },
    click: (at) => {
      const step =
        at.y < RULER_PX &&
        steps.find(({ start_us, duration_us }) => {
          const time = timeAt(at.x);
          return start_us <= time && time <= start_us + duration_us;
        });
      if (step) show(within([step.start_us, step.start_us + step.duration_us], length));
      else if (at.y >= RULER_PX) choose(find(at));
    },
    select: (from, to) => {
      if (!places) return;
      const heights = [from, to].map(({ y }) => placeY(Math.max(0, y - RULER_PX), scrolled)) as [
        number,
        number,
      ];
      const tracks = from.y < RULER_PX ? [] : tracksBetween(places, ...heights);
      select([timeAt(from.x), timeAt(to.x)], tracks.length === places.tracks.length ? [] : tracks);
    },
    edgeAt: (at, slack) => {
      if (!range || (slack > SLACK_PX + 1 && at.y >= RULER_PX)) return null;
      const near = (edge: 0 | 1) => {
        const x = ((range.span[edge] - shown[0]) / (shown[1] - shown[0])) * size.width;
        return Math.abs(x - at.x) <= slack;
      };
      return near(1) ? 1 : near(0) ? 0 : null;
    },
    resize: (edge, { x }) => {
      if (!range) return;
      const other = range.span[edge === 0 ? 1 : 0];
      const time = edge === 0 ? Math.min(timeAt(x), other) : Math.max(timeAt(x), other);
      select([time, other], range.tracks);
    },
  });
  const mark = () => {
    if (chosen && details) {
      const key = trackKey({ host: chosen.host, track_index: details.track_index });
      select([details.start_us, details.start_us + details.duration_us], [key]);
    } else select(shown, []);
  };
  const stretch = (by: number) => {
    if (range) select([range.span[0], Math.max(range.span[0], range.span[1] + by)], range.tracks);
  };
  const look = () => {
    box.current?.focus();
    box.current?.select();
  };
  const handleKey = (event: KeyboardEvent) => {
    const key = event.key.toLowerCase();
    const isFind = key === "f" && (event.ctrlKey || event.metaKey) && !event.altKey;
    if ((event.ctrlKey || event.metaKey || event.altKey) && !isFind) return;
    const isButton = event.target !== scroll.current;
    const span = shown[1] - shown[0];
    const pan = (by: number) => () => show(moved(shown, by * STEP_PART * span, length));
    const keys: Record<string, () => void> = {
      w: () => zoom(STEP_ZOOM),
      s: () => zoom(1 / STEP_ZOOM),
      a: pan(-1),
      d: pan(1),
      m: mark,
      arrowleft: event.shiftKey ? () => stretch(-STEP_RANGE * span) : pan(-1),
      arrowright: event.shiftKey ? () => stretch(STEP_RANGE * span) : pan(1),
      "0": () => show(whole),
      "/": look,
      escape: () => (range ? showProfile({ range: null }, change) : showProfile({ slice: null }, change)),
    };
    const act = isFind ? look : isButton && key === " " ? undefined : keys[key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  useWheel(scroll, (event, x) => {
    if (event.ctrlKey || event.altKey || event.metaKey) zoom(2 ** (event.deltaY / WHEEL_PX), timeAt(x));
    else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      const by = (event.deltaX || event.deltaY) / Math.max(1, size.width);
      show(moved(shown, by * (shown[1] - shown[0]), length));
    } else return false;
    return true;
  });
  const label = say("profile.timePicture", {
    tracks: data?.total ?? 0,
    begin: formatMicroseconds(shown[0]),
    end: formatMicroseconds(shown[1]),
  });
  return (
    <PictureLayout
      bar={
        <div className={style.tools} role="toolbar" aria-label={say("profile.view.timeline")}>
          <ZoomButtons onZoom={(by) => zoom(1 / by)} onFit={() => show(whole)} />
          <Button
            size="small"
            variant="quiet"
            icon="box"
            label={say("profile.select")}
            aria-pressed={isSelecting}
            onClick={() => setSelecting(!isSelecting)}
          />
          <TimeLineFind
            {...{ name, chosen, box }}
            text={search}
            begin={shown[0]}
            onFound={(found) =>
              goTo({ host: found.host, slice: found.slice }, found.start_us, found.duration_us, {
                track: found.track_index,
                depth: found.depth,
              })
            }
            onLeave={() => scroll.current?.focus()}
          />
          <span className={style.range} data-testid="time-range">
            {formatMicroseconds(shown[0])} – {formatMicroseconds(shown[1])}
          </span>
          {step && <StepOnCharts run={run} step={step} />}
          <span className={style.hint}>{say("profile.timeHint")}</span>
        </div>
      }
      side={
        <SidePanel label={say("profile.slice")}>
          <SliceDetailsPart
            name={name}
            run={run}
            slice={chosen}
            onGo={(slice, start, duration, place) => {
              if (place) {
                goTo(slice, start, duration, { track: place.track_index, depth: place.depth });
                return;
              }
              showProfile({ slice }, change);
              if (start + duration < shown[0] || start > shown[1]) {
                show(moved(shown, start + duration / 2 - (shown[0] + shown[1]) / 2, length));
              }
            }}
          />
          {data && <Longest line={data} window={shown} onChoose={choose} />}
          {data && <TimeLineTables id={tables} line={data} window={shown} />}
        </SidePanel>
      }
    >
      <section
        ref={scroll}
        className={style.scroll}
        aria-label={label}
        aria-details={tables}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what is moved by keys must be reached by them
        tabIndex={0}
        data-testid="time-line"
        data-state={data ? "ready" : "reading"}
        data-selecting={isSelecting || undefined}
        onScroll={(event) => setTop(event.currentTarget.scrollTop)}
        onKeyDown={handleKey}
        onDoubleClick={(event) => {
          if (!(event.target instanceof HTMLElement && event.target.closest("button"))) show(whole);
        }}
        {...gestures}
      >
        <div className={style.inside} style={{ minHeight: (places?.height ?? 0) + RULER_PX }}>
          {data && places && (
            <TimeLineHeads
              {...{ line: data, places, scroll: scrolled, height: size.height }}
              onFold={(key) => showProfile({ closed: toggled(closed, key) }, change)}
              onPin={(key) => showProfile({ pinned: toggled(pinned, key) }, change)}
            />
          )}
          <canvas ref={canvas} className={style.canvas} style={{ width: size.width, height: size.height }} />
        </div>
        {data && hovered && <Tip text={hovered.text} at={hovered.at} width={size.width} top={top} />}
      </section>
      {error && (
        <p className={style.note} role="alert">
          {error.message}
        </p>
      )}
      {data && data.tracks.length < data.total && (
        <p className={style.note}>
          {say("profile.firstTracks", { shown: data.tracks.length, total: data.total })}
        </p>
      )}
      {range && (
        <TimeLineRange
          {...{ name, range }}
          onZoom={() => show(within(range.span, length))}
          onClear={() => showProfile({ range: null }, change)}
          onFind={(text) => showProfile({ find: text }, change)}
        />
      )}
    </PictureLayout>
  );
}

function toggled(keys: readonly PlaceKey[], key: PlaceKey): readonly PlaceKey[] {
  return keys.includes(key) ? keys.filter((each) => each !== key) : [...keys, key];
}

function sorted([one, other]: Span): Span {
  return one <= other ? [one, other] : [other, one];
}

/** In whole nanoseconds, and not empty. */
function rounded([begin, end]: Span): Span {
  const round = (time: number) => Math.round(time * 1000) / 1000;
  return [round(begin), Math.max(round(end), round(begin + 0.001))];
}

/** How far each capture was scrolled when it was last shown. */
const kept = new Map<string, number>();

/** How far the tracks are scrolled: as far as when they were last shown. */
function useKeptTop(
  element: { current: HTMLElement | null },
  { capture, at }: CaptureName,
  isReady: boolean,
) {
  const key = `${capture} ${at}`;
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    if (isReady && element.current) element.current.scrollTop = kept.get(key) ?? 0;
  }, [element, key, isReady]);
  const keep = (to: number) => {
    kept.set(key, to);
    setTop(to);
  };
  return [top, keep] as const;
}

const NO_STEPS: readonly never[] = [];

/** The window that is shown; the one in the address follows it once it rests. */
function useWindow(chosen: Span | null, whole: Span, length: number) {
  const [shown, show] = useState<Span>(() => within(chosen ?? whole, length));
  const written = useRef(chosen);
  useEffect(() => {
    if (chosen?.join() === written.current?.join()) return;
    written.current = chosen;
    show(within(chosen ?? whole, length));
  }, [chosen, whole, length]);
  useEffect(() => {
    const isWhole = shown[0] === whole[0] && shown[1] === whole[1];
    const next = isWhole
      ? null
      : ([Math.round(shown[0] * 1000) / 1000, Math.round(shown[1] * 1000) / 1000] as const);
    if (next?.join() === written.current?.join()) return undefined;
    const timer = setTimeout(() => {
      written.current = next;
      showProfile({ window: next }, change);
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [shown, whole]);
  return [shown, show] as const;
}

/** A title, and what is said below it. */
type TipText = readonly [string, string];

function markText(say: Say, { marks, names, categories }: TimeLine, mark: number): TipText {
  const many = marks.count[mark]!;
  const name = names[marks.name[mark]!]!;
  const time = formatMicroseconds(many > 1 ? marks.busy_us[mark]! : marks.duration_us[mark]!);
  const category = categories[marks.category[mark]!] as Category;
  return [
    many > 1 ? say("profile.slices", { count: many, name }) : name,
    `${time} · ${say(`profile.category.${category}`)}`,
  ];
}

interface TipProps {
  text: TipText;
  at: Point;
  width: number;
  top: number;
}

function Tip({ text: [title, note], at, width, top }: TipProps) {
  const place = at.x > width * 0.6 ? { right: width - at.x + 12 } : { left: at.x + 12 };
  return (
    <div
      className={tipStyle.inside}
      style={{ ...place, top: at.y + top + 14 }}
      role="tooltip"
      data-testid="time-tip"
    >
      <div className={tipStyle.title}>{title}</div>
      <div className={tipStyle.note}>{note}</div>
    </div>
  );
}

interface LongestProps {
  line: TimeLine;
  window: Span;
  onChoose(mark: number): void;
}

/** The same as the picture, as a list: what takes longest of what is seen. */
function Longest({ line, window, onChoose }: LongestProps) {
  const say = useWords();
  const { marks } = line;
  const seen = useMemo(() => {
    const inside = (at: number) =>
      marks.start_us[at]! < window[1] && marks.start_us[at]! + marks.duration_us[at]! > window[0];
    return marks.start_us
      .map((_, at) => at)
      .filter((at) => marks.count[at] === 1 && inside(at))
      .sort((a, b) => marks.duration_us[b]! - marks.duration_us[a]!);
  }, [marks, window]);
  return (
    <section className={style.part} aria-label={say("profile.longest")}>
      <h3 className={style.sub}>
        {say("profile.longest")} <span className={style.number}>{count(seen.length)}</span>
      </h3>
      <ul className={style.list}>
        {seen.slice(0, LONGEST).map((at) => (
          <li key={at}>
            <Button className={style.item} variant="quiet" size="small" onClick={() => onChoose(at)}>
              <bdi className={style.cut}>{line.names[marks.name[at]!]}</bdi>
              <span className={style.end}>{formatMicroseconds(marks.duration_us[at]!)}</span>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
