/** The CSS filter for the brightness and contrast of the page. Pure. */

import type { View } from "../view/view-state";

/** A CSS filter; "none" leaves images as they are. */
export function filterOf({ brightness, contrast }: Pick<View, "brightness" | "contrast">): string {
  const parts = [
    ...(brightness === 1 ? [] : [`brightness(${brightness})`]),
    ...(contrast === 1 ? [] : [`contrast(${contrast})`]),
  ];
  return parts.join(" ") || "none";
}
