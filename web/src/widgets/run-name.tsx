/** The name of a run where room is short: its middle gives way, as names mostly differ at their ends. */

import { Mark } from "./mark";
import style from "./run-name.module.css";

/** So many letters of the end stay as long as there is room for them. */
const END = 8;
/** Names up to this length are not parted. */
const SHORT = 12;

type Span = readonly [number, number];

interface RunNameProps {
  name: string;
  /** Said under the pointer; the name itself unless given, nothing where something around it says it. */
  title?: string | undefined;
  className?: string | undefined;
  /** There is room for a few letters only: shorter names lose their middle too. */
  tight?: boolean;
  /** The part that a filter found. */
  span?: Span | null;
}

export function RunName({ name, title = name, className = "", tight = false, span = null }: RunNameProps) {
  const letters = [...name];
  const told = title || undefined;
  // Tables draw very many of these: a name that is not parted is plain text.
  if (letters.length <= (tight ? END : SHORT))
    return (
      <bdi className={`${style.whole} ${className}`} title={told}>
        <Mark text={name} span={span} />
      </bdi>
    );
  const begin = letters.slice(0, -END).join("");
  return (
    <bdi className={`${style.parted} ${className}`} title={told}>
      <span className={style.begin}>
        <Mark text={begin} span={within(span, 0, begin.length)} />
      </span>
      <span className={style.end}>
        <Mark text={name.slice(begin.length)} span={within(span, begin.length, name.length)} />
      </span>
    </bdi>
  );
}

/** What of a part lies between two places, counted from the first. */
function within(span: Span | null, from: number, to: number): Span | null {
  if (span === null || span[1] <= from || span[0] >= to) return null;
  return [Math.max(span[0], from) - from, Math.min(span[1], to) - from];
}
