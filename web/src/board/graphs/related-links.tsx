/** From a node or scope to the series that are named after it. Shown only if there are any. */

import { useMemo } from "react";
import { useWords, type WordId } from "../../i18n/words";
import { compile } from "../../lib/pattern";
import { Button } from "../../ui/button";
import { tagFilterOf } from "../cards/related-tags";
import type { TagInfo } from "../data/lists";
import { useKindTags } from "../runs/kind-tags";
import { commit } from "../view/view";
import side from "./side.module.css";

interface RelatedLinksProps {
  /** The run of the graph; null for the logdir. */
  run: number | null;
  path: string;
}

export function RelatedLinks({ run, path }: RelatedLinksProps) {
  const say = useWords();
  const filter = useMemo(() => tagFilterOf(path), [path]);
  const scalars = useKindTags("scalars").tags;
  const histograms = useKindTags("histograms").tags;
  const links: { page: string; word: WordId; count: number }[] = [
    {
      page: "timeseries" as const,
      word: "graphs.related.scalars" as const,
      count: related(scalars, filter, run),
    },
    {
      page: "histograms" as const,
      word: "graphs.related.histograms" as const,
      count: related(histograms, filter, run),
    },
  ].filter(({ count }) => count > 0);
  if (filter === null || links.length === 0) return null;
  return (
    <section className={side.part} aria-label={say("graphs.related")} data-testid="graph-related">
      <h3 className={side.sub}>{say("graphs.related")}</h3>
      <div className={side.actions}>
        {links.map(({ page, word, count }) => (
          <Button key={page} size="small" onClick={() => commit({ page, subject: "", tagFilter: filter })}>
            {say(word, { count })}
          </Button>
        ))}
      </div>
    </section>
  );
}

function related(tags: readonly TagInfo[], filter: string | null, run: number | null): number {
  if (filter === null || run === null) return 0;
  const { matches } = compile(filter);
  return tags.filter(({ tag, runs }) => runs.includes(run) && matches(tag)).length;
}
