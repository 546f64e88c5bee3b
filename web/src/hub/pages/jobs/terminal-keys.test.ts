import { expect, test } from "vitest";
import { keyAction } from "./terminal-keys";

const NONE = { type: "keydown", ctrlKey: true, shiftKey: false, altKey: false, metaKey: false };
const press = (key: string, code: string, more = {}) => ({ ...NONE, key, code, ...more });
const SHIFT = { shiftKey: true };

test("programs get all keys but four", () => {
  const keys = [
    press("Enter", "Enter", SHIFT),
    press("C", "KeyC", SHIFT),
    press("V", "KeyV", SHIFT),
    press("c", "KeyC"),
    press("v", "KeyV"),
    press("Tab", "Tab", { ctrlKey: false }),
    press("Enter", "Enter", { ctrlKey: false, shiftKey: true }),
    press("C", "KeyC", { ...SHIFT, type: "keyup" }),
  ];
  const actions = ["leave", "copy", "paste", "type", "type", "type", "type", "type"];
  expect(keys.map((key) => keyAction(key, false))).toEqual(actions);
});

test("Ctrl+C copies what is selected, in any layout of keys", () => {
  expect(keyAction(press("с", "KeyC"), true)).toBe("copy");
});
