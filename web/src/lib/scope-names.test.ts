import { describe, expect, test } from "vitest";
import { isOperatorOf, namesIn, nodeNames, ownName, pathNamed } from "./scope-names";

describe("the operators of a node", () => {
  const operators = [
    { name: "model/dense/MatMul:MatMul", scope: "" },
    { name: "dot.1", scope: "jit(step)/jvp(layer2)/dot_general" },
    { name: "aten::mm", scope: "encoder/fc1" },
    { name: "MatMul", scope: "head" },
    { name: "step", scope: "" },
  ];
  const of = (path: string) => operators.filter((each) => isOperatorOf(path, each)).map(({ name }) => name);

  test("have its path as their name, or the end of it, without the type that TensorFlow adds", () => {
    expect(of("model/dense/MatMul")).toEqual(["model/dense/MatMul:MatMul"]);
    expect(of("outer/model/dense/MatMul")).toEqual(["model/dense/MatMul:MatMul"]);
    expect(of("model/dense_1/MatMul")).toEqual([]);
    expect(of("head/MatMul")).toEqual(["MatMul"]);
  });

  test("have it as their scope, or are anywhere within", () => {
    expect(of("jit(step)/jvp(layer2)/dot_general")).toEqual(["dot.1"]);
    expect(of("jit(step)/jvp(layer2)")).toEqual(["dot.1"]);
    expect(of("jit(step)/jvp(layer2)/dot_general/dot.1")).toEqual(["dot.1"]);
    expect(of("main/dot.1")).toEqual(["dot.1"]);
    expect(of("model")).toEqual(["model/dense/MatMul:MatMul"]);
  });

  test("are those of modules as PyTorch names them in graphs", () => {
    expect(of("Net/Encoder[encoder]/Linear[fc1]")).toEqual(["aten::mm"]);
  });

  test("are none of the whole graph", () => {
    expect(of("")).toEqual([]);
  });
});

describe("the node of an operator", () => {
  const paths = ["a/dense/MatMul", "b/dense/MatMul", "dense", "head/dot.1"];

  test("has its name, or is the only one that ends with it", () => {
    expect(pathNamed(paths, nodeNames({ name: "a/dense/MatMul:MatMul", scope: "" }))).toBe("a/dense/MatMul");
    expect(pathNamed(paths, ["dot.1"])).toBe("head/dot.1");
    expect(pathNamed(paths, ["dense"])).toBe("dense");
  });

  test("is none of several that end with its name", () => {
    expect(pathNamed(paths, ["dense/MatMul"])).toBeNull();
    expect(pathNamed(paths, ["dense/MatMul", "a/dense/MatMul"])).toBe("a/dense/MatMul");
  });
});

test("a module that is called again has one name in tags, whichever call it is", () => {
  expect(namesIn("UNet/MaxPool2d[pool] #2/7")).toEqual(["pool", "7"]);
  expect(namesIn("matching/encoder #2/mix #1")).toEqual(["matching", "encoder", "mix"]);
  expect(["m/encoder #2", "UNet/MaxPool2d[pool] #2", "Net/Linear[0]", "jit/dot.1", "x"].map(ownName)).toEqual(
    ["encoder", "pool", "0", "dot.1", "x"],
  );
});
