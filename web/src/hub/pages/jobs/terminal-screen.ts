/** A terminal on the page, by xterm.js, and the shell behind it. */

import { FitAddon } from "@xterm/addon-fit";
import { Terminal } from "@xterm/xterm";
import { copyText } from "../../../lib/clipboard";
import type { ColorScheme } from "../../../lib/color-scheme";
import { terminalColors } from "./terminal-colors";
import type { TerminalEnd } from "./terminal-end";
import { keyAction } from "./terminal-keys";
import { TerminalShell } from "./terminal-shell";

const FONT_PX = 13;
const ROWS_KEPT = 10_000;
/** Of text in the usual size (WCAG 1.4.3). */
const CONTRAST = 4.5;

interface Options {
  job: string;
  rank: number;
  forScreenReader: boolean;
  onOpened(): void;
  onWritten(): void;
  onEnded(end: TerminalEnd): void;
  /** The user has pressed the keys that leave it. */
  onLeave(): void;
}

export class TerminalScreen {
  private readonly terminal: Terminal;
  private readonly fit = new FitAddon();
  private readonly shell: TerminalShell;
  private readonly resized: ResizeObserver;
  private readonly themed: MutationObserver;

  /** In `box`, whose font must have been loaded: letters are measured. */
  constructor(box: HTMLElement, options: Options) {
    this.terminal = new Terminal({
      fontFamily: getComputedStyle(box).fontFamily,
      fontSize: FONT_PX,
      scrollback: ROWS_KEPT,
      minimumContrastRatio: CONTRAST,
      screenReaderMode: options.forScreenReader,
      theme: colorsNow(),
      linkHandler: { activate: (_event, address) => void open(address, "_blank", "noopener,noreferrer") },
    });
    this.terminal.loadAddon(this.fit);
    this.terminal.open(box);
    this.fit.fit();
    this.shell = this.connected(options);
    this.terminal.attachCustomKeyEventHandler((event) => this.passes(event, options.onLeave));
    this.resized = new ResizeObserver(() => this.fit.fit());
    this.resized.observe(box);
    this.themed = new MutationObserver(() => {
      this.terminal.options.theme = colorsNow();
    });
    this.themed.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  }

  focus(): void {
    this.terminal.focus();
  }

  set forScreenReader(on: boolean) {
    this.terminal.options.screenReaderMode = on;
  }

  /** Ends the shell. */
  close(): void {
    this.resized.disconnect();
    this.themed.disconnect();
    this.shell.close();
    this.terminal.dispose();
  }

  private connected({ job, rank, onOpened, onWritten, onEnded }: Options): TerminalShell {
    const { terminal } = this;
    const size = { rows: terminal.rows, columns: terminal.cols };
    const shell = new TerminalShell(job, rank, size, {
      opened: onOpened,
      written: (output, processed) => {
        terminal.write(output, processed);
        onWritten();
      },
      ended: (end) => {
        terminal.options.disableStdin = true;
        terminal.options.cursorInactiveStyle = "none";
        onEnded(end);
      },
    });
    terminal.onData((text) => shell.type(text));
    terminal.onBinary((text) => shell.typeBytes(text));
    terminal.onResize(({ rows, cols }) => shell.resize({ rows, columns: cols }));
    return shell;
  }

  /** Whether a key is for the program. */
  private passes(event: KeyboardEvent, onLeave: () => void): boolean {
    const action = keyAction(event, this.terminal.hasSelection());
    if (action === "type") return !this.terminal.options.disableStdin;
    if (action === "paste") return false;
    event.preventDefault();
    if (action === "leave") onLeave();
    else if (this.terminal.hasSelection()) {
      void copyText(this.terminal.getSelection());
      this.terminal.clearSelection();
    }
    return false;
  }
}

function colorsNow() {
  const style = getComputedStyle(document.documentElement);
  const scheme = document.documentElement.dataset.theme as ColorScheme;
  return terminalColors(scheme, (name) => style.getPropertyValue(name).trim());
}

/** The names of its parts for screen readers. */
export function nameParts(input: string, tooMuchOutput: string): void {
  Terminal.strings.promptLabel = input;
  Terminal.strings.tooMuchOutput = tooMuchOutput;
}
