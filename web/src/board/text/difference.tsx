/** Shows the differences of two texts: removed words struck through, added words underlined. */

import { useMemo } from "react";
import { useWords } from "../../i18n/words";
import { wordDiff } from "../../lib/word-diff";
import style from "./difference.module.css";

interface DifferenceProps {
  before: string;
  after: string;
  /** Show nothing if there is no difference. */
  quiet?: boolean;
}

export function Difference({ before, after, quiet = false }: DifferenceProps) {
  const say = useWords();
  const pieces = useMemo(() => wordDiff(before, after), [before, after]);
  const same = pieces.every(({ kind }) => kind === "same");
  return (
    <>
      {same && !quiet && <p className={style.same}>{say("text.same")}</p>}
      <pre className={style.text} dir="auto">
        {pieces.map(({ kind, text }, at) => {
          // biome-ignore lint/suspicious/noArrayIndexKey: a piece has no other name than its place
          if (kind === "added") return <ins key={at}>{text}</ins>;
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          if (kind === "removed") return <del key={at}>{text}</del>;
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          return <span key={at}>{text}</span>;
        })}
      </pre>
    </>
  );
}
