/** The actions of rows of the run table. */

import { useCallback, useEffect, useMemo, useRef } from "react";
import type { RunDetails } from "../runs/run-details";
import { onlyRun, onlyRuns, type Scope, switchAll, switchRun } from "../runs/switch-runs";
import { toggleHeldRun } from "../view/interaction";
import { commit } from "../view/view";
import type { OpenPopup, PickState, RowActions } from "./row-actions";
import type { TableRow } from "./rows";
import { toggleFold } from "./use-table";

export const scopeOf = (listed: readonly RunDetails[], visible: ReadonlySet<number>): Scope => ({
  runs: listed.map(({ run }) => run),
  visible,
});

interface Latest {
  listed: readonly RunDetails[];
  visible: ReadonlySet<number>;
  rows: readonly TableRow[];
  picking: PickState | undefined;
  setOpen(open: OpenPopup): void;
}

/** One stable object for all rows; it uses the state at the time of the call. */
export function useRowActions(now: Latest): RowActions {
  const latest = useRef(now);
  useEffect(() => {
    latest.current = now;
  });
  const scope = useCallback(() => scopeOf(latest.current.listed, latest.current.visible), []);
  return useMemo(
    (): RowActions => ({
      onSwitch: ({ run }, on) => switchRun(scope(), run, on),
      onOnly: ({ run }) => onlyRun(scope(), run),
      onSwitchGroup: ({ members }, on) =>
        switchAll(
          scope(),
          members.map(({ run }) => run),
          on,
        ),
      onOnlyGroup: ({ members }) =>
        onlyRuns(
          scope(),
          members.map(({ run }) => run),
        ),
      onToggle: ({ key }) => toggleFold(key),
      onMenu: (details, anchor) => latest.current.setOpen({ what: "menu", details, anchor }),
      onGroupMenu: (row, anchor) => latest.current.setOpen({ what: "group", row, anchor }),
      onDiverged: (row, anchor) => latest.current.setOpen({ what: "diverged", row, anchor }),
      onColor: (details, anchor) => latest.current.setOpen({ what: "color", details, anchor }),
      onOpen: ({ name }) => commit({ page: "run", subject: name }),
      onPick: (details, { name, ...how }) => {
        const { picking, rows } = latest.current;
        if (picking) picking.onPick(details.name, how, namesOf(rows));
        else if (name) toggleHeldRun(details.id);
      },
    }),
    [scope],
  );
}

function namesOf(rows: readonly TableRow[]): string[] {
  return rows.flatMap((row) => (row.kind === "run" ? [row.details.name] : []));
}
