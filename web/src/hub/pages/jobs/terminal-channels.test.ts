import { expect, test } from "vitest";
import {
  binaryInputMessage,
  inputMessages,
  parseMessage,
  processedMessage,
  shellPath,
  sizeMessage,
} from "./terminal-channels";

const text = (message: Uint8Array) => [message[0], new TextDecoder().decode(message.subarray(1))];

test("what is typed is sent as UTF-8, reports about the mouse as bytes", () => {
  expect([...inputMessages("é\r"), binaryInputMessage("\u00e9")].map((message) => [...message])).toEqual([
    [0, 0xc3, 0xa9, 0x0d],
    [0, 0xe9],
  ]);
});

test("what is long is sent in several messages, and letters stay whole", () => {
  const messages = inputMessages("😀".repeat(20_000));
  const bytes = messages.flatMap((message) => [...message.subarray(1)]);
  expect([
    messages.map((message) => message.length),
    new TextDecoder().decode(new Uint8Array(bytes)),
  ]).toEqual([[65_537, 14_465], "😀".repeat(20_000)]);
});

test("sizes and processed output are JSON", () => {
  expect([sizeMessage({ rows: 24, columns: 80 }), processedMessage(65_536)].map(text)).toEqual([
    [4, '{"rows":24,"columns":80}'],
    [5, '{"bytes":65536}'],
  ]);
});

test("a message of the hub is output or the status", () => {
  const status = new TextEncoder().encode('\u0003{"exit_code":3,"signal":null,"message":""}');
  expect([parseMessage(new Uint8Array([1, 0x68, 0x69]).buffer), parseMessage(status.buffer)]).toEqual([
    new Uint8Array([0x68, 0x69]),
    { exit_code: 3, signal: null, message: "" },
  ]);
});

test("a shell is asked for by words", () => {
  const path = shellPath({ job: "a/b", rank: 2, size: { rows: 24, columns: 80 }, window: 1024 });
  const [place, query] = path.split("?");
  expect([place, [...new URLSearchParams(query)]]).toEqual([
    "jobs/a%2Fb/exec",
    [
      ["command", "sh"],
      ["command", "-c"],
      ["command", "if command -v bash >/dev/null; then exec bash; else exec sh; fi"],
      ["rank", "2"],
      ["tty", "1"],
      ["rows", "24"],
      ["columns", "80"],
      ["window", "1024"],
    ],
  ]);
});
