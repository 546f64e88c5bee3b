import { expect, test } from "vitest";
import { above, crumbs, inside, spotOf, TOP } from "./folders";

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
  expect(spotOf(typed, roots)).toEqual(spot);
});

test("one goes in, and up again as far as there is a choice", () => {
  const spot = inside(inside(inside(TOP, "/data"), "a"), "b");
  expect(spot).toEqual({ root: "/data", path: "a/b" });
  const [inner, root] = [
    { root: "/data", path: "a" },
    { root: "/data", path: "" },
  ];
  expect([above(spot, false), above(inner, false), above(root, false)]).toEqual([inner, root, null]);
  expect([above(root, true), above(TOP, true)]).toEqual([TOP, null]);
});

test("each folder on the way can be gone back to", () => {
  expect([crumbs(TOP), crumbs({ root: "/data", path: "a/b" })]).toEqual([
    [],
    [
      { name: "/data", spot: { root: "/data", path: "" } },
      { name: "a", spot: { root: "/data", path: "a" } },
      { name: "b", spot: { root: "/data", path: "a/b" } },
    ],
  ]);
});
