import { expect, test } from "vitest";
import { escapeXml, SvgPen } from "./svg-pen";

const pen = () => new SvgPen((text) => 6 * text.length);
const size = { width: 100, height: 50 };

test("a path is one element of rounded differences that do not drift", () => {
  const svg = pen();
  svg.strokeStyle = "#123456";
  svg.beginPath();
  svg.moveTo(0.004, 10);
  svg.lineTo(0.333, 9.5);
  svg.lineTo(0.666, 9.75);
  svg.stroke();
  expect(svg.toString(size, "t").split("\n")[2]).toBe(
    '<path fill="none" stroke="#123456" d="M0 10l.33-.5l.34 .25"/>',
  );
});

test("text stays text, in the middle of its line, in the fonts named", () => {
  const svg = pen();
  svg.font = "600 10px Inter, sans-serif";
  svg.fillStyle = "#000";
  svg.textAlign = "right";
  svg.textBaseline = "middle";
  svg.fillText("a<b", 5, 10);
  expect(svg.toString(size, "t").split("\n")[2]).toBe(
    '<text x="5" y="13.55" font-family="Inter, sans-serif" font-size="10" font-weight="600" text-anchor="end"' +
      ' fill="#000" xml:space="preserve">a&lt;b</text>',
  );
});

test("what is moved, clipped and dimmed is so in the file, and ends where it ended", () => {
  const svg = pen();
  svg.fillStyle = "red";
  svg.save();
  svg.beginPath();
  svg.rect(0, 0, 10, 10);
  svg.clip();
  svg.globalAlpha = 0.5;
  svg.translate(1, 2);
  svg.fillRect(0, 0, 4, 5);
  svg.restore();
  svg.globalAlpha = 1;
  svg.fillRect(0, 0, 1, 1);
  expect(svg.toString(size, "t").split("\n").slice(2, -2)).toEqual([
    '<svg x="0" y="0" width="10" height="10" viewBox="0 0 10 10">',
    '<rect x="1" y="2" width="4" height="5" fill="red" opacity=".5"/>',
    "</svg>",
    '<rect x="0" y="0" width="1" height="1" fill="red"/>',
  ]);
});

test("any name leaves the file well-formed", () => {
  expect(escapeXml('a & "b" <c>')).toBe("a &amp; &quot;b&quot; &lt;c&gt;");
  expect(escapeXml("тест 损失 😀 \u0000\ud800x\uffff")).toBe("тест 损失 😀 \ufffd\ufffdx\ufffd");
});
