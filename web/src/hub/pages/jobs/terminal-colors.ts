/** The colours of a terminal: those of the page, so that it follows the theme. */

import type { ITheme } from "@xterm/xterm";
import type { ColorScheme } from "../../../lib/color-scheme";

/** `token` is the value of a custom property, such as `--text`. The terminal raises the contrast of what is too pale. */
export function terminalColors(scheme: ColorScheme, token: (name: string) => string): ITheme {
  const dark = scheme === "dark";
  const colors = {
    red: token("--err"),
    green: token("--ok"),
    yellow: token("--warn"),
    blue: token("--info"),
    magenta: token("--ansi-magenta"),
    cyan: token("--ansi-cyan"),
  };
  return {
    ...colors,
    background: token("--surface"),
    foreground: token("--text"),
    cursor: token("--text"),
    cursorAccent: token("--surface"),
    selectionBackground: token("--accent"),
    selectionForeground: token("--on-accent"),
    black: token(dark ? "--sunken" : "--text"),
    white: token(dark ? "--text-2" : "--line"),
    brightBlack: token("--text-3"),
    brightRed: colors.red,
    brightGreen: colors.green,
    brightYellow: colors.yellow,
    brightBlue: colors.blue,
    brightMagenta: colors.magenta,
    brightCyan: colors.cyan,
    brightWhite: token(dark ? "--text" : "--surface"),
    scrollbarSliderBackground: token("--line-strong"),
    scrollbarSliderHoverBackground: token("--control"),
    scrollbarSliderActiveBackground: token("--control"),
  };
}
