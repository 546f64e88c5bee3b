import { expect, test } from "vitest";
import { match } from "./fuzzy";

const order = (typed: string, texts: string[]): string[] =>
  texts
    .flatMap((text) => {
      const found = match(text, typed);
      return found ? [{ text, score: found.score }] : [];
    })
    .sort((a, b) => b.score - a.score)
    .map(({ text }) => text);

test("whole texts come before beginnings, words, pieces and scattered letters", () => {
  expect(order("loss", ["lots of spice", "glossary", "eval/loss", "loss_scale", "loss", "accuracy"])).toEqual(
    ["loss", "loss_scale", "eval/loss", "glossary", "lots of spice"],
  );
});

test("of two like answers the shorter comes first", () => {
  expect(order("grad", ["train/grad_norm/layer_1", "train/grad_norm"])).toEqual([
    "train/grad_norm",
    "train/grad_norm/layer_1",
  ]);
});

test("the stretch that matched is told, a beginning of a word rather than the first", () => {
  expect(match("slog/log", "LOG")?.span).toEqual([5, 8]);
});

test("words may come in any order", () => {
  expect(match("Log y on all cards", "cards log")).not.toBeNull();
});

test("letters far apart are no answer", () => {
  expect(match("train and validation loss of everything", "tge")).toBeNull();
});
