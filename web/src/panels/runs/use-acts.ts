/** What the rows of the run table do when they are clicked. */

import { useCallback, useEffect, useMemo, useRef } from "react";
import type { RunFacts } from "../../state/facts";
import { hold } from "../../state/scene";
import { onlyRun, onlyRuns, type Scope, switchAll, switchRun } from "../../state/switching";
import { commit } from "../../state/view";
import type { RowActs } from "./acts";
import type { Open, Picking } from "./grid";
import type { TableRow } from "./rows";
import { turn } from "./use-table";

export const scopeOf = (listed: readonly RunFacts[], visible: ReadonlySet<number>): Scope => ({
  runs: listed.map(({ run }) => run),
  visible,
});

interface Latest {
  listed: readonly RunFacts[];
  visible: ReadonlySet<number>;
  rows: readonly TableRow[];
  picking: Picking | undefined;
  setOpen(open: Open): void;
}

/** One object for all rows and all times; it acts on what is there when it is called. */
export function useActs(now: Latest): RowActs {
  const latest = useRef(now);
  useEffect(() => {
    latest.current = now;
  });
  const scope = useCallback(() => scopeOf(latest.current.listed, latest.current.visible), []);
  return useMemo(
    (): RowActs => ({
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
      onTurn: ({ key }) => turn(key),
      onMenu: (facts, anchor) => latest.current.setOpen({ what: "menu", facts, anchor }),
      onGroupMenu: (row, anchor) => latest.current.setOpen({ what: "group", row, anchor }),
      onColor: (facts, anchor) => latest.current.setOpen({ what: "color", facts, anchor }),
      onOpen: ({ name }) => commit({ page: "run", subject: name }),
      onPick: (facts, { name, ...how }) => {
        const { picking, rows } = latest.current;
        if (picking) picking.onPick(facts.name, how, namesOf(rows));
        else if (name) hold(facts.id);
      },
    }),
    [scope],
  );
}

function namesOf(rows: readonly TableRow[]): string[] {
  return rows.flatMap((row) => (row.kind === "run" ? [row.facts.name] : []));
}
