import { expect, test } from "vitest";
import { sha256 } from "./digest";

test("digests of the standard's examples", () => {
  expect(sha256("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  expect(sha256("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  expect(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")).toBe(
    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
  );
});

test("of a million letters, and of letters of several bytes", () => {
  expect(sha256("a".repeat(1_000_000))).toBe(
    "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
  );
  expect(sha256("run\0é😀".repeat(100))).toBe(
    "ba14a0db93f32b8a66b39a9f85fbb8da63fd94be54a4e40467bcb09d9de82d88",
  );
});
