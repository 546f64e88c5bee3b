import { memo, type Ref } from "react";
import { count } from "../../../i18n/format";
import { useWords } from "../../../i18n/words";
import marks from "../../../ui/mark.module.css";
import { hasControls, type Span, spansOf, type TextStyle } from "./ansi";
import style from "./job-log.module.css";
import type { LogLine, Match } from "./log-buffer";

/** Longer lines are cut; the downloaded file has all of them. */
const MAX_CHARS = 4000;

interface LogLineRowProps {
  line: LogLine;
  index: number;
  top: number;
  matches: readonly Match[];
  /** The match that was jumped to, if it is in this line. */
  current: Match | null;
  ref: Ref<HTMLDivElement>;
}

export const LogLineRow = memo(function LogLineRow(props: LogLineRowProps) {
  const { line, index, top, matches, current, ref } = props;
  const say = useWords();
  const more = line.text.length - MAX_CHARS;
  const text = more > 0 ? line.text.slice(0, MAX_CHARS) : line.text;
  return (
    <div
      ref={ref}
      className={style.line}
      style={{ transform: `translateY(${top}px)` }}
      data-index={index}
      data-testid="log-line"
    >
      <time
        className={style.time}
        title={fullTime(line.at)}
        dateTime={new Date(line.at * 1000).toISOString()}
      >
        {clockTime(line.at)}
      </time>
      <span className={style.text}>
        {matches.length > 0 || line.style.color || hasControls(text) || line.style.bold ? (
          <Styled text={text} begin={line.style} matches={matches} current={current} />
        ) : (
          text
        )}
        {more > 0 && <span className={style.cut}> {say("hub.log.cut", { count: count(more) })}</span>}
        {text === "" && "\u200b"}
      </span>
    </div>
  );
});

interface StyledProps {
  text: string;
  begin: TextStyle;
  matches: readonly Match[];
  current: Match | null;
}

function Styled({ text, begin, matches, current }: StyledProps) {
  const { spans } = spansOf(text, begin);
  return piecesOf(spans, matches).map(({ text, style: { color, ...how }, match }, at) => {
    const names = [
      color && style[color],
      ...(["bold", "dim", "italic", "underline"] as const).map((name) => how[name] && style[name]),
      match && marks.mark,
      match && match === current && style.current,
    ].filter(Boolean);
    const Tag = match ? "mark" : "span";
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: a line is drawn anew as a whole
      <Tag key={at} className={names.join(" ")}>
        {text}
      </Tag>
    );
  });
}

interface Piece extends Span {
  match: Match | null;
}

/** Spans, cut where matches begin and end. */
function piecesOf(spans: readonly Span[], matches: readonly Match[]): Piece[] {
  const pieces: Piece[] = [];
  let start = 0;
  for (const span of spans) {
    const end = start + span.text.length;
    let at = start;
    const add = (to: number, match: Match | null) => {
      if (to > at) pieces.push({ text: span.text.slice(at - start, to - start), style: span.style, match });
      at = Math.max(at, to);
    };
    for (const match of matches) {
      if (match.to <= start || match.from >= end) continue;
      add(match.from, null);
      add(Math.min(match.to, end), match);
    }
    add(end, null);
    start = end;
  }
  return pieces;
}

/** Formatters of the browser cost more than a whole line. */
function clockTime(at: number): string {
  const when = new Date(at * 1000);
  return [when.getHours(), when.getMinutes(), when.getSeconds()].map(twoDigits).join(":");
}

function fullTime(at: number): string {
  const when = new Date(at * 1000);
  const date = [when.getFullYear(), when.getMonth() + 1, when.getDate()].map(twoDigits).join("-");
  return `${date} ${clockTime(at)}.${String(when.getMilliseconds()).padStart(3, "0")}`;
}

const twoDigits = (value: number) => String(value).padStart(2, "0");
