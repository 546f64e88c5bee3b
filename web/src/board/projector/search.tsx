/** Finds points by the values of a column and selects them. */

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { searchPoints } from "../../api/projector";
import { count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import { Field } from "../../ui/field";
import { Select } from "../../ui/select";
import { clearSelection, select } from "./exploration";
import { rowsOf } from "./rows";
import style from "./side.module.css";
import { keyOf, type Tensor } from "./tensors";

const TYPING_MS = 250;

export function Search({ tensor, label }: { tensor: Tensor; label: string }) {
  const say = useWords();
  const columns = tensor.columns;
  const [text, setText] = useState("");
  const [regex, setRegex] = useState(false);
  const [chosen, choose] = useState<string | null>(null);
  const column = columns.find(({ name }) => name === chosen)?.name ?? label;
  const debounced = useDebounced(text);
  const { run, name } = tensor;
  const found = useQuery({
    queryKey: ["projector", "search", keyOf(tensor), column, debounced, regex],
    queryFn: ({ signal }) => searchPoints({ run, name, column, query: debounced, regex }, signal),
    enabled: debounced !== "",
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 60_000,
  });
  const rows = debounced === "" ? null : (found.data?.rows ?? null);
  useEffect(() => {
    if (rows !== null) select(rowsOf(rows));
  }, [rows]);
  const setQuery = (next: string) => {
    setText(next);
    if (next === "" && text !== "") clearSelection();
  };
  return (
    <section className={style.part} aria-label={say("projector.search")} data-testid="search">
      <Field
        label={say("projector.search")}
        clearLabel={say("action.clear")}
        value={text}
        onChange={setQuery}
        fault={debounced !== "" && found.error ? found.error.message : null}
      />
      <div className={style.row}>
        <Select
          label={say("projector.searchIn")}
          value={column}
          options={columns.map((each) => ({ value: each.name, label: each.name || "–" }))}
          onChange={choose}
        />
        <Button aria-pressed={regex} label={say("projector.regex")} onClick={() => setRegex(!regex)}>
          .*
        </Button>
      </div>
      <p className={style.note} role="status">
        {debounced !== "" && found.data && !found.error && (
          <SearchResult total={found.data.total} told={found.data.rows.length} />
        )}
      </p>
    </section>
  );
}

function SearchResult({ total, told }: { total: number; told: number }) {
  const say = useWords();
  if (told < total) return say("projector.foundSome", { count: total, told: count(told) });
  return say("projector.found", { count: total });
}

/** The text once it has not changed for a moment. */
function useDebounced(text: string): string {
  const [debounced, setDebounced] = useState(text);
  useEffect(() => {
    if (text === "") {
      setDebounced("");
      return;
    }
    const timer = setTimeout(() => setDebounced(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return text === "" ? "" : debounced;
}
