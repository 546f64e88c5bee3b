/** The tags of a run with their statistics. A tag links to its card. */

import { useState } from "react";
import { useWords } from "../../../i18n/words";
import { formatStep, formatValue } from "../../../lib/number";
import { Button } from "../../../ui/button";
import type { TagInfo } from "../../data/lists";
import { partName } from "../../runs/card-lines";
import { nonfiniteText } from "../../runs/nonfinite-metrics";
import type { RunDetails } from "../../runs/run-details";
import type { SeriesSummaryOf } from "../../runs/series-stats";
import { goToTag } from "../../view/jump";
import style from "./run.module.css";

const FIRST = 30;
const DIGITS = 5;

interface TagTableProps {
  tags: readonly TagInfo[];
  run: RunDetails;
  /** Null while they load. */
  figures: SeriesSummaryOf | null;
}

export function TagTable({ tags, run, figures }: TagTableProps) {
  const say = useWords();
  const [all, setAll] = useState(false);
  const shown = all ? tags : tags.slice(0, FIRST);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: wide tables are scrolled by keys too
    <section className={style.scroll} tabIndex={0} aria-label={say("run.tags")}>
      <table className={style.table} data-testid="run-tags">
        <thead>
          <tr>
            <th scope="col">{say("values.tag")}</th>
            <th scope="col">{say("numbers.last")}</th>
            <th scope="col">{say("numbers.min")}</th>
            <th scope="col">{say("numbers.max")}</th>
            <th scope="col">{say("compare.mean")}</th>
            <th scope="col">{say("numbers.points")}</th>
          </tr>
        </thead>
        <tbody>
          {shown.flatMap((tag) =>
            seriesOf(tag, run).map(({ part, of }) => (
              <Line key={`${tag.tag} ${of.id}`} tag={tag.tag} part={part} run={of} figures={figures} />
            )),
          )}
        </tbody>
      </table>
      {shown.length < tags.length && (
        <Button variant="quiet" size="small" onClick={() => setAll(true)}>
          {say("run.allTags", { count: tags.length })}
        </Button>
      )}
    </section>
  );
}

/** If the run does not have the tag itself, the runs folded into it that do. */
function seriesOf(tag: TagInfo, run: RunDetails): readonly { part: string; of: RunDetails }[] {
  const children = run.folded.filter((id) => tag.runs.includes(id));
  if (tag.runs.includes(run.id) || children.length < 2) return [{ part: "", of: run }];
  return children.map((id) => ({
    part: partName(tag.tag, run.parts.get(id) ?? ""),
    of: { ...run, id, folded: [] },
  }));
}

interface LineProps {
  tag: string;
  part: string;
  run: RunDetails;
  figures: SeriesSummaryOf | null;
}

function Line({ tag, part, run, figures }: LineProps) {
  const say = useWords();
  const found = figures?.(run, tag);
  const at = (value: number, step: number) =>
    say("numbers.at", { value: formatValue(value, DIGITS), step: formatStep(step) });
  return (
    <tr data-tag={tag}>
      <th scope="row">
        <button type="button" onClick={() => goToTag(tag)}>
          <bdi>{part === "" ? tag : `${tag} · ${part}`}</bdi>
        </button>
      </th>
      <td
        title={found && String(found.last)}
        data-lost={(found && found.nonfiniteFrom !== null) || undefined}
      >
        {found &&
          (found.nonfiniteFrom === null
            ? formatValue(found.last, DIGITS)
            : nonfiniteText({ value: found.last, step: found.nonfiniteFrom }))}
      </td>
      <td title={found && String(found.min)}>{found && at(found.min, found.minStep)}</td>
      <td title={found && String(found.max)}>{found && at(found.max, found.maxStep)}</td>
      <td title={found && String(found.mean)}>{found && formatValue(found.mean, DIGITS)}</td>
      <td>{found && formatStep(found.points)}</td>
    </tr>
  );
}
