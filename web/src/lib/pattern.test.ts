import { expect, test } from "vitest";
import { compile, fromAddress, suggestedRegex, toAddress } from "./pattern";

test("plain text is found anywhere, whatever its case", () => {
  const pattern = compile("LOSS");
  expect(["train/loss", "Loss", "lr"].map((name) => pattern.matches(name))).toEqual([true, true, false]);
});

test("signs of regular expressions mean themselves in plain text", () => {
  const pattern = compile("a.b(");
  expect([pattern.matches("xa.b(y"), pattern.matches("axb(")]).toEqual([true, false]);
});

test("text between slashes is a regular expression", () => {
  const pattern = compile("/^(train|eval).*loss$/");
  expect([pattern.matches("eval/Loss"), pattern.matches("eval/loss/x")]).toEqual([true, false]);
});

test("the place of the match is told for marking", () => {
  expect(compile("rain").find("train/rain")).toEqual([1, 5]);
  expect(compile("/l.ss/").find("train/loss")).toEqual([6, 10]);
  expect(compile("").find("anything")).toBeNull();
});

test("an expression that matches nothing in particular marks nothing", () => {
  expect(compile("/x*/").find("loss")).toBeNull();
});

test("a wrong expression is refused with the reason", () => {
  expect(() => compile("/(/")).toThrow(SyntaxError);
});

test("a path with one slash is plain text, also while an expression is being typed", () => {
  expect(compile("/").matches("a/b")).toBe(true);
  expect(compile("/trai").matches("x/train")).toBe(true);
});

test("an address holds regular expressions, as TensorBoard's do", () => {
  expect([toAddress("loss"), toAddress("a.b"), toAddress("/a|b/")]).toEqual(["loss", "a\\.b", "a|b"]);
});

test("TensorBoard's expressions come back as a box understands them", () => {
  expect([fromAddress("loss"), fromAddress("a|b"), fromAddress("a\\.b")]).toEqual(["loss", "/a|b/", "a.b"]);
});

test("what is typed in a box can be written in an address", () => {
  expect([fromAddress("/x/"), fromAddress("/vit.*lr0\\.003/"), fromAddress("/a|b/")]).toEqual([
    "/x/",
    "/vit.*lr0\\.003/",
    "/a|b/",
  ]);
  const slashes = compile(fromAddress(toAddress("//a|b//")));
  expect([slashes.matches("/a"), slashes.matches("b/"), slashes.matches("a b")]).toEqual([true, true, false]);
});

test("every text survives the way through the address", () => {
  for (const text of ["loss", "a.b", "/a|b/", "50%", "C:\\x", "训练/损失", "/^x$/", "(a)", "lr=1e-3 [b]"]) {
    expect(fromAddress(toAddress(text))).toBe(text);
  }
});

test("a plain text that finds names as a regular expression may be one", () => {
  const names = ["baseline", "big/seed0"];
  const meant = ["base|big", "seed\\d", "^big.*", "x|y", "base", "/base/", "(big"];
  expect(meant.map((text) => suggestedRegex(text, names))).toEqual([
    "/base|big/",
    "/seed\\d/",
    "/^big.*/",
    null,
    null,
    null,
    null,
  ]);
});
