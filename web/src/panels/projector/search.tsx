/** Finding points by what a column says of them; what is found is selected. */

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { askSearch } from "../../api/projector";
import { Button } from "../../widgets/button";
import { Field } from "../../widgets/field";
import { Select } from "../../widgets/select";
import { count } from "../../words/format";
import { useWords } from "../../words/words";
import { letGo, select } from "./exploring";
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
  const asked = useSettled(text);
  const { run, name } = tensor;
  const found = useQuery({
    queryKey: ["projector", "search", keyOf(tensor), column, asked, regex],
    queryFn: ({ signal }) => askSearch({ run, name, column, query: asked, regex }, signal),
    enabled: asked !== "",
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 60_000,
  });
  const rows = asked === "" ? null : (found.data?.rows ?? null);
  useEffect(() => {
    if (rows !== null) select(rowsOf(rows));
  }, [rows]);
  const put = (next: string) => {
    setText(next);
    if (next === "" && text !== "") letGo();
  };
  return (
    <section className={style.part} aria-label={say("projector.search")} data-testid="search">
      <Field
        label={say("projector.search")}
        clearLabel={say("action.clear")}
        value={text}
        onChange={put}
        fault={asked !== "" && found.error ? found.error.message : null}
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
        {asked !== "" && found.data && !found.error && (
          <Told total={found.data.total} told={found.data.rows.length} />
        )}
      </p>
    </section>
  );
}

function Told({ total, told }: { total: number; told: number }) {
  const say = useWords();
  if (told < total) return say("projector.foundSome", { count: total, told: count(told) });
  return say("projector.found", { count: total });
}

/** The text once nobody has typed for a moment. */
function useSettled(text: string): string {
  const [settled, settle] = useState(text);
  useEffect(() => {
    if (text === "") {
      settle("");
      return;
    }
    const timer = setTimeout(() => settle(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return text === "" ? "" : settled;
}
