import { expect, test } from "vitest";
import {
  measuredMemoryText,
  memoryBytes,
  memoryText,
  spanSecs,
  spanText,
  typedValue,
  wholeNumber,
} from "./job-values";

test.each([
  ["0.1", 0.1],
  ["1e-3", 0.001],
  ["-5", -5],
  ["true", true],
  ["false", false],
  ["True", "True"],
  ["007", "007"],
  ["1.", "1."],
  [".5", ".5"],
  ["0x10", "0x10"],
  ["1e999", "1e999"],
  ["1234567890123456", "1234567890123456"],
  ["adam", "adam"],
  ["", ""],
])("the hyperparameter %s is %j, as on the command line", (text, value) => {
  expect(typedValue(text)).toBe(value);
});

test.each([
  ["512M", 2 ** 29],
  ["1.5G", 1.5 * 2 ** 30],
  [" 4 gb ", 2 ** 32],
  ["1GiB", 2 ** 30],
  ["1T", 2 ** 40],
  ["4", null],
  ["0.1M", null],
  ["2000T", null],
  ["lots", null],
])("%s of memory are %j bytes", (text, bytes) => {
  expect(memoryBytes(text)).toBe(bytes);
});

test.each([
  ["2h30m", 9000],
  ["1d 2h", 93_600],
  ["90s", 90],
  ["0", 0],
  ["", 0],
  ["30", null],
  ["1h2d", null],
  ["soon", null],
])("the duration %j is %j seconds", (text, secs) => {
  expect(spanSecs(text)).toBe(secs);
});

test("what is shown can be typed", () => {
  expect([2 ** 29, 1.5 * 2 ** 30, 2 ** 40].map((bytes) => memoryBytes(memoryText(bytes)))).toEqual([
    2 ** 29,
    1.5 * 2 ** 30,
    2 ** 40,
  ]);
  expect([0, 30, 9000, 93_784].map((secs) => [spanText(secs), spanSecs(spanText(secs))])).toEqual([
    ["", 0],
    ["30s", 30],
    ["2h30m", 9000],
    ["1d2h3m4s", 93_784],
  ]);
});

test("whole numbers have bounds", () => {
  expect(["3", "0", "65", "1.5", ""].map((text) => wholeNumber(text, 1, 64))).toEqual([
    3,
    null,
    null,
    null,
    null,
  ]);
});

test("measured memory has three digits, and that of a preset is written as the preset is", () => {
  const sizes = [0, 2 ** 19, 340.4 * 2 ** 20, 2 ** 31, 1.94 * 2 ** 30, 125.7 * 2 ** 30];
  expect(sizes.map(measuredMemoryText)).toEqual(["0", "0.5M", "340M", "2G", "1.9G", "126G"]);
});
