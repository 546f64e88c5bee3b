import { expect, test } from "vitest";
import { keyLabel, keyName } from "./key-names";

const NONE = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };

test.each([
  [{ key: "l", code: "KeyL" }, "l"],
  [{ key: "L", code: "KeyL", shiftKey: true }, "Shift+l"],
  [{ key: "Z", code: "KeyZ", ctrlKey: true, shiftKey: true }, "Ctrl+Shift+z"],
  [{ key: "k", code: "KeyK", metaKey: true }, "Ctrl+k"],
  [{ key: "?", code: "Slash", shiftKey: true }, "?"],
  [{ key: "/", code: "Slash" }, "/"],
  [{ key: " ", code: "Space" }, "Space"],
  [{ key: "ArrowLeft", code: "ArrowLeft", shiftKey: true }, "Shift+ArrowLeft"],
  [{ key: "µ", code: "KeyM", altKey: true }, "Alt+m"],
])("%j is %s", (press, name) => {
  expect(keyName({ ...NONE, ...press })).toBe(name);
});

test.each([
  [{ key: "л", code: "KeyK", ctrlKey: true }, "Ctrl+k"],
  [{ key: "Д", code: "KeyL", shiftKey: true }, "Shift+l"],
  [{ key: "х", code: "BracketLeft" }, "["],
  [{ key: "ю", code: "Period" }, "."],
  [{ key: ",", code: "Slash", shiftKey: true }, "?"],
])("on a Russian keyboard %j is %s", (press, name) => {
  expect(keyName({ ...NONE, ...press })).toBe(name);
});

test.each([
  ["Ctrl+Shift+z", "Ctrl Shift Z"],
  ["Shift+l", "Shift L"],
  ["g t", "g t"],
  ["Shift+ArrowLeft", "Shift ←"],
])("%s is written %s", (key, text) => {
  expect(keyLabel(key)).toBe(text);
});
