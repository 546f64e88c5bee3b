/** The order people expect of names: `layer_2` before `layer_10`. */

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "variant" });

export function naturalOrder(a: string, b: string): number {
  return collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);
}
