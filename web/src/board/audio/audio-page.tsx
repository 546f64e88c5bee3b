/** Audio of all runs: waveforms below each other at one step, and one player for all of them. */

import { useEffect } from "react";
import { KindPage } from "../cards/kind-page";
import { useKindSteps, useKindStyles } from "../cards/kind-steps";
import { PageStep } from "../cards/page-step";
import { AudioCard } from "./audio-card";
import style from "./audio-page.module.css";
import { clipById, selectClip, stopPlayback, toggle, usePlayer } from "./player";
import { PlayerBar } from "./player-bar";

const PAGE = "audio";
const CARD_PX = 240;

export default function AudioPage() {
  const steps = useKindSteps(PAGE, useKindStyles(PAGE));
  useSpace();
  return (
    <div className={style.page}>
      <KindPage kind={PAGE} height={CARD_PX} tools={<PageStep steps={steps} />}>
        {({ tag, runs }) => <AudioCard tag={tag} runs={runs} />}
      </KindPage>
      {steps.length > 0 && <PlayerBar />}
    </div>
  );
}

/** The space bar plays the selected clip, or the first one. Leaving the page stops playback. */
function useSpace(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { key, target, defaultPrevented, ctrlKey, metaKey, altKey } = event;
      if (key !== " " || defaultPrevented || ctrlKey || metaKey || altKey || isBusy(target)) return;
      if (!usePlayer.getState().playback) {
        const first = document.querySelector<HTMLElement>("[data-clip]")?.dataset.clip;
        const playback = first === undefined ? undefined : clipById(first);
        if (playback) selectClip(playback);
      }
      if (toggle()) event.preventDefault();
    };
    // Runs before the hotkeys of the page, in which the space bar plays through the steps.
    document.addEventListener("keydown", press);
    return () => {
      document.removeEventListener("keydown", press);
      stopPlayback();
    };
  }, []);
}

/** The user types, or the space bar activates the focused element. */
function isBusy(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement) || document.querySelector("dialog[open]")) return true;
  if (target instanceof HTMLInputElement && target.type === "range") return false;
  return target.closest("button, a, input, select, textarea, [role=menuitem]") !== null;
}
