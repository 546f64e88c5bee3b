/** Which runs of a group diverged, from which step on; with a way to show them alone, or to do without them. */

import { useWords } from "../../i18n/words";
import { AnchoredPopover } from "../../ui/anchored-popover";
import { Button } from "../../ui/button";
import { type Anchor, useAnchored } from "../runs/anchor";
import { nonfiniteText, nonfiniteTip } from "../runs/nonfinite-metrics";
import { withTerm } from "../runs/query";
import type { RunDetails } from "../runs/run-details";
import { commit, useView } from "../view/view";
import { divergedOf, divergedText } from "./cell-text";
import style from "./diverged-popover.module.css";

interface DivergedPopoverProps {
  /** The group, and the members of it that pass the filter. */
  label: string;
  members: readonly RunDetails[];
  anchor: Anchor;
  onClose(): void;
  onOpenRun(run: RunDetails): void;
}

const NOT_DIVERGED = "-status:diverged";

export default function DivergedPopover(props: DivergedPopoverProps) {
  const { label, members, anchor, onClose, onOpenRun } = props;
  const say = useWords();
  const filter = useView((view) => view.runFilter);
  const diverged = divergedOf(members);
  const title = divergedText(members);
  const showOnly = () => {
    commit({ runs: { base: "none", shown: diverged.map(({ name }) => name), hidden: [] } });
    onClose();
  };
  const leaveOut = () => {
    commit({ runFilter: withTerm(filter, NOT_DIVERGED) });
    onClose();
  };
  return (
    <AnchoredPopover label={title} anchor={useAnchored(anchor)} onClose={onClose} align="start">
      <div className={style.title}>
        <bdi>{label}</bdi> {title}
      </div>
      <ul className={style.list}>
        {diverged.map((run) => (
          <li key={run.id}>
            <button
              type="button"
              className={style.run}
              title={say("runs.openPage")}
              onClick={() => onOpenRun(run)}
            >
              <bdi>{run.label}</bdi>
            </button>
            <span title={nonfiniteTip(run.nonfinite!)}>{nonfiniteText(run.nonfinite!)}</span>
          </li>
        ))}
      </ul>
      <div className={style.foot}>
        <Button onClick={showOnly}>{say("runspage.only")}</Button>
        <Button variant="primary" onClick={leaveOut}>
          {say("group.leaveOut")}
        </Button>
      </div>
    </AnchoredPopover>
  );
}
