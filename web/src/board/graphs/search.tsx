/** Finds nodes by name, type, shape or attribute. */

import { type KeyboardEvent, useEffect, useId, useState } from "react";
import { count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { Breakable } from "../../ui/breakable";
import { Field } from "../../ui/field";
import { type GraphName, useFound } from "./graph-data";
import side from "./side.module.css";

const TYPING_MS = 200;

interface SearchProps {
  graph: GraphName;
  onFound(path: string): void;
}

export function Search({ graph, onFound }: SearchProps) {
  const say = useWords();
  const id = useId();
  const [text, setText] = useState("");
  const [active, setActive] = useState(0);
  const asked = useDebounced(text.trim());
  const found = useFound(graph, asked);
  const hits = (asked === "" ? undefined : found.data?.hits) ?? [];
  const go = (at: number) => {
    const hit = hits[at];
    if (hit) onFound(hit.path);
  };
  const handleKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "ArrowDown") setActive(Math.min(hits.length - 1, active + 1));
    else if (event.key === "ArrowUp") setActive(Math.max(0, active - 1));
    else if (event.key === "Enter") go(active);
    else return;
    event.preventDefault();
  };
  return (
    <section className={side.part} aria-label={say("graphs.search")} data-testid="graph-search">
      <Field
        label={say("graphs.search")}
        placeholder={say("graphs.searchHint")}
        clearLabel={say("action.clear")}
        value={text}
        onChange={(next) => {
          setText(next);
          setActive(0);
        }}
        onKeyDown={handleKey}
        listId={id}
        expanded={hits.length > 0}
        activeId={hits.length > 0 ? `${id}-${active}` : undefined}
        fault={asked !== "" && found.error ? found.error.message : null}
      />
      {asked !== "" && found.data && (
        <p className={side.note} role="status">
          {found.data.total > hits.length
            ? say("graphs.foundSome", { count: found.data.total, told: count(hits.length) })
            : say("graphs.found", { count: found.data.total })}
        </p>
      )}
      {hits.length > 0 && (
        <div className={side.list} id={id} role="listbox" aria-label={say("graphs.search")}>
          {hits.map(({ path, op, kind }, at) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the box above has the keys
            <div
              key={path}
              id={`${id}-${at}`}
              role="option"
              tabIndex={-1}
              className={side.item}
              aria-selected={at === active}
              title={path}
              onClick={() => {
                setActive(at);
                go(at);
              }}
            >
              <span className={side.path}>
                <Breakable>{path}</Breakable>
              </span>
              <span className={side.end}>{op || say(kind === "scope" ? "graphs.scope" : "graphs.node")}</span>
            </div>
          ))}
        </div>
      )}
    </section>
  );
}

/** The text once it has not changed for a moment. */
function useDebounced(text: string): string {
  const [debounced, setDebounced] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), text === "" ? 0 : TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return text === "" ? "" : debounced;
}
