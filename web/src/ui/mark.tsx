/** Text on one line with one part highlighted, such as a match. What is around it is cut before the part is. */

import style from "./mark.module.css";

export function Mark({ text, span }: { text: string; span: readonly [number, number] | null }) {
  if (!span) return text;
  return (
    <span className={style.text}>
      <span className={style.before}>{text.slice(0, span[0])}</span>
      <mark className={style.mark}>{text.slice(span[0], span[1])}</mark>
      <span className={style.after}>{text.slice(span[1])}</span>
    </span>
  );
}
