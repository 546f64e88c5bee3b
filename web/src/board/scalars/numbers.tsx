/** The numbers of a card: completeness, and last, minimum and maximum of each line. */

import { useQuery } from "@tanstack/react-query";
import { fetchStats } from "../../api/board";
import { bytes, timeOfDay } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { formatStep, formatValue } from "../../lib/number";
import { WrappedName } from "../../ui/run-name";
import { Swatch } from "../../ui/swatch";
import { useRuns } from "../data/lists";
import { useLive } from "../data/live";
import { colorOf, dashOf } from "../runs/line-styles";
import { useColorScheme } from "../view/theme";
import { useView } from "../view/view";
import type { Line } from "./card-subscriptions";
import style from "./numbers.module.css";
import type { PointCounts } from "./point-counts";

interface NumbersProps {
  lines: readonly Line[];
  figures: PointCounts;
}

export function Numbers({ lines, figures }: NumbersProps) {
  return (
    <>
      <Truth lines={lines} figures={figures} />
      <Statistics lines={lines.filter(({ lineStyle }) => lineStyle.members === null)} />
    </>
  );
}

function Truth({ lines, figures }: NumbersProps) {
  const say = useWords();
  const { answeredAt, reached } = useLive();
  const repeats = useView((view) => view.repeats);
  const ids = new Set(lines.flatMap(({ lineStyle }) => lineStyle.members ?? [lineStyle.id]));
  const torn = useRuns().filter((run) => ids.has(run.id) && run.damage_regions > 0);
  const size = bytes(torn.reduce((sum, run) => sum + run.damage_bytes, 0));
  return (
    <>
      <dl className={style.facts}>
        <dt>{say("fidelity.drawn")}</dt>
        <dd data-fact="drawn">{formatStep(figures.drawn)}</dd>
        <dt>{say("fidelity.held")}</dt>
        <dd data-fact="held">{formatStep(figures.total)}</dd>
        <dt>{say("fidelity.skipped")}</dt>
        <dd data-fact="skipped">
          {torn.length === 0 ? say("fidelity.none") : say("fidelity.skippedOf", { size, runs: torn.length })}
        </dd>
        <dt>{say("fidelity.age")}</dt>
        <dd data-fact="age" className={reached ? undefined : style.old}>
          {timeOfDay(answeredAt)}
        </dd>
      </dl>
      <p className={style.fact}>
        {say(figures.thinned ? "card.thinned" : "card.exact", {
          drawn: formatStep(figures.drawn),
          held: formatStep(figures.total),
        })}
      </p>
      {figures.repeats && repeats === "last" && <p className={style.fact}>{say("repeats.lastWhat")}</p>}
    </>
  );
}

function Statistics({ lines }: { lines: readonly Line[] }) {
  const say = useWords();
  const scheme = useColorScheme();
  const runs = [...new Set(lines.map(({ lineStyle }) => lineStyle.id))];
  const tags = [...new Set(lines.map(({ tag }) => tag))];
  const { data } = useQuery({
    queryKey: ["stats", tags, runs],
    queryFn: ({ signal }) => fetchStats({ tags, runs }, signal),
    staleTime: 0,
    gcTime: 0,
  });
  if (!data) return null;
  const byLine = new Map(data.stats.map((stats) => [`${stats.run} ${stats.tag}`, stats]));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long table is scrolled by keys too
    <section className={style.scroll} tabIndex={0} aria-label={say("card.numbers")}>
      <table className={style.table}>
        <thead>
          <tr>
            <th scope="col" className={style.run}>
              {say("tip.run")}
            </th>
            {tags.length > 1 && <th scope="col">{say("values.tag")}</th>}
            <th scope="col">{say("numbers.last")}</th>
            <th scope="col">{say("numbers.min")}</th>
            <th scope="col">{say("numbers.max")}</th>
            <th scope="col">{say("numbers.points")}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ lineStyle, tag }) => {
            const stats = byLine.get(`${lineStyle.id} ${tag}`);
            if (!stats) return null;
            return (
              <tr key={`${lineStyle.id} ${tag}`}>
                <th scope="row" className={style.run}>
                  <Swatch color={colorOf(lineStyle, scheme)} dash={dashOf(lineStyle)} />
                  <WrappedName name={lineStyle.label} title={lineStyle.name} />
                </th>
                {tags.length > 1 && <td>{tag}</td>}
                <td>{number(stats.last_value)}</td>
                <td>
                  {say("numbers.at", {
                    value: number(stats.min_value),
                    step: formatStep(stats.min_step ?? 0),
                  })}
                </td>
                <td>
                  {say("numbers.at", {
                    value: number(stats.max_value),
                    step: formatStep(stats.max_step ?? 0),
                  })}
                </td>
                <td>{formatStep(stats.held)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

/** Numbers that JSON cannot express are strings. */
function number(value: number | string | null): string {
  return value === null ? "–" : formatValue(Number(value), 5);
}
