import { expect, test } from "vitest";
import { splitFolder } from "./split-folder";

test("files of one folder are told by their names", () => {
  expect(splitFolder(["/logs/a/e.1", "/logs/a/e.2"])).toEqual({ folder: "/logs/a/", names: ["e.1", "e.2"] });
  expect(splitFolder(["C:\\logs\\e.1"])).toEqual({ folder: "C:\\logs\\", names: ["e.1"] });
});

test("files of several folders are told by their paths", () => {
  expect(splitFolder(["/a/e.1", "/b/e.1"])).toEqual({ folder: "", names: ["/a/e.1", "/b/e.1"] });
  expect(splitFolder([])).toEqual({ folder: "", names: [] });
});
