import { expect, test } from "vitest";
import { visibleLine, visibleText } from "./visible-text";

test.each([
  ["evil \u202egnp.exe\u202c", "evil \\u202egnp.exe\\u202c"],
  ["a\u200bb\ufeff\x1b[2J", "a\\u200bb\\ufeff\\u001b[2J"],
  ["two\n\tlines", "two\n\tlines"],
  ["שלום مرحبا 你好 é 👩‍🔬", "שלום مرحبا 你好 é 👩‍🔬"],
])("%j is shown as %j", (text, shown) => {
  expect(visibleText(text)).toBe(shown);
});

test("line breaks are seen where there is one line", () => {
  expect(visibleLine("import time\n  run()\u202e\nexit")).toBe("import time ↵ run()\\u202e ↵ exit");
});
