import { describe, expect, it } from "vitest";
import { type Piece, wordDiff } from "./word-diff";

/** "the [-quick-]{+slow+} fox" */
const shown = (pieces: readonly Piece[]) =>
  pieces
    .map(({ kind, text }) => (kind === "same" ? text : kind === "added" ? `{+${text}+}` : `[-${text}-]`))
    .join("");
const side = (pieces: readonly Piece[], leftOut: Piece["kind"]) =>
  pieces
    .filter(({ kind }) => kind !== leftOut)
    .map(({ text }) => text)
    .join("");

describe("wordDiff", () => {
  it.each([
    ["", "", ""],
    ["same", "same", "same"],
    ["", "new", "{+new+}"],
    ["old", "", "[-old-]"],
    ["the quick fox", "the slow fox", "the [-quick-]{+slow+} fox"],
    ["a b c", "a c", "a [-b -]c"],
    ["loss: 0.5, ok", "loss: 0.25, ok", "loss: 0.[-5-]{+25+}, ok"],
    ["我爱北京", "我爱南京", "我爱[-北-]{+南+}京"],
    ["быстрая лиса", "хитрая лиса", "[-быстрая-]{+хитрая+} лиса"],
    ["a\nb\n", "a\n\nb\n", "a[-\n-]{+\n\n+}b\n"],
    ["🚀 go", "🚀🚀 go", "🚀{+🚀+} go"],
  ])("shows %j to %j as %j", (before, after, expected) => {
    expect(shown(wordDiff(before, after))).toBe(expected);
  });

  it("gives both texts back, whatever they are", () => {
    let seed = 1;
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    const text = () =>
      Array.from({ length: random(30) }, () => ["a", "b", "c ", "\n", "."][random(5)]).join("");
    for (let round = 0; round < 500; round++) {
      const [before, after] = [text(), text()];
      const pieces = wordDiff(before, after);
      expect([side(pieces, "added"), side(pieces, "removed")]).toEqual([before, after]);
    }
  });

  it("compares long texts by lines, and texts of nothing in common as wholes", () => {
    const lines = (word: string) => Array.from({ length: 1000 }, (_, at) => `${word} ${at} ${word}${at}\n`);
    const kept = lines("kept").join("");
    const [before, after] = [`${kept}${lines("x").join("")}`, `${kept}${lines("y").join("")}`];
    expect(wordDiff(before, after).map(({ kind }) => kind)).toEqual(["same", "removed", "added"]);
  });

  it("comes to an end on texts of a megabyte", () => {
    const before = Array.from({ length: 100_000 }, (_, at) => `a${at}`).join(" ");
    const after = Array.from({ length: 100_000 }, (_, at) => `b${at}`).join(" ");
    expect(wordDiff(before, after).map(({ kind }) => kind)).toEqual(["removed", "added"]);
  });
});
