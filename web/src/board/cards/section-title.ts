/** What is shown as the name of a section. */

import type { Say } from "../../i18n/words";
import { OTHERS, UNGROUPED } from "./sections";

export function sectionTitle(name: string, say: Say): string {
  if (name === UNGROUPED) return say("section.ungrouped");
  return name === OTHERS ? say("section.others") : name;
}
