/** Adds a run to the comparison. */

import { useMemo, useState } from "react";
import { useWords } from "../../../i18n/words";
import { match } from "../../../lib/fuzzy";
import { Button } from "../../../ui/button";
import { Field } from "../../../ui/field";
import { Popover } from "../../../ui/popover";
import { type RunDetails, useListedDetails } from "../../runs/run-details";
import { commit } from "../../view/view";
import style from "./compare.module.css";
import { MAX_COMPARED } from "./compared-runs";

const MAX_LISTED = 40;

export function RunPicker({ compared }: { compared: readonly RunDetails[] }) {
  const say = useWords();
  const full = compared.length >= MAX_COMPARED;
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

function List({ compared }: { compared: readonly RunDetails[] }) {
  const say = useWords();
  const listed = useListedDetails();
  const [text, setText] = useState("");
  const found = useMemo(() => {
    const chosen = new Set(compared);
    return listed
      .flatMap((run) => {
        const answer = chosen.has(run) ? null : match(`${run.label} ${run.name}`, text);
        return answer ? [{ run, score: answer.score }] : [];
      })
      .sort((a, b) => b.score - a.score)
      .slice(0, MAX_LISTED);
  }, [listed, compared, text]);
  const add = (run: RunDetails) => commit({ compare: [...compared, run].map(({ name }) => name) });
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
