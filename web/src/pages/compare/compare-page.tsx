/** The Compare page: what differs between runs first, then how they did, then their curves over one another. */

import { useEffect, useMemo, useState } from "react";
import { CardGrid } from "../../panels/scalars/card-grid";
import { copyText } from "../../state/clipboard";
import { directionOf } from "../../state/direction";
import { looksUnder } from "../../state/drawn";
import type { RunFacts } from "../../state/facts";
import { type TagInfo, useTags } from "../../state/lists";
import { type RunLook, useLooks } from "../../state/looks";
import { notify } from "../../state/notice";
import { useFigures } from "../../state/seriesstats";
import { commit, useView } from "../../state/view";
import { Button } from "../../widgets/button";
import { Segmented } from "../../widgets/segmented";
import { useWords } from "../../words/words";
import style from "./compare.module.css";
import { CompareTable, metricName } from "./compare-table";
import { MOST_COMPARED, useCompared } from "./compared";
import { toCsv, toMarkdown } from "./copying";
import { configRows, metricRow, type Telling } from "./rows";
import { RunPicker } from "./run-picker";

/** Further rows and cards come when they are asked for. */
const FIRST_METRICS = 60;
const FIRST_CARDS = 6;
/** Names of formats, the same in every language. */
const MARKDOWN = "Markdown";
const CSV = "CSV";

export default function ComparePage() {
  const say = useWords();
  const { runs, baseline, asked } = useCompared();
  const tags = useHeldTags(runs);
  const { figures, failed } = useFigures(tags, runs);
  const [telling, setTelling] = useState<Telling>("best");
  const config = useMemo(() => configRows(runs), [runs]);
  const metrics = useMemo(
    () =>
      figures
        ? tags.map(({ tag }) =>
            metricRow(
              tag,
              runs.map((run) => figures(run, tag)),
              telling,
            ),
          )
        : null,
    [figures, tags, runs, telling],
  );
  useEffect(() => {
    if (metrics !== null || runs.length < 2 || failed) document.documentElement.dataset.ready = "true";
  }, [metrics, runs.length, failed]);

  const copy = async (write: typeof toCsv) => {
    const text = write({
      runs: runs.map(({ label }) => label),
      config: [...config.differing, ...config.equal],
      metrics: metrics ?? [],
      metricName: (row) => metricName(row, say),
    });
    notify((await copyText(text)) ? "compare.copied" : "notice.notCopied");
  };
  const tellings: readonly { value: Telling; label: string }[] = [
    { value: "best", label: say("compare.best") },
    { value: "last", label: say("compare.last") },
    { value: "min", label: say("compare.min") },
    { value: "max", label: say("compare.max") },
    { value: "mean", label: say("compare.mean") },
  ];

  return (
    <main className={style.page} id="cards" tabIndex={-1}>
      <div className={style.bar}>
        <h2 className={style.title}>{say("page.compare")}</h2>
        <RunPicker compared={runs} />
        <span className={style.grow} />
        <Segmented<Telling>
          label={say("compare.telling")}
          value={telling}
          options={tellings}
          onChange={setTelling}
        />
        <Button icon="copy" onClick={() => void copy(toMarkdown)}>
          {MARKDOWN}
        </Button>
        <Button icon="copy" onClick={() => void copy(toCsv)}>
          {CSV}
        </Button>
      </div>
      {asked > MOST_COMPARED && (
        <p className={style.note} role="status">
          {say("compare.first", { shown: MOST_COMPARED, asked })}
        </p>
      )}
      {runs.length < 2 || baseline === null ? (
        <div className={style.few}>
          <h3>{say("compare.choose")}</h3>
          <p>{say("compare.chooseHow")}</p>
        </div>
      ) : (
        <>
          <CompareTable
            runs={runs}
            baseline={baseline}
            config={config}
            metrics={metrics}
            first={FIRST_METRICS}
            onDrop={(run) => commit({ compare: runs.filter((each) => each !== run).map(({ name }) => name) })}
          />
          <Curves tags={tags} runs={runs} />
        </>
      )}
    </main>
  );
}

/** Tags that one of the runs holds, in the order of the page. */
function useHeldTags(runs: readonly RunFacts[]): readonly TagInfo[] {
  const tags = useTags();
  return useMemo(() => {
    const ids = new Set(runs.flatMap(({ id, folded }) => [id, ...folded]));
    return tags.filter((tag) => tag.runs.some((id) => ids.has(id)));
  }, [tags, runs]);
}

/** The curves that say most: pinned ones, then those of which it is known which way is better. */
function Curves({ tags, runs }: { tags: readonly TagInfo[]; runs: readonly RunFacts[] }) {
  const say = useWords();
  const pinned = useView((view) => view.pinned);
  const looks = useLooks();
  const [all, setAll] = useState(false);
  const cards = useMemo(() => {
    const rank = ({ tag }: TagInfo) => (pinned.includes(tag) ? 0 : directionOf(tag) !== null ? 1 : 2);
    return tags
      .toSorted((a, b) => rank(a) - rank(b))
      .map((tag) => ({ tag, runs: looksOf(tag, runs, looks) }));
  }, [tags, runs, looks, pinned]);
  const shown = all ? cards : cards.slice(0, FIRST_CARDS);
  return (
    <section aria-label={say("compare.curves")}>
      <h3 className={style.section}>{say("compare.curves")}</h3>
      <CardGrid cards={shown} />
      {shown.length < cards.length && (
        <Button className={style.more} onClick={() => setAll(true)}>
          {say("compare.allCurves", { count: cards.length })}
        </Button>
      )}
    </section>
  );
}

/** The compared runs under a tag, a folded one in the look of the run it belongs to. */
function looksOf(
  tag: TagInfo,
  runs: readonly RunFacts[],
  looks: ReadonlyMap<number, RunLook>,
): readonly RunLook[] {
  return runs.flatMap((run) => {
    const look = looks.get(run.id);
    return look ? looksUnder(tag, run, look) : [];
  });
}
