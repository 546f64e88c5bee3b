import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { externalScripts } from "./external-scripts.ts";

const folder = mkdtempSync(join(tmpdir(), "scripts-"));
const file = join(folder, "boot.js");
writeFileSync(file, "1;");
const scripts = externalScripts(file, "/docs/");

const DARK = '\n    <script id="check-dark-mode">dark()</script>';
const MAC = '\n    <script id="check-mac-os">mac()</script>';
const APP = '\n    <script type="module" src="/docs/assets/app.js"></script>';

test("the script of the site comes first, in place of the inline ones", () => {
  const page = scripts.transformHtml(`<html><head>${APP}${DARK}${MAC}</head></html>`);
  const name = /src="\/docs\/(assets\/boot\.[0-9a-f]{8}\.js)"/.exec(page)?.[1] ?? "";

  expect(page).toBe(`<html><head>\n    <script src="/docs/${name}"></script>${APP}</head></html>`);
  scripts.write(folder);
  expect(readFileSync(join(folder, name), "utf8")).toBe("1;");
});

test("an unknown inline script stops the build", () => {
  expect(() => scripts.transformHtml("<html><head><script>x()</script></head></html>")).toThrow(
    "inline script",
  );
});
