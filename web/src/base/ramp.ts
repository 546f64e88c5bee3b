/**
 * An even ramp of colours for numbers, from violet over teal to gold: lightness rises steadily, so that it is read
 * without colours too. Its ends keep their distance from the paper of each theme.
 */

/** [lightness at 0, at 1] in OKLCH. */
const LIGHTNESS = { light: [0.34, 0.66], dark: [0.52, 0.9] } as const;
const HUE = [305, 85] as const;
const CHROMA = 0.13;

/** The colour at `part` of the ramp (0 to 1) as "#rrggbb". */
export function rampColor(part: number, shade: "light" | "dark"): string {
  const at = Math.min(1, Math.max(0, part));
  const [low, high] = LIGHTNESS[shade];
  const hue = ((HUE[0] + (HUE[1] - HUE[0]) * at) * Math.PI) / 180;
  return hex(low + (high - low) * at, CHROMA * Math.cos(hue), CHROMA * Math.sin(hue));
}

/** Oklab to sRGB, clipped. */
function hex(lightness: number, a: number, b: number): string {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const channels = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  return `#${channels.map(byte).join("")}`;
}

function byte(channel: number): string {
  const linear = Math.min(1, Math.max(0, channel));
  const value = linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055;
  return Math.round(255 * value)
    .toString(16)
    .padStart(2, "0");
}
