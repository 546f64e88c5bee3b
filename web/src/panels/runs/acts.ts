/** What the rows of the run table can do; one object for all of them, so that rows are drawn again only by their own. */

import type { MouseEvent } from "react";
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
  onGroupMenu(row: GroupRow, anchor: Anchor): void;
  onColor(facts: RunFacts, anchor: HTMLElement): void;
  /** Opens the page of the run. */
  onOpen(facts: RunFacts): void;
  /** A click on a row or its name. */
  onPick(facts: RunFacts, how: PickHow & { name: boolean }): void;
}

export interface PickHow {
  /** All from the last one to this. */
  range: boolean;
  /** Beside those picked before. */
  also: boolean;
}

/** A finger has no Ctrl key: each tap picks one more. */
export function pickHow({ shiftKey, ctrlKey, metaKey, nativeEvent }: MouseEvent): PickHow {
  const finger = nativeEvent instanceof PointerEvent && nativeEvent.pointerType === "touch";
  return { range: shiftKey, also: ctrlKey || metaKey || finger };
}

const SECOND_BUTTON = 2;

/** Where the menu of a row stands. Asked for by a key, it is beside what has the keyboard, and gives it back. */
export function menuAnchor({ currentTarget, button, clientX, clientY }: MouseEvent): Anchor {
  const focused = document.activeElement;
  const byKey = button !== SECOND_BUTTON && focused instanceof HTMLElement && currentTarget.contains(focused);
  return byKey ? focused : { x: clientX, y: clientY };
}
