/** The dot in the corner of a card whose picture is not the whole truth: thinned, damaged or old. A click tells how. */

import type { Ref } from "react";
import { remember } from "../../base/remember";
import { type RunInfo, useRuns } from "../../state/lists";
import { useLive } from "../../state/live";
import { useWords } from "../../words/words";
import style from "./fidelity.module.css";
import type { Figures } from "./figures";

let known: ReadonlySet<number> = new Set();

/** Ids of the runs of which something could not be read; the same set as long as they are the same. */
const damaged = remember((runs: readonly RunInfo[]): ReadonlySet<number> => {
  const found = new Set(runs.filter((run) => run.damage_regions > 0).map(({ id }) => id));
  const same = found.size === known.size && [...found].every((id) => known.has(id));
  if (!same) known = found;
  return known;
});

interface FidelityProps {
  figures: Figures;
  runs: readonly { id: number }[];
  onClick(): void;
  ref: Ref<HTMLButtonElement>;
}

export function Fidelity({ figures, runs, onClick, ref }: FidelityProps) {
  const say = useWords();
  const torn = damaged(useRuns());
  const reached = useLive((live) => live.reached);
  const lost = torn.size > 0 && runs.some(({ id }) => torn.has(id));
  if (!figures.thinned && !lost && reached) return null;
  return (
    <button
      ref={ref}
      type="button"
      className={style.mark}
      data-testid="fidelity"
      data-why={[figures.thinned && "thinned", lost && "skipped", !reached && "stale"]
        .filter(Boolean)
        .join(" ")}
      aria-label={say("fidelity.label")}
      title={say("fidelity.label")}
      onClick={onClick}
    />
  );
}
