/** Commands as text: a line for the shell, or a program with its arguments. Pure. */

const SHELLS = ["sh", "bash"];
const PLAIN = /^[\w@%+=:,./-]+$/;

/** Whether a command is a line for a shell. */
function isLine(words: readonly string[]): boolean {
  const program = words[0]?.split("/").at(-1) ?? "";
  return words.length === 3 && SHELLS.includes(program) && words[1] === "-c";
}

/** A command as it would be typed; of a line for a shell, the line itself. */
export function commandText(words: readonly string[]): string {
  return isLine(words) ? words[2]! : words.map(quoted).join(" ");
}

function quoted(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`;
}

/**
 * The command for what was typed: a program alone, or a line for the shell. An unchanged text stands for the command
 * that it was made of, and a changed line for the same shell.
 */
export function commandOf(typed: string, before: readonly string[] = []): string[] {
  const text = typed.trim();
  if (before.length > 0 && text === commandText(before).trim()) return [...before];
  if (!/\s/.test(text)) return text === "" ? [] : [text];
  return [isLine(before) ? before[0]! : "sh", "-c", text];
}
