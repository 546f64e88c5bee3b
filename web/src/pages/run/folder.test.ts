import { expect, test } from "vitest";
import { inFolder } from "./folder";

test("files of one folder are told by their names", () => {
  expect(inFolder(["/logs/a/e.1", "/logs/a/e.2"])).toEqual({ folder: "/logs/a/", names: ["e.1", "e.2"] });
  expect(inFolder(["C:\\logs\\e.1"])).toEqual({ folder: "C:\\logs\\", names: ["e.1"] });
});

test("files of several folders are told by their paths", () => {
  expect(inFolder(["/a/e.1", "/b/e.1"])).toEqual({ folder: "", names: ["/a/e.1", "/b/e.1"] });
  expect(inFolder([])).toEqual({ folder: "", names: [] });
});
