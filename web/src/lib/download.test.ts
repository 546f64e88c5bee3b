import { expect, test } from "vitest";
import { fileName } from "./download";

test("a name of a file keeps letters of any script and nothing a system takes for its own", () => {
  expect(fileName("train/Loss")).toBe("train-loss");
  expect(fileName('a\\b:c*?"<>| d')).toBe("a-b-c-d");
  expect(fileName("损失/тест")).toBe("损失-тест");
  expect(fileName("../../x")).toBe("x");
  expect(fileName("😀")).toBe("lightboard");
  expect(fileName("x".repeat(300))).toHaveLength(80);
});
