import { describe, expect, test } from "vitest";
import { openModel, openOf, pictureOf, scopeOf } from "./graph.fixture";
import { centerOf } from "./shapes";
import { startOf } from "./start";

describe("the start of a flow", () => {
  const picture = openModel();
  const at = (path: string) => picture.places.get(path)!;

  test("is the upper port of an open box", () => {
    const { rect } = picture.boxes[at("layer")]!;
    expect(startOf(picture, at("layer"))).toEqual({ x: rect.x + rect.width / 2, y: rect.y });
  });

  test("is the first box of the graph", () => {
    expect(startOf(picture, -1)).toEqual(centerOf(picture.boxes[at("x")]!.rect));
  });

  test("is nowhere if nothing flows", () => {
    expect(startOf(pictureOf(openOf(scopeOf("", "a b"))), -1)).toBeNull();
  });
});
