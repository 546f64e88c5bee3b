/** The numbers behind a card: how true the picture is, and last, least and greatest of each run. */

import { useQuery } from "@tanstack/react-query";
import { cloneElement, useState } from "react";
import { askStats } from "../../api/board";
import { formatStep, formatValue } from "../../base/number";
import type { TagInfo } from "../../state/lists";
import { colorOf, dashOf, type RunLook } from "../../state/looks";
import { useShade } from "../../state/theme";
import { Button } from "../../widgets/button";
import { Popover } from "../../widgets/popover";
import { Swatch } from "../../widgets/swatch";
import { useWords } from "../../words/words";
import type { Figures } from "./figures";
import style from "./numbers.module.css";

interface NumbersProps {
  tag: TagInfo;
  runs: readonly RunLook[];
  figures: Figures;
}

export function Numbers({ tag, runs, figures }: NumbersProps) {
  const say = useWords();
  const [asked, setAsked] = useState(false);
  const [open, setOpen] = useState(true);
  const button = <Button look="quiet" size="small" icon="info" label={say("card.numbers")} />;
  // A hundred cards scroll by for each one that is asked: until then there is only the button.
  if (!asked) return cloneElement(button, { onClick: () => setAsked(true), "aria-haspopup": "dialog" });
  return (
    <Popover
      label={say("numbers.title", { tag: tag.tag })}
      defaultOpen
      onOpenChange={setOpen}
      trigger={button}
    >
      <p className={style.fact}>
        {say(figures.thinned ? "card.thinned" : "card.exact", {
          drawn: formatStep(figures.drawn),
          held: formatStep(figures.held),
        })}
      </p>
      {open && <Statistics tag={tag.tag} runs={runs} />}
    </Popover>
  );
}

function Statistics({ tag, runs }: { tag: string; runs: readonly RunLook[] }) {
  const say = useWords();
  const shade = useShade();
  const ids = runs.map((run) => run.id);
  const { data } = useQuery({
    queryKey: ["stats", tag, ids],
    queryFn: ({ signal }) => askStats({ tags: [tag], runs: ids }, signal),
    staleTime: 0,
    gcTime: 0,
  });
  if (!data) return null;
  const byRun = new Map(data.stats.map((stats) => [stats.run, stats]));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long table is scrolled by keys too
    <section className={style.scroll} tabIndex={0} aria-label={say("card.numbers")}>
      <table className={style.table}>
        <thead>
          <tr>
            <th scope="col" className={style.run}>
              {say("tip.run")}
            </th>
            <th scope="col">{say("numbers.last")}</th>
            <th scope="col">{say("numbers.min")}</th>
            <th scope="col">{say("numbers.max")}</th>
            <th scope="col">{say("numbers.points")}</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => {
            const stats = byRun.get(run.id);
            if (!stats) return null;
            return (
              <tr key={run.id}>
                <th scope="row" className={style.run}>
                  <Swatch color={colorOf(run, shade)} dash={dashOf(run)} />
                  <bdi title={run.name}>{run.label}</bdi>
                </th>
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

/** Numbers that JSON cannot hold arrive as words. */
function number(value: number | string | null): string {
  return value === null ? "–" : formatValue(Number(value), 5);
}
