/** The slices of a capture in time: zoomed and moved by keys, wheel, mouse and touch; a click shows the details of one. */

import {
  type KeyboardEvent,
  type PointerEvent,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { readTheme } from "../../chart/theme";
import { count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { formatMicroseconds } from "../../lib/microseconds";
import { Button } from "../../ui/button";
import { PictureLayout } from "../../ui/picture-layout";
import { SidePanel } from "../../ui/side-panel";
import { ZoomButtons } from "../../ui/zoom-buttons";
import { useColorScheme } from "../view/theme";
import { change, useView } from "../view/view";
import type { Span } from "../view/view-codec";
import {
  type CaptureName,
  type Category,
  type Overview,
  showProfile,
  type TimeLine,
  useSteps,
  useTimeLine,
} from "./profiles";
import { SliceDetailsPart } from "./slice-details";
import style from "./time-line.module.css";
import { drawTimeLine } from "./time-line-draw";
import { askedWindow, markAt, moved, placesOf, RULER_PX, within, zoomed } from "./time-line-marks";

/** Moving and zooming ask the server, and write the address, once they rest. */
const REST_MS = 120;
const STEP_PART = 0.2;
const STEP_ZOOM = 0.7;
const WHEEL_PX = 400;
const CLICK_PX = 4;
const LONGEST = 30;
const SLACK_PX = 3;

interface TimeLineProps {
  name: CaptureName;
  overview: Overview;
}

interface Point {
  x: number;
  y: number;
}

export function TimeLinePart({ name, overview }: TimeLineProps) {
  const say = useWords();
  const { window: chosenWindow, slice: chosen } = useView((view) => view.profile);
  const length = Math.max(overview.duration_us, 0.001);
  const whole = useMemo((): Span => [0, length], [length]);
  const [shown, show] = useWindow(chosenWindow, whole, length);
  const scroll = useRef<HTMLElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useScrollSize(scroll);
  const asked = useRested(
    useMemo(() => askedWindow(shown, Math.max(1, size.width), length), [shown, size.width, length]),
  );
  const { data, error } = useTimeLine(name, asked, size.width > 0);
  const steps = useSteps(name, overview.steps > 0).data?.steps ?? NO_STEPS;
  const places = useMemo(() => (data ? placesOf(data) : null), [data]);
  const [top, setTop] = useState(0);
  const [hovered, hover] = useState<{ mark: number; at: Point } | null>(null);
  const scheme = useColorScheme();

  useLayoutEffect(() => {
    const ratio = globalThis.devicePixelRatio || 1;
    const pen = canvas.current?.getContext("2d");
    if (!canvas.current || !pen || !data || !places || size.width <= 0) return;
    const [width, height] = [Math.round(size.width * ratio), Math.round(size.height * ratio)];
    if (canvas.current.width !== width) canvas.current.width = width;
    if (canvas.current.height !== height) canvas.current.height = height;
    pen.setTransform(width / size.width, 0, 0, height / size.height, 0, 0);
    drawTimeLine(pen, {
      ...{ line: data, places, steps, window: shown, top, scheme, chosen },
      ...{ width: size.width, height: size.height },
      theme: readTheme(canvas.current),
      hovered: hovered?.mark ?? null,
    });
  }, [data, places, steps, shown, top, size, scheme, hovered, chosen]);

  const timeAt = (x: number) => shown[0] + (x / Math.max(1, size.width)) * (shown[1] - shown[0]);
  const find = ({ x, y }: Point): number | null => {
    if (!data || !places || y < RULER_PX) return null;
    const slack = (SLACK_PX * (shown[1] - shown[0])) / Math.max(1, size.width);
    return markAt(data, places, timeAt(x), y - RULER_PX + top, slack);
  };
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
  const zoom = useCallback(
    (by: number, at?: number) => show((was) => zoomed(was, by, at ?? (was[0] + was[1]) / 2, length)),
    [show, length],
  );
  const gestures = useGestures({
    scroll,
    window: shown,
    width: size.width,
    length,
    show,
    hover: (at) => {
      const mark = at && find(at);
      hover(at && mark !== null ? { mark, at } : null);
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
  });
  const handleKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const span = shown[1] - shown[0];
    const act = {
      w: () => zoom(STEP_ZOOM),
      s: () => zoom(1 / STEP_ZOOM),
      a: () => show(moved(shown, -STEP_PART * span, length)),
      d: () => show(moved(shown, STEP_PART * span, length)),
      arrowleft: () => show(moved(shown, -STEP_PART * span, length)),
      arrowright: () => show(moved(shown, STEP_PART * span, length)),
      "0": () => show(whole),
      escape: () => showProfile({ slice: null }, change),
    }[event.key.toLowerCase()];
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
          <span className={style.range} data-testid="time-range">
            {formatMicroseconds(shown[0])} – {formatMicroseconds(shown[1])}
          </span>
          <span className={style.hint}>{say("profile.timeHint")}</span>
        </div>
      }
      side={
        <SidePanel label={say("profile.slice")}>
          <SliceDetailsPart
            name={name}
            slice={chosen}
            onGo={(slice, start, duration) => {
              showProfile({ slice }, change);
              if (start + duration < shown[0] || start > shown[1]) {
                show(moved(shown, start + duration / 2 - (shown[0] + shown[1]) / 2, length));
              }
            }}
          />
          {data && <Longest line={data} window={shown} onChoose={choose} />}
        </SidePanel>
      }
    >
      <section
        ref={scroll}
        className={style.scroll}
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what is moved by keys must be reached by them
        tabIndex={0}
        data-testid="time-line"
        data-state={data ? "ready" : "reading"}
        onScroll={(event) => setTop(event.currentTarget.scrollTop)}
        onKeyDown={handleKey}
        onDoubleClick={() => show(whole)}
        {...gestures}
      >
        <div className={style.inside} style={{ minHeight: (places?.height ?? 0) + RULER_PX }}>
          <canvas ref={canvas} className={style.canvas} style={{ width: size.width, height: size.height }} />
        </div>
        {data && hovered && (
          <Tip line={data} mark={hovered.mark} at={hovered.at} width={size.width} top={top} />
        )}
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
    </PictureLayout>
  );
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

/** A value once it has not changed for a moment. */
function useRested<Value>(value: Value): Value {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), REST_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}

function useScrollSize(element: { current: HTMLElement | null }) {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const node = element.current;
    if (!node) return undefined;
    const observer = new ResizeObserver(() =>
      setSize({ width: node.clientWidth, height: node.clientHeight }),
    );
    observer.observe(node);
    return () => observer.disconnect();
  }, [element]);
  return size;
}

