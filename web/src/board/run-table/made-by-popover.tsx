/** Which job has made a run, beside its row. */

import { useWords } from "../../i18n/words";
import { AnchoredPopover } from "../../ui/anchored-popover";
import type { RunDetails } from "../runs/run-details";
import { useRunJobs } from "../runs/run-jobs";
import { MadeBy } from "./made-by";
import style from "./popovers.module.css";
import type { Anchor } from "./row-actions";
import { useAnchored } from "./use-anchored";

interface MadeByPopoverProps {
  details: RunDetails;
  anchor: Anchor;
  onClose(): void;
}

export default function MadeByPopover({ details, anchor, onClose }: MadeByPopoverProps) {
  const say = useWords();
  const { jobs, fault } = useRunJobs(details.name);
  const text = fault ? fault.message : jobs === undefined ? say("madeBy.asking") : say("madeBy.none");
  return (
    <AnchoredPopover
      label={say("madeBy.title", { run: details.label })}
      anchor={useAnchored(anchor)}
      onClose={onClose}
      align="start"
    >
      <div className={style.columns} aria-busy={jobs === undefined && !fault}>
        <div className={style.title}>
          <bdi>{details.label}</bdi>
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
