/**
 * The name of a run where space is limited: it is cut in the middle, as names mostly differ at their ends, or it
 * wraps.
 */

import { endOf } from "../lib/short-names";
import { Breakable } from "./breakable";
import { Mark } from "./mark";
import style from "./run-name.module.css";

/** Beginnings of this length are not cut: an ellipsis would hardly be shorter. */
const SHORT_CHARS = 4;

type Span = readonly [number, number];

interface RunNameProps {
  name: string;
  /** The tooltip; the name itself by default, "" for none. */
  title?: string | undefined;
  className?: string | undefined;
  /** The part that matched a filter. */
  span?: Span | null;
}

export function RunName({ name, title = name, className = "", span = null }: RunNameProps) {
  const tooltip = title || undefined;
  const at = endOf(name);
  // Tables contain very many of these: a name that is not split is plain text.
  if (at === name.length)
    return (
      <bdi className={`${style.whole} ${className}`} title={tooltip}>
        <Mark text={name} span={span} />
      </bdi>
    );
  const begin = name.slice(0, at);
  return (
    <bdi className={`${style.parted} ${className}`} title={tooltip}>
      <span className={begin.length > SHORT_CHARS ? style.begin : style.shortBegin}>
        <Mark text={begin} span={within(span, 0, begin.length)} />
      </span>
      <span className={style.end}>
        <bdi>
          <Mark text={name.slice(begin.length)} span={within(span, begin.length, name.length)} />
        </bdi>
      </span>
    </bdi>
  );
}

interface WrappedNameProps {
  name: string;
  title?: string | undefined;
}

/** The name of a run that wraps into as many lines as it needs. */
export function WrappedName({ name, title = name }: WrappedNameProps) {
  return (
    <bdi className={style.wrapped} title={title || undefined}>
      <Breakable>{name}</Breakable>
    </bdi>
  );
}

/** The part of a span between two positions, relative to the first. */
function within(span: Span | null, from: number, to: number): Span | null {
  if (span === null || span[1] <= from || span[0] >= to) return null;
  return [Math.max(span[0], from) - from, Math.min(span[1], to) - from];
}
