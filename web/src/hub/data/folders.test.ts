import { expect, test } from "vitest";
import { breadcrumbs, childOf, locationOf, parentOf, TOP } from "./folders";

const ROOTS = ["/data", "/data/team", "/"];

test.each([
  ["/data/team/runs/a/", ROOTS, { root: "/data/team", path: "runs/a" }],
  ["/data/team", ROOTS, { root: "/data/team", path: "" }],
  ["/data/teams/x", ROOTS, { root: "/data", path: "teams/x" }],
  ["/etc", ROOTS, { root: "/", path: "etc" }],
  ["/", ["/"], { root: "/", path: "" }],
  ["/elsewhere", ["/data", "/logs"], TOP],
  ["", ["/data", "/logs"], TOP],
  ["", ["/data"], { root: "/data", path: "" }],
  ["", [], TOP],
])("what is typed (%s) is looked for below the deepest of the roots %s", (typed, roots, spot) => {
  expect(locationOf(typed, roots)).toEqual(spot);
});

test("one goes in, and up again as far as there is a choice", () => {
  const spot = childOf(childOf(childOf(TOP, "/data"), "a"), "b");
  expect(spot).toEqual({ root: "/data", path: "a/b" });
  const [inner, root] = [
    { root: "/data", path: "a" },
    { root: "/data", path: "" },
  ];
  expect([parentOf(spot, false), parentOf(inner, false), parentOf(root, false)]).toEqual([inner, root, null]);
  expect([parentOf(root, true), parentOf(TOP, true)]).toEqual([TOP, null]);
});

test("each folder on the way can be gone back to", () => {
  expect([breadcrumbs(TOP), breadcrumbs({ root: "/data", path: "a/b" })]).toEqual([
    [],
    [
      { name: "/data", location: { root: "/data", path: "" } },
      { name: "a", location: { root: "/data", path: "a" } },
      { name: "b", location: { root: "/data", path: "a/b" } },
    ],
  ]);
});
