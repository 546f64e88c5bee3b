/** A shell in a running job, and below it how it is: in a file of its own with xterm.js, which few pages need. */

import "@xterm/xterm/css/xterm.css";
import { type RefObject, useEffect, useRef, useState } from "react";
import { type Say, useWords } from "../../../i18n/words";
import { storeChoice, storedChoice } from "../../../lib/storage";
import { Button } from "../../../ui/button";
import { jobKey } from "../../data/jobs";
import { queries } from "../../data/queries";
import { EmptyState } from "../../ui/page";
import style from "./terminal.module.css";
import type { TerminalEnd } from "./terminal-end";
import { LEAVE_KEYS } from "./terminal-keys";
import { nameParts, TerminalScreen } from "./terminal-screen";

interface TerminalViewProps {
  job: string;
  rank: number;
  /** Whether another shell can be opened once this one has ended. */
  running: boolean;
  onReconnect(): void;
}

export default function TerminalView({ job, rank, running, onReconnect }: TerminalViewProps) {
  const say = useWords();
  const whole = useRef<HTMLDivElement>(null);
  const [maximized, setMaximized] = useMaximized(whole);
  const [forScreenReader, setForScreenReader] = useScreenReaderChoice();
  const box = useRef<HTMLDivElement>(null);
  const bar = useRef<HTMLDivElement>(null);
  const leave = () => bar.current?.querySelector("button")?.focus();
  const { state, screen, written } = useScreen(box, { job, rank, forScreenReader, onLeave: leave });
  useEffect(() => {
    if (screen) screen.forScreenReader = forScreenReader;
  }, [screen, forScreenReader]);
  const ended = typeof state === "object";
  useEffect(() => {
    const focused = document.activeElement;
    // Nothing can be typed any more.
    if (ended && (focused === document.body || box.current?.contains(focused)))
      whole.current?.querySelector("button")?.focus();
  }, [ended]);
  const reconnect = ended && running && (
    <Button icon="reload" data-testid="reconnect" onClick={onReconnect}>
      {say("hub.terminal.reconnect")}
    </Button>
  );
  if (ended && !written)
    return (
      <div ref={whole} role="status" data-testid="terminal" data-state={state.kind}>
        <EmptyState title={endText(say, state)}>{reconnect}</EmptyState>
      </div>
    );
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is not a part of a form
    <div
      className={maximized ? `${style.terminal} ${style.maximized}` : style.terminal}
      role="group"
      aria-label={say("hub.job.part.terminal")}
      data-testid="terminal"
      data-state={ended ? state.kind : state}
      ref={whole}
    >
      <div className={style.frame}>
        <div ref={box} className={style.box} lang="en" />
      </div>
      <div ref={bar} className={style.bar}>
        <p className={style.state} role="status" data-testid="terminal-state">
          {ended ? endText(say, state) : say(`hub.terminal.${state}`)}
        </p>
        {!ended && <p className={style.keys}>{say("hub.terminal.leave", { keys: LEAVE_KEYS })}</p>}
        <span className={style.tools}>
          {reconnect}
          <Button
            aria-pressed={forScreenReader}
            title={say("hub.terminal.screenReaderWhat")}
            data-testid="screen-reader"
            onClick={() => setForScreenReader(!forScreenReader)}
          >
            {say("hub.terminal.screenReader")}
          </Button>
          <Button
            icon="full"
            label={say("hub.terminal.maximize")}
            aria-pressed={maximized}
            data-testid="maximize"
            onClick={() => {
              setMaximized(!maximized);
              screen?.focus();
            }}
          />
        </span>
      </div>
    </div>
  );
}

function endText(say: Say, end: TerminalEnd): string {
  if (end.kind === "exited") return say("hub.terminal.exited", { code: end.code });
  if (end.kind === "killed") return say("hub.terminal.killed", { signal: end.signal });
  if (end.kind === "refused") return say("hub.terminal.refused", { why: end.why });
  return say(`hub.terminal.${end.kind}`);
}

/** Whether it covers the page: until the focus is on something that it would hide. */
function useMaximized(whole: RefObject<HTMLDivElement | null>): [boolean, (on: boolean) => void] {
  const [maximized, setMaximized] = useState(false);
  useEffect(() => {
    if (!maximized) return;
    const shrink = ({ target }: FocusEvent) => {
      if (!whole.current?.contains(target as Node)) setMaximized(false);
    };
    document.addEventListener("focusin", shrink);
    return () => document.removeEventListener("focusin", shrink);
  }, [maximized, whole]);
  return [maximized, setMaximized];
}

const CHOICE = "lightboard:terminal-for-screen-reader";

function useScreenReaderChoice(): [boolean, (on: boolean) => void] {
  const [on, setOn] = useState(() => storedChoice(CHOICE, ["on"]) !== null);
  const choose = (next: boolean) => {
    storeChoice(CHOICE, next ? "on" : null);
    setOn(next);
  };
  return [on, choose];
}

type State = "connecting" | "connected" | TerminalEnd;

interface ScreenOptions {
  job: string;
  rank: number;
  forScreenReader: boolean;
  onLeave(): void;
}

/**
 * A terminal in `box` from the first render to the last, however the options change meanwhile. `written`: whether there
 * is something to read in it.
 */
function useScreen(box: RefObject<HTMLDivElement | null>, options: ScreenOptions) {
  const say = useWords();
  const [state, setState] = useState<State>("connecting");
  const [written, setWritten] = useState(false);
  const [screen, setScreen] = useState<TerminalScreen | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: one shell for each
  useEffect(() => {
    let open: TerminalScreen | null = null;
    let gone = false;
    nameParts(say("hub.terminal.input"), say("hub.terminal.tooMuchOutput"));
    const start = () => {
      if (gone) return;
      open = new TerminalScreen(box.current!, {
        ...options,
        onOpened: () => setState("connected"),
        onWritten: () => setWritten(true),
        onEnded: (end) => {
          setState(end);
          // The page then says what has changed: the job, or the login.
          void queries.invalidateQueries({ queryKey: jobKey(options.job) });
        },
      });
      open.focus();
      setScreen(open);
    };
    // Without the font, the fallback is shown.
    document.fonts.load(`1em ${getComputedStyle(box.current!).fontFamily}`).then(start, start);
    return () => {
      gone = true;
      open?.close();
    };
  }, []);
  return { state, screen, written };
}
