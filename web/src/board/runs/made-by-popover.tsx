/** Which job has made a run, beside where it is listed. */

import { useWords } from "../../i18n/words";
import { AnchoredPopover } from "../../ui/anchored-popover";
import { type Anchor, useAnchored } from "./anchor";
import { MadeBy } from "./made-by";
import style from "./made-by.module.css";
import { useRunJobs } from "./run-jobs";

interface MadeByPopoverProps {
  run: { name: string; label: string };
  anchor: Anchor;
  onClose(): void;
}

export default function MadeByPopover({ run, anchor, onClose }: MadeByPopoverProps) {
  const say = useWords();
  const { jobs, fault } = useRunJobs(run.name);
  const text = fault ? fault.message : jobs === undefined ? say("madeBy.asking") : say("madeBy.none");
  return (
    <AnchoredPopover
      label={say("madeBy.title", { run: run.label })}
      anchor={useAnchored(anchor)}
      onClose={onClose}
      align="start"
    >
      <div className={style.popover} aria-busy={jobs === undefined && !fault}>
        <div className={style.title}>
          <bdi>{run.label}</bdi>
        </div>
        {jobs && jobs.length > 0 ? (
          jobs.map((job) => <MadeBy key={job.id} job={job} />)
        ) : (
          <p role="status">{text}</p>
        )}
      </div>
    </AnchoredPopover>
  );
}
