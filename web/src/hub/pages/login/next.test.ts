import { expect, test } from "vitest";
import { safeNext } from "./next";

test("paths of this server are kept whole", () => {
  expect(safeNext("/tb/tb-1/?darkMode=true#runs")).toBe("/tb/tb-1/?darkMode=true#runs");
});

test.each([
  "",
  "//evil.example/",
  "/\\evil.example",
  "https://evil.example/",
  "javascript:alert(1)",
  "\t//evil.example",
])("%j leads nowhere", (next) => {
  expect(safeNext(next)).toBe("");
});
