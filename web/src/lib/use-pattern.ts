import { useRef } from "react";
import { compile, EVERYTHING, type Pattern } from "./pattern";

/**
 * The pattern of a filter box. While the text is not valid, the last valid pattern stays in force, and the reason is
 * returned.
 */
export function usePattern(text: string): { pattern: Pattern; fault: string | null } {
  const good = useRef<{ text: string; pattern: Pattern }>({ text: "", pattern: EVERYTHING });
  if (good.current.text === text) return { pattern: good.current.pattern, fault: null };
  try {
    good.current = { text, pattern: compile(text) };
    return { pattern: good.current.pattern, fault: null };
  } catch (fault) {
    return { pattern: good.current.pattern, fault: reason(fault) };
  }
}

/** The reason alone: browsers repeat the whole expression before it. */
function reason(fault: unknown): string {
  const text = fault instanceof Error ? fault.message : String(fault);
  return text.split(": ").at(-1) ?? text;
}
