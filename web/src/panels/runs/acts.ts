/** What the rows of the run table can do; one object for all of them, so that rows are drawn again only by their own. */

import type { RunFacts } from "../../state/facts";
import type { GroupRow } from "./rows";

/** Where a menu or a sheet stands: beside an element, or where the pointer is. */
export type Anchor = HTMLElement | { x: number; y: number };

export interface RowActs {
  onSwitch(facts: RunFacts, on: boolean): void;
  onOnly(facts: RunFacts): void;
  onSwitchGroup(row: GroupRow, on: boolean): void;
  onOnlyGroup(row: GroupRow): void;
  onTurn(row: GroupRow): void;
  onMenu(facts: RunFacts, anchor: Anchor): void;
  onColor(facts: RunFacts, anchor: HTMLElement): void;
  /** Opens the page of the run. */
  onOpen(facts: RunFacts): void;
  /** A click on a row or its name. */
  onPick(facts: RunFacts, how: { range: boolean; also: boolean; name: boolean }): void;
}
