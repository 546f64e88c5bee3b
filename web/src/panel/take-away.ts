/**
 * Where a card has room for what its page offers to take away. Panels do not know each other: the page, which knows
 * both, brings them together.
 */

import { type ComponentType, createContext } from "react";

export interface TakeAway {
  /** Items of the menu of a card, which its tag names. */
  Items: ComponentType<{ tag: string }>;
  /** Links to the series of a tag, shown on the card itself. */
  Links: ComponentType<{ tag: string }>;
}

export const TakeAwayContext = createContext<TakeAway | null>(null);