/** `act` tells whether it has used the event; it is not passive, unlike those of React. */
function useWheel(
  element: { current: HTMLElement | null },
  act: (event: WheelEvent, x: number) => boolean,
): void {
  const latest = useRef(act);
  useLayoutEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    const node = element.current;
    if (!node) return undefined;
    const listener = (event: WheelEvent) => {
      if (latest.current(event, event.clientX - node.getBoundingClientRect().left)) event.preventDefault();
    };
    node.addEventListener("wheel", listener, { passive: false });
    return () => node.removeEventListener("wheel", listener);
  }, [element]);
}

interface GestureOptions {
  scroll: { current: HTMLElement | null };
  window: Span;
  width: number;
  length: number;
  show(window: Span): void;
  hover(at: Point | null): void;
  click(at: Point): void;
}

/** Dragging moves the window, two fingers zoom it, and a pointer that hardly moves clicks. */
function useGestures({ scroll, window, width, length, show, hover, click }: GestureOptions) {
  const pointers = useRef(new Map<number, Point>());
  const distance = useRef(0);
  const placeOf = (event: PointerEvent): Point => {
    const box = scroll.current!.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const end = (event: PointerEvent) => {
    pointers.current.delete(event.pointerId);
  };
  return {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return;
      if (pointers.current.size === 0) distance.current = 0;
      pointers.current.set(event.pointerId, placeOf(event));
    },
    onPointerMove: (event: PointerEvent) => {
      const to = placeOf(event);
      const from = pointers.current.get(event.pointerId);
      if (!from) {
        if (event.pointerType !== "touch") hover(to);
        return;
      }
      distance.current += Math.hypot(to.x - from.x, to.y - from.y);
      if (distance.current <= CLICK_PX) return;
      scroll.current?.setPointerCapture(event.pointerId);
      hover(null);
      const span = window[1] - window[0];
      const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1];
      pointers.current.set(event.pointerId, to);
      if (other) {
        const by = Math.max(8, Math.abs(from.x - other.x)) / Math.max(8, Math.abs(to.x - other.x));
        show(zoomed(window, by, window[0] + (other.x / Math.max(1, width)) * span, length));
        return;
      }
      show(moved(window, ((from.x - to.x) / Math.max(1, width)) * span, length));
      if (event.pointerType !== "touch") scroll.current!.scrollTop -= to.y - from.y;
    },
    onPointerUp: (event: PointerEvent) => {
      const isClick = pointers.current.has(event.pointerId) && distance.current <= CLICK_PX;
      end(event);
      if (isClick) click(placeOf(event));
    },
    onPointerCancel: end,
    onPointerLeave: () => hover(null),
  };
}

interface TipProps {
  line: TimeLine;
  mark: number;
  at: Point;
  width: number;
  top: number;
}

function Tip({ line, mark, at, width, top }: TipProps) {
  const say = useWords();
  const { marks } = line;
  const many = marks.count[mark]!;
  const category = line.categories[marks.category[mark]!] as Category;
  const place = at.x > width * 0.6 ? { right: width - at.x + 12 } : { left: at.x + 12 };
  return (
    <div
      className={style.tip}
      style={{ ...place, top: at.y + top + 14 }}
      role="tooltip"
      data-testid="time-tip"
    >
      <div className={style.tipTitle}>
        {many > 1
          ? say("profile.slices", { count: many, name: line.names[marks.name[mark]!]! })
          : line.names[marks.name[mark]!]}
      </div>
      <div className={style.tipNote}>
        {formatMicroseconds(many > 1 ? marks.busy_us[mark]! : marks.duration_us[mark]!)}
        {" · "}
        {say(`profile.category.${category}`)}
      </div>
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
