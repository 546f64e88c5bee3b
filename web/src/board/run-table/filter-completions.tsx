/** The list below the run filter: what the term at the caret can become. The box keeps the focus and has the keys. */

import { type Ref, useEffect, useImperativeHandle, useMemo, useState } from "react";
import { count } from "../../i18n/format";
import { useWords, type WordId } from "../../i18n/words";
import { Mark } from "../../ui/mark";
import { useQueryNames } from "../runs/filtered-runs";
import { type Completion, type CompletionKind, completionsAt } from "../runs/query-completion";
import { useListedDetails } from "../runs/run-details";
import { differingKeys, useTableColumns } from "../runs/table-columns";
import style from "./filter-completions.module.css";

/** What the box does with its keys. */
export interface CompletionKeys {
  /** Whether the list has used the key. */
  press(key: string): boolean;
}

interface FilterCompletionsProps {
  ref: Ref<CompletionKeys>;
  id: string;
  text: string;
  cursor: number;
  /** Offer columns although nothing is typed. */
  asked: boolean;
  /** The id of the active item; null if none is, undefined if nothing is offered. */
  onActive(id: string | null | undefined): void;
  /** `more`: the term goes on, so the next list is wanted. */
  onChoose(text: string, cursor: number, more: boolean): void;
  onClose(): void;
}

const KIND_WORDS: Partial<Record<CompletionKind, WordId>> = {
  config: "group.config",
  tag: "palette.tag",
  run: "palette.run",
};

/** A value follows. */
const ENDS_OPEN = /[<>=:]$/;

export default function FilterCompletions(props: FilterCompletionsProps) {
  const { ref, id, text, cursor, asked, onActive, onChoose, onClose } = props;
  const say = useWords();
  const { from, to, items } = useCompletions(text, cursor, asked);
  // None is active at first: Enter must not replace what was typed. New values of runs keep it.
  const [chosen, setChosen] = useState({ text, item: "" });
  const at = chosen.text === text ? items.findIndex((item) => item.text === chosen.item) : -1;
  const activate = (place: number) => setChosen({ text, item: items[place]?.text ?? "" });
  const choose = ({ insert }: Completion) =>
    onChoose(text.slice(0, from) + insert + text.slice(to), from + insert.length, ENDS_OPEN.test(insert));
  useImperativeHandle(ref, () => ({
    press(key) {
      if (key === "ArrowDown") activate(ringIndex(at, 1, items.length));
      else if (key === "ArrowUp") activate(ringIndex(at, -1, items.length));
      else if (key === "Escape") onClose();
      else if (key === "Enter" && items[at]) choose(items[at]);
      else return false;
      return true;
    },
  }));
  const active = items.length === 0 ? undefined : at < 0 ? null : `${id}-${at}`;
  useEffect(() => onActive(active), [active, onActive]);
  useEffect(() => () => onActive(undefined), [onActive]);
  if (items.length === 0) return null;
  return (
    <div id={id} role="listbox" aria-label={say("query.completions")} className={style.list}>
      {items.map((item, place) => (
        // biome-ignore lint/a11y/useFocusableInteractive: aria-activedescendant moves over the list
        // biome-ignore lint/a11y/useKeyWithClickEvents: the box above has the keys
        <div
          key={item.text}
          id={`${id}-${place}`}
          role="option"
          aria-selected={place === at}
          // The marked part would be read as a word of its own.
          aria-label={`${item.text} ${endOf(item)}`.trim()}
          className={style.item}
          data-kind={item.kind}
          // The focus stays in the box.
          onMouseDown={(event) => event.preventDefault()}
          onMouseMove={() => activate(place)}
          onClick={() => choose(item)}
        >
          <bdi className={style.text} title={item.text}>
            <Mark text={item.text} span={item.span} />
          </bdi>
          <span className={style.end}>{endOf(item)}</span>
        </div>
      ))}
    </div>
  );

  function endOf({ kind, runs }: Completion): string {
    if (runs !== undefined) return count(runs);
    const word = KIND_WORDS[kind];
    return word ? say(word) : "";
  }
}

/** From none, the arrow keys go to the first or the last item; beyond the ends there is none again. */
function ringIndex(at: number, by: number, length: number): number {
  return ((at + 1 + by + length + 1) % (length + 1)) - 1;
}

function useCompletions(text: string, cursor: number, asked: boolean) {
  const names = useQueryNames();
  const runs = useListedDetails();
  const columns = useTableColumns("page");
  return useMemo(() => {
    const metrics = columns.flatMap((column) => (column.kind === "metric" ? [column.tag] : []));
    const first = [...metrics.slice(0, 2), ...differingKeys(runs), ...metrics.slice(2)];
    return completionsAt(text, cursor, names, runs, first, asked);
  }, [text, cursor, names, runs, columns, asked]);
}
