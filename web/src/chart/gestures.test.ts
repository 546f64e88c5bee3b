import { expect, test } from "vitest";
import { Gestures, type PointerPress } from "./gestures";

/** Here lies what is dragged by itself. */
const GRIP_Y = 500;

/** Gestures with a clock moved by hand; what they mean is written down. */
function setUp() {
  const told: string[] = [];
  const round = (value: number) => Math.round(value * 1000) / 1000;
  let now = 0;
  let waiting: { at: number; run: () => void }[] = [];
  const gestures = new Gestures(
    {
      hover: (at) => told.push(at ? `hover ${at.x},${at.y}` : "hover none"),
      box: (box) => told.push(box ? `box ${box.left},${box.top} ${box.right},${box.bottom}` : "box none"),
      select: (box, band) => told.push(`select ${box.left}-${box.right}${band ? " band" : ""}`),
      pan: (dx, dy, done) => told.push(`pan ${dx},${dy}${done ? " done" : ""}`),
      zoom: (factor, at, done) => told.push(`zoom ${round(factor)} at ${at.x}${done ? " done" : ""}`),
      click: (at, extend) => told.push(`click ${at.x},${at.y}${extend ? " extend" : ""}`),
      grabHandle: ({ y }) => y === GRIP_Y,
      drag: (at, done) => told.push(`drag ${at.x}${done ? " done" : ""}`),
      back: () => told.push("back"),
      hint: () => told.push("hint"),
    },
    {
      now: () => now,
      after(ms, run) {
        const timer = { at: now + ms, run };
        waiting.push(timer);
        return () => {
          waiting = waiting.filter((other) => other !== timer);
        };
      },
    },
  );
  const wait = (ms: number) => {
    now += ms;
    const due = waiting.filter(({ at }) => at <= now);
    waiting = waiting.filter(({ at }) => at > now);
    for (const { run } of due) run();
  };
  return { gestures, told, wait };
}

const at = (x: number, y: number, id = 1) => ({ id, x, y });
const press = (x: number, y: number, more: Partial<PointerPress> = {}): PointerPress => ({
  ...at(x, y),
  button: 0,
  grab: false,
  extend: false,
  kind: "mouse",
  ...more,
});

test("moving is hovering, leaving ends it", () => {
  const { gestures, told } = setUp();
  gestures.move(at(5, 6));
  gestures.leave();
  expect(told).toEqual(["hover 5,6", "hover none"]);
});

test("a drag is a box, and hides the cursor", () => {
  const { gestures, told } = setUp();
  gestures.down(press(10, 10));
  gestures.move(at(60, 70));
  gestures.up(at(60, 70));
  expect(told).toEqual(["hover none", "box 10,10 60,70", "select 10-60"]);
});

test("a drag within twelve pixels of height is a range of x", () => {
  const { gestures, told } = setUp();
  gestures.down(press(10, 10));
  gestures.move(at(60, 22));
  gestures.up(at(60, 22));
  expect(told.at(-1)).toBe("select 10-60 band");
});

test("a drag too narrow to mean anything is given up", () => {
  const { gestures, told } = setUp();
  gestures.down(press(10, 10));
  gestures.move(at(12, 60));
  gestures.up(at(12, 60));
  expect(told.at(-1)).toBe("box none");
});

test("Escape gives a drag up", () => {
  const { gestures, told } = setUp();
  gestures.down(press(10, 10));
  gestures.move(at(60, 60));
  gestures.cancel();
  gestures.up(at(60, 60));
  expect(told.slice(-2)).toEqual(["box none", "hover none"]);
});

test("a click pins, once it is sure not to be half of a double click", () => {
  const { gestures, told, wait } = setUp();
  gestures.down(press(10, 10));
  gestures.up(at(11, 10));
  expect(told).toEqual([]);
  wait(300);
  expect(told).toEqual(["click 11,10"]);
});

test("a double click goes back and pins nothing", () => {
  const { gestures, told, wait } = setUp();
  for (const _ of [1, 2]) {
    gestures.down(press(10, 10));
    gestures.up(at(10, 10));
  }
  gestures.doubleClick();
  wait(1000);
  expect(told).toEqual(["back"]);
});

test.each([
  ["Shift or Alt", { grab: true }],
  ["the middle button", { button: 1 }],
])("a drag with %s moves the picture", (_, how) => {
  const { gestures, told } = setUp();
  gestures.down(press(10, 10, how));
  gestures.move(at(30, 15));
  gestures.up(at(40, 20));
  expect(told).toEqual(["pan 20,5", "pan 30,10 done"]);
});

test("Alt and the wheel zoom; it is done when the wheel rests", () => {
  const { gestures, told, wait } = setUp();
  expect(gestures.wheel({ x: 50, y: 50 }, -100, true)).toBe(true);
  wait(100);
  gestures.wheel({ x: 50, y: 50 }, 100, true);
  wait(300);
  expect(told).toEqual(["zoom 0.779 at 50", "zoom 1.284 at 50", "zoom 1 at 50 done"]);
});

test("the wheel alone scrolls the page, and the hint comes only where the pointer rests", () => {
  const { gestures, told, wait } = setUp();
  gestures.move(at(5, 5));
  expect(gestures.wheel({ x: 5, y: 5 }, 100, false)).toBe(false);
  wait(600);
  gestures.wheel({ x: 5, y: 5 }, 100, false);
  expect(told).toEqual(["hover 5,5", "hint"]);
});

test("one finger moves the cursor, and lifting it ends that", () => {
  const { gestures, told } = setUp();
  gestures.down(press(10, 10, { kind: "touch" }));
  gestures.move(at(30, 10));
  gestures.up(at(30, 10));
  expect(told).toEqual(["hover 10,10", "hover 30,10", "hover none"]);
});

test("two fingers apart bring the picture closer around their middle", () => {
  const { gestures, told } = setUp();
  gestures.down(press(40, 10, { kind: "touch" }));
  gestures.down(press(60, 10, { kind: "touch", id: 2 }));
  gestures.move(at(80, 10, 2));
  gestures.up(at(80, 10, 2));
  expect(told).toEqual(["hover 40,10", "hover none", "zoom 0.5 at 50", "zoom 0.5 at 50 done"]);
});

test("a tap pins", () => {
  const { gestures, told, wait } = setUp();
  gestures.down(press(10, 10, { kind: "touch" }));
  gestures.up(at(10, 10));
  wait(300);
  expect(told.at(-1)).toBe("click 10,10");
});

test("a click with Shift extends, a drag with Shift does not", () => {
  const { gestures, told, wait } = setUp();
  gestures.down(press(10, 10, { grab: true, extend: true }));
  gestures.move(at(11, 10));
  gestures.up(at(11, 10));
  wait(300);
  expect(told).toEqual(["click 11,10 extend"]);
});

test("what lies there to be dragged is dragged, and hides the cursor", () => {
  const { gestures, told } = setUp();
  gestures.down(press(10, GRIP_Y));
  gestures.move(at(30, 20));
  gestures.up(at(40, 20));
  expect(told).toEqual(["hover none", "drag 30", "drag 40 done"]);
});

test("Escape puts what is dragged back", () => {
  const { gestures, told } = setUp();
  gestures.down(press(10, GRIP_Y));
  gestures.move(at(30, 20));
  gestures.cancel();
  expect(told).toEqual(["hover none", "drag 30", "drag 10 done", "hover none"]);
});
