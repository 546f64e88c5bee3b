/** Names of keys: from an event, and for display. */

const SIGNS: Readonly<Record<string, string>> = {
  BracketLeft: "[",
  BracketRight: "]",
  Period: ".",
  Slash: "/",
};

type Press = Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;

/** "l", "Shift+l", "Ctrl+Shift+z", "Space". The Command key of a Mac counts as Ctrl. */
export function keyName(event: Press): string {
  const key = latinKey(event);
  const isSign = key.length === 1 && !/[a-z]/.test(key);
  return [
    event.ctrlKey || event.metaKey ? "Ctrl+" : "",
    event.altKey ? "Alt+" : "",
    // "?" needs Shift on most keyboards; Shift is part of the character.
    event.shiftKey && !isSign ? "Shift+" : "",
    key,
  ].join("");
}

/** The Latin key at the position, if the layout has other letters: Cyrillic keyboards use the same keys. */
function latinKey({ key, code, altKey, shiftKey }: Press): string {
  if (key === " ") return "Space";
  const letter = key.length === 1 ? key.toLowerCase() : key;
  const isLatin = letter.length !== 1 || letter.charCodeAt(0) < 128;
  if (isLatin && !altKey && !(shiftKey && code === "Slash")) return letter;
  if (code.startsWith("Key")) return code.slice(3).toLowerCase();
  if (code === "Slash" && shiftKey) return "?";
  return SIGNS[code] ?? letter;
}

const WRITTEN: Readonly<Record<string, string>> = {
  ArrowLeft: "←",
  ArrowRight: "→",
};

/** Formats "Ctrl+Shift+z" for display: "Ctrl Shift Z". */
export function keyLabel(key: string): string {
  return key
    .split("+")
    .map((part) => {
      if (WRITTEN[part]) return WRITTEN[part];
      return key.includes("+") && part.length === 1 ? part.toUpperCase() : part;
    })
    .join(" ");
}
