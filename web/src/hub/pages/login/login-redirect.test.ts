import { expect, test } from "vitest";
import { safeRedirect } from "./login-redirect";

test("paths of this server are kept whole", () => {
  expect(safeRedirect("/tb/tb-1/?darkMode=true#runs")).toBe("/tb/tb-1/?darkMode=true#runs");
});

test.each([
  "",
  "//evil.example/",
  "/\\evil.example",
  "https://evil.example/",
  "javascript:alert(1)",
  "\t//evil.example",
])("%j leads nowhere", (next) => {
  expect(safeRedirect(next)).toBe("");
});
