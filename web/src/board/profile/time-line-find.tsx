/** Finds slices of a time line by their names: how many there are, and the way to the next and the previous one. */

import { type KeyboardEvent, type Ref, useEffect, useRef, useState } from "react";
import { count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import { Field } from "../../ui/field";
import type { SliceName } from "../view/profile-view";
import { change } from "../view/view";
import { type CaptureName, type FoundSlice, findSlice, showProfile, useFound } from "./profiles";
import style from "./time-line-find.module.css";

const TYPING_MS = 200;

interface TimeLineFindProps {
  name: CaptureName;
  /** What is looked for. */
  text: string;
  chosen: SliceName | null;
  /** Where the window begins: the search does, while no slice is chosen. */
  begin: number;
  box: Ref<HTMLInputElement>;
  onFound(slice: FoundSlice): void;
  /** Escape leaves the box. */
  onLeave(): void;
}

export function TimeLineFind({ name, text, chosen, begin, box, onFound, onLeave }: TimeLineFindProps) {
  const say = useWords();
  const [typed, type] = useTyped(text);
  const { data, error } = useFound(name, text);
  const [last, setLast] = useState<FoundSlice | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const isLooking = text.trim() !== "";
  const go = async (backward: boolean) => {
    const search = typed.trim();
    if (search === "") return;
    if (search !== text) type(search, true);
    try {
      const found = await findSlice(name, { search, backward, slice: chosen, begin_us: begin });
      setFault(null);
      setLast(found);
      if (found) onFound(found);
    } catch (problem) {
      setFault(problem instanceof Error ? problem.message : String(problem));
    }
  };
  const handleKey = (event: KeyboardEvent) => {
    if (event.key === "Enter") void go(event.shiftKey);
    else if (event.key === "Escape") {
      if (typed !== "") type("");
      else onLeave();
    } else if (event.key.toLowerCase() === "f" && (event.ctrlKey || event.metaKey)) {
      (event.target as HTMLInputElement).select();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const isAtLast = last !== null && last.host === chosen?.host && last.slice === chosen.slice;
  const total = data?.total ?? 0;
  return (
    <search className={style.find}>
      <Field
        ref={box}
        label={say("profile.find")}
        clearLabel={say("action.clear")}
        value={typed}
        onChange={(to) => type(to)}
        onKeyDown={handleKey}
        fault={fault ?? error?.message ?? null}
        className={style.box}
        hotkey="/"
      />
      {isLooking && (
        <>
          <span className={style.count} role="status" data-testid="found-count">
            {data === undefined
              ? ""
              : isAtLast && last.total === total
                ? say("profile.foundPlace", { index: count(last.index + 1), total: count(total) })
                : say("profile.foundSlices", { count: total })}
          </span>
          <Button
            size="small"
            variant="quiet"
            icon="up"
            label={say("profile.findPrevious")}
            disabled={total === 0}
            onClick={() => void go(true)}
          />
          <Button
            size="small"
            variant="quiet"
            icon="down"
            label={say("profile.findNext")}
            disabled={total === 0}
            onClick={() => void go(false)}
          />
        </>
      )}
    </search>
  );
}

/** What is typed is looked for once it has not changed for a moment. */
function useTyped(text: string) {
  const [typed, setTyped] = useState(text);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => setTyped(text), [text]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const type = (to: string, isReady = to === "") => {
    setTyped(to);
    clearTimeout(timer.current);
    if (isReady) showProfile({ find: to }, change);
    else timer.current = setTimeout(() => showProfile({ find: to }, change), TYPING_MS);
  };
  return [typed, type] as const;
}
