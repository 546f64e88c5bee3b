import style from "./mark.module.css";

/** Text with one part highlighted, such as a match. */
export function Mark({ text, span }: { text: string; span: readonly [number, number] | null }) {
  if (!span) return text;
  return (
    <>
      {text.slice(0, span[0])}
      <mark className={style.mark}>{text.slice(span[0], span[1])}</mark>
      {text.slice(span[1])}
    </>
  );
}
