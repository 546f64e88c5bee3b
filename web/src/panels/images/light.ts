/** Brightness and contrast of all images, as the page chose them. Pure. */

import type { View } from "../../state/viewstate";

/** A CSS filter; "none" leaves images as they are. */
export function filterOf({ brightness, contrast }: Pick<View, "brightness" | "contrast">): string {
  const parts = [
    ...(brightness === 1 ? [] : [`brightness(${brightness})`]),
    ...(contrast === 1 ? [] : [`contrast(${contrast})`]),
  ];
  return parts.join(" ") || "none";
}
