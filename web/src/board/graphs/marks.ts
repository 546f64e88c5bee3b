/** What is drawn on a box that differs from another graph. */

export interface BoxMark {
  /** The colour of its outline; null for none. */
  color: string | null;
  /** Signs and numbers on its border. */
  parts: readonly { text: string; color: string }[];
}
