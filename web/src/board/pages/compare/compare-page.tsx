/** The Compare page: first the hyperparameters that differ, then metrics, then curves over one another. */

import { useMemo, useState } from "react";
import { useWords } from "../../../i18n/words";
import { copyText } from "../../../lib/clipboard";
import { usePageReady } from "../../../lib/use-page-ready";
import { Button } from "../../../ui/button";
import { Segmented } from "../../../ui/segmented";
import { type TagInfo, useRunList, useTagList, useTags } from "../../data/lists";
import { lineStylesOfRun } from "../../runs/card-lines";
import { directionOf } from "../../runs/direction";
import { type LineStyle, useLineStyles } from "../../runs/line-styles";
import type { RunDetails } from "../../runs/run-details";
import { useSeriesSummaries } from "../../runs/series-stats";
import { CardGrid } from "../../scalars/card-grid";
import { notify } from "../../view/notice";
import { commit, useView } from "../../view/view";
import style from "./compare.module.css";
import { CompareTable, metricName } from "./compare-table";
import { MAX_COMPARED, useComparedRuns } from "./compared-runs";
import { toCsv, toMarkdown } from "./comparison-text";
import { configRows, metricRow, type StatChoice } from "./rows";
import { RunPicker } from "./run-picker";

/** More rows and cards are shown on request. */
const FIRST_METRICS = 60;
const FIRST_CARDS = 6;
/** Names of formats, the same in every language. */
const MARKDOWN = "Markdown";
const CSV = "CSV";

export default function ComparePage() {
  const say = useWords();
  const { runs, baseline, requestedCount } = useComparedRuns();
  const tags = useTagsOfRuns(runs);
  const { figures, failed } = useSeriesSummaries(tags, runs);
  const [statChoice, setStatChoice] = useState<StatChoice>("best");
  const config = useMemo(() => configRows(runs), [runs]);
  const metrics = useMemo(
    () =>
      figures
        ? tags.map(({ tag }) =>
            metricRow(
              tag,
              runs.map((run) => figures(run, tag)),
              statChoice,
            ),
          )
        : null,
    [figures, tags, runs, statChoice],
  );
  const runsKnown = useRunList().data !== undefined;
  const tagsKnown = useTagList().data !== undefined;
  const complete = metrics !== null || runs.length < 2 || tags.length === 0;
  usePageReady(failed || (runsKnown && tagsKnown && complete));

  const copy = async (write: typeof toCsv) => {
    const text = write({
      runs: runs.map(({ label }) => label),
      config: [...config.differing, ...config.equal],
      metrics: metrics ?? [],
      metricName: (row) => metricName(row, say),
    });
    notify((await copyText(text)) ? "compare.copied" : "notice.notCopied");
  };
  const options: readonly { value: StatChoice; label: string }[] = [
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
        <Segmented<StatChoice>
          label={say("compare.telling")}
          value={statChoice}
          options={options}
          onChange={setStatChoice}
        />
        <Button icon="copy" onClick={() => void copy(toMarkdown)}>
          {MARKDOWN}
        </Button>
        <Button icon="copy" onClick={() => void copy(toCsv)}>
          {CSV}
        </Button>
      </div>
      {requestedCount > MAX_COMPARED && (
        <p className={style.note} role="status">
          {say("compare.first", { shown: MAX_COMPARED, asked: requestedCount })}
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

/** Tags that at least one of the runs has, in the order of the page. */
function useTagsOfRuns(runs: readonly RunDetails[]): readonly TagInfo[] {
  const tags = useTags();
  return useMemo(() => {
    const ids = new Set(runs.flatMap(({ id, folded }) => [id, ...folded]));
    return tags.filter((tag) => tag.runs.some((id) => ids.has(id)));
  }, [tags, runs]);
}

/** The most relevant curves: pinned ones, then those for which it is known which direction is better. */
function Curves({ tags, runs }: { tags: readonly TagInfo[]; runs: readonly RunDetails[] }) {
  const say = useWords();
  const pinned = useView((view) => view.pinned);
  const lineStyles = useLineStyles();
  const [all, setAll] = useState(false);
  const cards = useMemo(() => {
    const rank = ({ tag }: TagInfo) => (pinned.includes(tag) ? 0 : directionOf(tag) !== null ? 1 : 2);
    return tags
      .toSorted((a, b) => rank(a) - rank(b))
      .map((tag) => ({ tag, runs: stylesOf(tag, runs, lineStyles) }));
  }, [tags, runs, lineStyles, pinned]);
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

/** The line styles of the compared runs under a tag; a folded run has the style of its parent. */
function stylesOf(
  tag: TagInfo,
  runs: readonly RunDetails[],
  lineStyles: ReadonlyMap<number, LineStyle>,
): readonly LineStyle[] {
  return runs.flatMap((run) => {
    const lineStyle = lineStyles.get(run.id);
    return lineStyle ? lineStylesOfRun(tag, run, lineStyle) : [];
  });
}
