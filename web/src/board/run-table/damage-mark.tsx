/** The mark of a run with damaged files, and details: file, byte, what was skipped. */

import { useState } from "react";
import { bytes } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { formatStep } from "../../lib/number";
import { Icon } from "../../ui/icon";
import { Popover } from "../../ui/popover";
import { type RunInfo, useProblems } from "../data/lists";
import style from "./damage-mark.module.css";
import rowStyle from "./run-row.module.css";

export function DamageMark({ run }: { run: RunInfo }) {
  const say = useWords();
  const [open, setOpen] = useState(false);
  const name = say("damage.name", { run: run.name });
  return (
    <Popover
      label={name}
      align="start"
      onOpenChange={setOpen}
      trigger={
        <button type="button" className={rowStyle.damage} aria-label={name} title={name} data-testid="damage">
          <Icon name="warning" size={14} />
        </button>
      }
    >
      <div className={style.title}>{say("damage.title", { size: bytes(run.damage_bytes) })}</div>
      <p className={style.why}>{say("damage.why")}</p>
      {open && <Places run={run.name} />}
    </Popover>
  );
}

function Places({ run }: { run: string }) {
  const say = useWords();
  const { data } = useProblems(true);
  const places = data?.problems.filter((problem) => problem.run === run) ?? [];
  return (
    <ul className={style.list}>
      {places.map((place) => (
        <li key={`${place.file} ${place.offset}`}>
          <bdi className={style.file}>{place.file}</bdi>
          <span className={style.where}>
            {place.kind === "damage"
              ? say("damage.place", { offset: formatStep(place.offset), length: formatStep(place.length) })
              : place.message}
          </span>
        </li>
      ))}
    </ul>
  );
}
