/** The keys that the page takes from the programs in a terminal. */

/** Leaves the terminal: programs cannot tell it from Enter, and no browser uses it. */
export const LEAVE_KEYS = "Ctrl+Shift+Enter";

type Pressed = Pick<KeyboardEvent, "type" | "code" | "key" | "ctrlKey" | "shiftKey" | "altKey" | "metaKey">;

/**
 * What the page does with a key: the program gets it for `type`, and the browser for `paste`.
 *
 * Ctrl+C copies what is selected and interrupts otherwise, as in other terminals on pages. On a Mac, the browser does
 * both with Command.
 */
export function keyAction(pressed: Pressed, selected: boolean): "type" | "leave" | "copy" | "paste" {
  if (pressed.type !== "keydown" || !pressed.ctrlKey || pressed.altKey || pressed.metaKey) return "type";
  if (pressed.shiftKey && pressed.key === "Enter") return "leave";
  if (pressed.code === "KeyC" && (pressed.shiftKey || selected)) return "copy";
  if (pressed.code === "KeyV" && pressed.shiftKey) return "paste";
  return "type";
}
