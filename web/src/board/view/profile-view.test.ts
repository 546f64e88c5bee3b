import { describe, expect, test } from "vitest";
import { DEFAULT_PROFILE, type ProfileView, parseProfile, printProfile } from "./profile-view";

describe("the profile page in the address", () => {
  test("nothing is written of the defaults", () => {
    expect(printProfile(DEFAULT_PROFILE)).toBe("");
    expect(parseProfile("")).toEqual(DEFAULT_PROFILE);
  });

  test("everything is read as it was written", () => {
    const view: ProfileView = {
      capture: "a;b/1,2",
      view: "operators",
      form: "up",
      sort: "name",
      descending: false,
      calls: { sort: "count", descending: true },
      zoom: "3,0,17",
      search: "aten::add; x",
      window: [12.5, 90],
      base: "c=d",
      rank: 0,
      baseRank: 12,
      slice: { host: 1, slice: 17 },
      find: "conv; 2d",
      range: { span: [20, 30.5], tracks: ["0:3", "1:0"] },
      closed: ["0p1", "0:2"],
      pinned: ["0:3"],
    };
    expect(printProfile(view)).toBe(
      "capture=a%3Bb/1%2C2;view=operators;form=up;sort=name;calls=-count;zoom=3,0,17;search=aten::add%3B x;window=12.5,90;slice=1:17;base=c=d;rank=0;baserank=12;" +
        "find=conv%3B 2d;range=20,30.5,0:3,1:0;closed=0p1,0:2;pinned=0:3",
    );
    expect(parseProfile(printProfile(view))).toEqual(view);
  });

  test("operators by shape are sorted by their shapes", () => {
    const view: ProfileView = { ...DEFAULT_PROFILE, form: "shapes", sort: "shapes" };
    expect(printProfile(view)).toBe("form=shapes;sort=-shapes");
    expect(parseProfile("form=shapes;sort=-shapes")).toEqual(view);
  });

  test("what is invalid takes its default", () => {
    expect(
      parseProfile(
        "view=nothing;sort=-colour;calls=colour;zoom=1,x;window=9,1;slice=x;range=5,2;closed=a;pinned=0p1;rank=-1;capture",
      ),
    ).toEqual(DEFAULT_PROFILE);
  });
});
