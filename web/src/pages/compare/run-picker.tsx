/** Adds a run to those that are compared. */

import { useMemo, useState } from "react";
import { match } from "../../base/fuzzy";
import { type RunFacts, useListed } from "../../state/facts";
import { commit } from "../../state/view";
import { Button } from "../../widgets/button";
import { Field } from "../../widgets/field";
import { Popover } from "../../widgets/popover";
import { useWords } from "../../words/words";
import style from "./compare.module.css";
import { MOST_COMPARED } from "./compared";

const MOST_LISTED = 40;

export function RunPicker({ compared }: { compared: readonly RunFacts[] }) {
  const say = useWords();
  const full = compared.length >= MOST_COMPARED;
  return (
    <Popover
      label={say("compare.add")}
      align="start"
      trigger={
        <Button icon="plus" disabled={full} data-testid="compare-add">
          {say("compare.add")}
        </Button>
      }
    >
      <List compared={compared} />
    </Popover>
  );
}

function List({ compared }: { compared: readonly RunFacts[] }) {
  const say = useWords();
  const listed = useListed();
  const [text, setText] = useState("");
  const found = useMemo(() => {
    const chosen = new Set(compared);
    return listed
      .flatMap((run) => {
        const answer = chosen.has(run) ? null : match(`${run.label} ${run.name}`, text);
        return answer ? [{ run, score: answer.score }] : [];
      })
      .sort((a, b) => b.score - a.score)
      .slice(0, MOST_LISTED);
  }, [listed, compared, text]);
  const add = (run: RunFacts) => commit({ compare: [...compared, run].map(({ name }) => name) });
  return (
    <div className={style.picker}>
      <Field
        label={say("runs.filter")}
        clearLabel={say("action.clear")}
        value={text}
        onChange={setText}
        onKeyDown={(event) => {
          const first = found[0];
          if (event.key === "Enter" && first) add(first.run);
        }}
      />
      <ul className={style.choices}>
        {found.map(({ run }) => (
          <li key={run.name}>
            <button type="button" onClick={() => add(run)}>
              <bdi>{run.label}</bdi>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
