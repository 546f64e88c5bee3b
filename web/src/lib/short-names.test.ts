import { expect, test } from "vitest";
import {
  abbreviate,
  cutInMiddle,
  cutTogether,
  distinguishingWidth,
  endOf,
  sharedPrefix,
  shortNames,
} from "./short-names";

test("what the tags share is said once, before or behind", () => {
  expect(shortNames(["train/loss", "eval/loss"])).toEqual({ common: "loss", each: ["train", "eval"] });
  expect(shortNames(["loss/train", "loss/val"])).toEqual({ common: "loss", each: ["train", "val"] });
  expect(shortNames(["a/train/loss", "a/eval/loss"])).toEqual({ common: "a/loss", each: ["train", "eval"] });
});

test("tags with nothing in common keep their names", () => {
  expect(shortNames(["loss", "eval/accuracy"])).toEqual({ common: "", each: ["loss", "eval/accuracy"] });
  expect(shortNames(["loss", "accuracy"])).toEqual({ common: "", each: ["loss", "accuracy"] });
});

test("no tag is left without a name", () => {
  expect(shortNames(["loss", "eval/loss"])).toEqual({ common: "", each: ["loss", "eval/loss"] });
});

test("no tags have no names", () => {
  expect(shortNames([])).toEqual({ common: "", each: [] });
});

const RUN = "imagenet1k/vit_base_patch16/lr0.001_wd0/seed0";

test("a name that has no room loses parts of its middle first, and keeps its end to the last", () => {
  const cut = (most: number) => cutInMiddle(RUN, (text) => text.length <= most);
  expect([99, 32, 30, 15, 7, 4].map(cut)).toEqual([
    RUN,
    "imagenet1k/…/lr0.001_wd0/seed0",
    "imagenet1k/…/lr0.001_wd0/seed0",
    "…/seed0",
    "…/seed0",
    "s…d0",
  ]);
});

test("names that differ only at their end never read alike", () => {
  const cut = (name: string) => cutInMiddle(name, (text) => text.length <= 12);
  expect(new Set([0, 1, 2].map((seed) => cut(`${RUN.slice(0, -1)}${seed}`))).size).toBe(3);
});

test("tags below one folder share its name", () => {
  expect(sharedPrefix(["model/decoder/layers/00/qkv", "model/decoder/layers/01/qkv"])).toBe(
    "model/decoder/layers/",
  );
  expect(sharedPrefix(["train/loss", "train/acc"])).toBe("train/");
  expect([sharedPrefix(["loss"]), sharedPrefix([])]).toEqual(["", ""]);
});

test("a name gives way before its last part, or before its last letters where that part is long", () => {
  const ends = [RUN, "big/a_very_long_name_of_a_run", "lr-0.01"].map((name) => name.slice(endOf(name)));
  expect(ends).toEqual(["/seed0", "of_a_run", ""]);
});

const letters = (text: string) => text.length;

test("names that end alike need room for their beginnings up to where they differ", () => {
  expect(distinguishingWidth(["imagenet1k/vit/seed0", "imagenet1k/resnet/seed0"], letters)).toBe(
    "imagenet1k/r…/seed0".length,
  );
});

test("names that end in other ways, or that are equal, need none", () => {
  expect(distinguishingWidth(["imagenet1k/vit/seed0", "imagenet1k/vit/seed1"], letters)).toBe(0);
  expect(distinguishingWidth(["imagenet1k/vit/seed0", "imagenet1k/vit/seed0"], letters)).toBe(0);
});

test("parts are cut where they are told from others at their place, numbers never", () => {
  const names = [
    "imagenet1k/vit_base_patch16/lr0.001_wd0/seed0",
    "coco2017/resnet50d/lr0.0003_wd0/seed10",
    "coco2017/resnet50/lr0.001_wd0/seed1",
  ];
  expect([...abbreviate(names).values()]).toEqual([
    "ima…/vit…/lr0.001…/seed0",
    "coc…/resnet50d/lr0.0003…/seed10",
    "coc…/resnet50/lr0.001…/seed1",
  ]);
});

test("parts that differ at their ends alone keep those", () => {
  const names = ["convnext_tiny_in22k/2026-10-14T08_mbs128", "convnext_tiny_in22c/2026-10-14T08_mbs1128"];
  expect([...abbreviate(names).values()]).toEqual(["con…22k/2026…s128", "con…22c/2026…1128"]);
});

test("names are cut together in one way in which no two are alike", () => {
  const names = ["a/vit/lr1/seed0", "a/vit/lr2/seed0", "a/resnet/lr1/seed0", "b"];
  expect(cutTogether(names, (text) => text.length <= 15)).toEqual([
    "a/vit/lr1/seed0",
    "a/vit/lr2/seed0",
    "a/…/lr1/seed0",
    "b",
  ]);
  expect(cutTogether(["a/b/c/d/e", "a/x/c/d/e"], (text) => text.length <= 7)).toEqual(["a/b/…/e", "a/x/…/e"]);
});

test("names that differ in all parts lose a piece of each", () => {
  const names = ["imagenet/resnet", "imagenet/vit_tiny", "coco2017/resnet", "coco2017/vit_tiny"];
  expect(cutTogether(names, (text) => text.length <= 9)).toEqual([
    "ima…/resnet",
    "ima…/vit…",
    "coc…/resnet",
    "coc…/vit…",
  ]);
});
