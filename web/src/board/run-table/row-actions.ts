/**
 * Actions of rows of the run table. All rows share one object, so that a row renders again only when its own data changes.
 */

import type { MouseEvent } from "react";
import type { Anchor } from "../runs/anchor";
import type { Column } from "../runs/column";
import type { RunDetails } from "../runs/run-details";
import type { GroupRow } from "./rows";

export interface RowActions {
  onSwitch(details: RunDetails, on: boolean): void;
  onOnly(details: RunDetails): void;
  onSwitchGroup(row: GroupRow, on: boolean): void;
  onOnlyGroup(row: GroupRow): void;
  onToggle(row: GroupRow): void;
  onMenu(details: RunDetails, anchor: Anchor): void;
  onGroupMenu(row: GroupRow, anchor: Anchor): void;
  /** Tells which members of a group diverged. */
  onDiverged(row: GroupRow, anchor: HTMLElement): void;
  onColor(details: RunDetails, anchor: HTMLElement): void;
  /** Opens the page of the run. */
  onOpen(details: RunDetails): void;
  /** A click on a row or its name. */
  onPick(details: RunDetails, how: PickModifiers & { name: boolean }): void;
}

export interface PickModifiers {
  /** Select all rows from the last one to this. */
  range: boolean;
  /** Add to the selection. */
  also: boolean;
}

/** Touch has no Ctrl key: each tap adds one. */
export function pickModifiers({ shiftKey, ctrlKey, metaKey, nativeEvent }: MouseEvent): PickModifiers {
  const finger = nativeEvent instanceof PointerEvent && nativeEvent.pointerType === "touch";
  return { range: shiftKey, also: ctrlKey || metaKey || finger };
}

const SECOND_BUTTON = 2;

/** The anchor of a row's menu. Opened with a key, it is beside the focused element, and restores its focus. */
export function menuAnchor({ currentTarget, button, clientX, clientY }: MouseEvent): Anchor {
  const focused = document.activeElement;
  const byKey = button !== SECOND_BUTTON && focused instanceof HTMLElement && currentTarget.contains(focused);
  return byKey ? focused : { x: clientX, y: clientY };
}

/** The selection on the Runs page. */
export interface PickState {
  picked: ReadonlySet<string>;
  onPick(name: string, how: { range: boolean; also: boolean }, order: readonly string[]): void;
}

/** The popup that is open beside a row or a header. */
export type OpenPopup =
  | { what: "menu" | "note" | "color" | "job"; details: RunDetails; anchor: Anchor }
  | { what: "group"; row: GroupRow; anchor: Anchor }
  | { what: "diverged"; row: GroupRow; anchor: Anchor }
  | { what: "column"; column: Column; anchor: Anchor };
