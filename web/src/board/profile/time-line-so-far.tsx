/** While a capture is read for the first time: its time line as far as it was read, as a picture that cannot be zoomed. */

import { useEffect, useMemo, useRef, useState } from "react";
import { useWords } from "../../i18n/words";
import { formatMicroseconds } from "../../lib/microseconds";
import { useColorScheme } from "../view/theme";
import { useView } from "../view/view";
import { percent } from "./labels";
import style from "./profile.module.css";
import { type CaptureName, showProfile, type TimeLine, useTimeLineSoFar } from "./profiles";
import lineStyle from "./time-line.module.css";
import { TimeLineHeads } from "./time-line-heads";
import { placesOf, RULER_PX, scrollOf } from "./time-line-places";
import { useScrollSize, useTimeLinePicture } from "./use-time-line-picture";

/** Most captures are read within this time, and nothing but them is asked for. */
const LATE_MS = 400;
const WIDTH = 1440;
const NOTHING = { steps: [], chosen: null, range: null, details: null, pinnedStep: null, hovered: null };

export function TimeLineSoFar({ name }: { name: CaptureName }) {
  const say = useWords();
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LATE_MS);
    return () => clearTimeout(timer);
  }, []);
  const { data } = useTimeLineSoFar(name, WIDTH, isLate);
  return (
    <>
      <p className={data ? style.note : style.reading} role="status">
        {data ? say("profile.readingPart", { part: percent(data.loaded, 1) }) : say("profile.reading")}
      </p>
      {data && <PartPicture line={data} />}
    </>
  );
}

function PartPicture({ line }: { line: TimeLine }) {
  const say = useWords();
  const { closed, pinned } = useView((state) => state.profile);
  const scheme = useColorScheme();
  const scroll = useRef<HTMLElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useScrollSize(scroll);
  const [top, setTop] = useState(0);
  const places = useMemo(() => placesOf(line, { closed, pinned }), [line, closed, pinned]);
  const scrolled = useMemo(() => scrollOf(places, top, size.height), [places, top, size.height]);
  const picture = useMemo(
    () => ({ ...NOTHING, line, places, window: [0, line.end_us] as const, scroll: scrolled, scheme }),
    [line, places, scrolled, scheme],
  );
  useTimeLinePicture(canvas, size, picture);
  const fold = (kind: "closed" | "pinned") => (key: string) => {
    const keys = kind === "closed" ? closed : pinned;
    showProfile({ [kind]: keys.includes(key) ? keys.filter((each) => each !== key) : [...keys, key] });
  };
  return (
    <section
      ref={scroll}
      className={lineStyle.scroll}
      aria-label={say("profile.timePicture", {
        tracks: line.total,
        begin: formatMicroseconds(0),
        end: formatMicroseconds(line.end_us),
      })}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what is scrolled by keys must be reached by them
      tabIndex={0}
      data-testid="time-line-so-far"
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <div className={lineStyle.inside} style={{ minHeight: places.height + RULER_PX }}>
        <TimeLineHeads
          {...{ line, places, scroll: scrolled, height: size.height }}
          onFold={fold("closed")}
          onPin={fold("pinned")}
        />
        <canvas
          ref={canvas}
          className={lineStyle.canvas}
          style={{ width: size.width, height: size.height }}
        />
      </div>
    </section>
  );
}
