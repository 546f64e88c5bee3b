/** Sound of all runs: waves below each other at one step, and one player for all of them. */

import { useEffect } from "react";
import { AudioCard } from "../../panels/audio/audio-card";
import { hear, leave, placedAs, toggle, usePlayer } from "../../panels/audio/player";
import { PlayerBar } from "../../panels/audio/player-bar";
import { useKindLooks, useKindSteps } from "../../state/kindsteps";
import { KindPage } from "../kind/kind-page";
import { PageStep } from "../kind/page-step";
import style from "./audio-page.module.css";

const PAGE = "audio";
const CARD_PX = 240;

export default function AudioPage() {
  const steps = useKindSteps(PAGE, useKindLooks(PAGE));
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

/** The space bar plays, the first clip where none was chosen; with the page goes its sound. */
function useSpace(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { key, target, defaultPrevented, ctrlKey, metaKey, altKey } = event;
      if (key !== " " || defaultPrevented || ctrlKey || metaKey || altKey || isBusy(target)) return;
      if (!usePlayer.getState().heard) {
        const first = document.querySelector<HTMLElement>("[data-clip]")?.dataset.clip;
        const heard = first === undefined ? undefined : placedAs(first);
        if (heard) hear(heard);
      }
      if (toggle()) event.preventDefault();
    };
    // Before the keys of the whole page, which would play through the steps.
    document.addEventListener("keydown", press);
    return () => {
      document.removeEventListener("keydown", press);
      leave();
    };
  }, []);
}

/** Somebody types, or the space bar presses what has the keyboard. */
function isBusy(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement) || document.querySelector("dialog[open]")) return true;
  if (target instanceof HTMLInputElement && target.type === "range") return false;
  return target.closest("button, a, input, select, textarea, [role=menuitem]") !== null;
}
