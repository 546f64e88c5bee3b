/** The name of a run where room is short: its middle gives way, as names mostly differ at their ends; or it takes lines. */

import { endOf } from "../base/short-names";
import { Breakable } from "./breakable";
import { Mark } from "./mark";
import style from "./run-name.module.css";

type Span = readonly [number, number];

interface RunNameProps {
  name: string;
  /** Said under the pointer; the name itself unless given, nothing where something around it says it. */
  title?: string | undefined;
  className?: string | undefined;
  /** The part that a filter found. */
  span?: Span | null;
}

export function RunName({ name, title = name, className = "", span = null }: RunNameProps) {
  const told = title || undefined;
  const at = endOf(name);
  // Tables draw very many of these: a name that is not parted is plain text.
  if (at === name.length)
    return (
      <bdi className={`${style.whole} ${className}`} title={told}>
        <Mark text={name} span={span} />
      </bdi>
    );
  const begin = name.slice(0, at);
  return (
    <bdi className={`${style.parted} ${className}`} title={told}>
      <span className={style.begin}>
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

/** The name of a run where there is room below: it takes as many lines as it needs. */
export function WrappedName({ name, title = name }: WrappedNameProps) {
  return (
    <bdi className={style.wrapped} title={title || undefined}>
      <Breakable>{name}</Breakable>
    </bdi>
  );
}

/** What of a part lies between two places, counted from the first. */
function within(span: Span | null, from: number, to: number): Span | null {
  if (span === null || span[1] <= from || span[0] >= to) return null;
  return [Math.max(span[0], from) - from, Math.min(span[1], to) - from];
}
