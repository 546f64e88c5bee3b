/** The menu of one run: show alone, pin, compare, name, colour, hide. */

import { useRef } from "react";
import { useWords } from "../../i18n/words";
import { copyText } from "../../lib/clipboard";
import { MenuItem, MenuLine } from "../../ui/menu";
import { MenuAt } from "../../ui/menu-at";
import { editRunAnnotation } from "../data/annotations";
import type { Anchor } from "../runs/anchor";
import type { RunDetails } from "../runs/run-details";
import { useHasJobs } from "../runs/run-jobs";
import { notify } from "../view/notice";
import { commit, useView } from "../view/view";

interface RunMenuProps {
  details: RunDetails;
  anchor: Anchor;
  onClose(): void;
  onOnly(): void;
  onDescribe(): void;
  onColor(): void;
  onJob(): void;
}

export default function RunMenu(props: RunMenuProps) {
  const { details, anchor, onClose, onOnly, onDescribe, onColor, onJob } = props;
  const say = useWords();
  const { name, label, hidden, archived } = details;
  const pins = useView((view) => view.runPins);
  const baseline = useView((view) => view.baseline) === name;
  const pinned = pins.includes(name);
  const hasJobs = useHasJobs();
  // A popover that follows replaces the menu.
  const next = useRef(onClose);
  const then = (open: () => void) => {
    next.current = open;
  };
  return (
    <MenuAt label={say("runs.menu", { run: label })} anchor={anchor} onClose={() => next.current()}>
      <MenuItem disabled={hidden || archived} onSelect={onOnly}>
        {say("runs.only")}
      </MenuItem>
      <MenuItem
        onSelect={() => commit({ runPins: pinned ? pins.filter((each) => each !== name) : [...pins, name] })}
      >
        {say(pinned ? "runs.unpin" : "runs.pin")}
      </MenuItem>
      <MenuItem onSelect={() => commit({ baseline: baseline ? null : name })}>
        {say(baseline ? "runs.noBaseline" : "runs.baseline")}
      </MenuItem>
      <MenuLine />
      <MenuItem onSelect={() => then(onDescribe)}>{say("runs.describe")}</MenuItem>
      <MenuItem onSelect={() => then(onColor)}>{say("runs.color")}</MenuItem>
      <MenuItem onSelect={() => void copyText(name).then((done) => done && notify("action.copied"))}>
        {say("runs.copyName")}
      </MenuItem>
      <MenuItem onSelect={() => commit({ page: "run", subject: name })}>{say("runs.openPage")}</MenuItem>
      {hasJobs && <MenuItem onSelect={() => then(onJob)}>{say("madeBy.show")}</MenuItem>}
      <MenuLine />
      <MenuItem onSelect={() => editRunAnnotation(name, { hidden: hidden ? null : true })}>
        {say(hidden ? "runs.unhide" : "runs.hide")}
      </MenuItem>
      <MenuItem onSelect={() => editRunAnnotation(name, { archived: archived ? null : true })}>
        {say(archived ? "runs.unarchive" : "runs.archive")}
      </MenuItem>
    </MenuAt>
  );
}
