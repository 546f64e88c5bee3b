import { expect, test } from "vitest";
import { commandOf, commandText } from "./shell-words";

test.each([
  [["sh", "-c", "cd src && python train.py"], "cd src && python train.py"],
  [["/bin/bash", "-c", "ls | wc"], "ls | wc"],
  [["python", "train.py", "--name", "it's me", ""], `python train.py --name 'it'"'"'s me' ''`],
])("%j is shown as %s, and stays itself", (words, text) => {
  expect(commandText(words)).toBe(text);
  expect(commandOf(text, words)).toEqual(words);
});

test("a line with several words is for the shell, a single word is a program", () => {
  expect(commandOf(" python train.py \n")).toEqual(["sh", "-c", "python train.py"]);
  expect(commandOf("nvidia-smi")).toEqual(["nvidia-smi"]);
  expect(commandOf("  ")).toEqual([]);
});

test("a changed line keeps its shell", () => {
  expect(commandOf("ls -l | wc", ["/bin/bash", "-c", "ls | wc"])).toEqual(["/bin/bash", "-c", "ls -l | wc"]);
  expect(commandOf("python train.py --lr 1", ["python", "train.py"])).toEqual([
    "sh",
    "-c",
    "python train.py --lr 1",
  ]);
});
