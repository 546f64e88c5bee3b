/** The run filter: names, regular expressions, terms, with completion. Shows errors of the query. */

import { type KeyboardEvent, Suspense, useId, useLayoutEffect, useRef, useState } from "react";
import { useWords } from "../../i18n/words";
import { Field } from "../../ui/field";
import { lazyPart } from "../../ui/lazy-part";
import type { QueryError } from "../runs/query";
import { change, useView } from "../view/view";
import type { CompletionKeys } from "./filter-completions";

const FilterCompletions = lazyPart(() => import("./filter-completions"));

export const RUN_FILTER_ID = "run-filter";

const REASONS = {
  column: "query.noColumn",
  value: "query.noValue",
  number: "query.noNumber",
  brackets: "query.noBrackets",
  comparison: "query.noComparison",
} as const;

/** Keys that move the caret to another term. */
const MOVES = new Set(["ArrowLeft", "ArrowRight", "Home", "End"]);

/** What the completions are for. `asked`: the user opened the list without typing. */
interface Typed {
  cursor: number;
  asked: boolean;
}

export function RunFilter({
  fault,
  className,
}: {
  fault: QueryError | null;
  className?: string | undefined;
}) {
  const say = useWords();
  const filter = useView((view) => view.runFilter);
  const box = useRef<HTMLInputElement>(null);
  const keys = useRef<CompletionKeys>(null);
  const list = useId();
  const [typed, setTyped] = useState<Typed | null>(null);
  // Of the list: undefined while there is none, null if no item is active.
  const [active, setActive] = useState<string | null | undefined>(undefined);
  const caret = useRef<number | null>(null);
  // React puts the caret at the end of a text that was not typed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once the text is in the box
  useLayoutEffect(() => {
    if (caret.current !== null) box.current?.setSelectionRange(caret.current, caret.current);
    caret.current = null;
  }, [filter]);
  const close = () => setTyped(null);
  const open = (asked: boolean) => setTyped({ cursor: box.current?.selectionStart ?? 0, asked });
  const expanded = typed !== null && active !== undefined;
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (expanded && keys.current?.press(event.key)) event.preventDefault();
    else if (event.key === "ArrowDown") {
      event.preventDefault();
      open(true);
    } else if (MOVES.has(event.key)) close();
  };
  return (
    <Field
      ref={box}
      id={RUN_FILTER_ID}
      className={className}
      label={say("runs.filter")}
      placeholder={say("runs.filterHint")}
      clearLabel={say("action.clear")}
      hotkey="/"
      value={filter}
      onChange={(text) => {
        change({ runFilter: text });
        if (text === "") close();
        else open(false);
      }}
      onClick={() => filter === "" && open(true)}
      onKeyDown={press}
      onBlur={close}
      fault={expanded ? null : faultText()}
      listId={list}
      expanded={expanded}
      activeId={(expanded && active) || undefined}
    >
      {typed && (
        <Suspense>
          <FilterCompletions
            ref={keys}
            id={list}
            text={filter}
            cursor={typed.cursor}
            asked={typed.asked}
            onActive={setActive}
            onChoose={(text, cursor, more) => {
              caret.current = cursor;
              change({ runFilter: text });
              setTyped(more ? { cursor, asked: false } : null);
            }}
            onClose={close}
          />
        </Suspense>
      )}
    </Field>
  );

  function faultText(): string | null {
    if (fault === null) return null;
    if (fault.reason === "regex") return say("filter.bad", { why: fault.message });
    return say(REASONS[fault.reason], { about: fault.about });
  }
}
