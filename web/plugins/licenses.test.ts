import { expect, test } from "vitest";
import { entriesOf, notice, type Package, packageFolder } from "./licenses.ts";

const react: Package = { name: "react", version: "19.0.0", license: "MIT", text: "Copyright Meta" };
const inter: Package = {
  name: "@fontsource/inter",
  version: "5.0.0",
  license: "OFL-1.1",
  text: "Copyright Inter",
};

test("a file belongs to the innermost installed package", () => {
  expect(packageFolder("/a/node_modules/react/index.js", "/a")).toBe("/a/node_modules/react");
  expect(packageFolder("node_modules/@x/y/files/z.woff2", "/a")).toBe("/a/node_modules/@x/y");
  expect(packageFolder("/a/node_modules/x/node_modules/y/z.js", "/a")).toBe(
    "/a/node_modules/x/node_modules/y",
  );
});

test("our own files belong to no package", () => {
  expect(packageFolder("/a/src/main.ts", "/a")).toBeNull();
  expect(packageFolder("\0words:board/ru", "/a")).toBeNull();
});

test("modules that the build writes belong to the package that wrote them", () => {
  expect(packageFolder("\0vite/preload-helper.js", "/a")).toBe("/a/node_modules/vite");
  expect(packageFolder("\0rolldown/runtime.js", "/a")).toBe("/a/node_modules/rolldown");
});

test("a module that nobody known wrote stops the build", () => {
  expect(() => packageFolder("\0@other/helpers/x.js", "/a")).toThrow("unknown package: @other/helpers/x.js");
});

test("the notice has name, version, licence and text of each package, by name", () => {
  const parts = notice([react, inter]).split(/\n\n-+\n\n/);

  expect(parts.slice(1)).toEqual([
    "@fontsource/inter 5.0.0 (OFL-1.1)\n\nCopyright Inter",
    "react 19.0.0 (MIT)\n\nCopyright Meta\n",
  ]);
});

test("a package without a licence stops the build", () => {
  expect(() => notice([react, { ...inter, license: "" }])).toThrow("without a licence: @fontsource/inter");
});

test("entries of another build are taken over once", () => {
  const docs = notice([react, inter]);

  expect(entriesOf(notice([react], entriesOf(docs)))).toEqual(entriesOf(docs));
  expect(entriesOf(docs).map((entry) => entry.split(" ")[0])).toEqual(["@fontsource/inter", "react"]);
});

test("a plugin of the build belongs to the package that is named for it", () => {
  const builders = { "plugin-vue": "@vitejs/plugin-vue" };

  expect(packageFolder("\0plugin-vue:export-helper", "/a", builders)).toBe(
    "/a/node_modules/@vitejs/plugin-vue",
  );
});
