/** "CSV · JSON" below a chart, for one run at a time, as in TensorBoard: links that can be copied. */

import { useState } from "react";
import { apiUrl } from "../../api/client";
import { useWords } from "../../i18n/words";
import { fileName } from "../../lib/download";
import { Select } from "../../ui/select";
import { useRuns } from "../data/lists";
import style from "./download-links.module.css";
import { type ExportCard, runIds } from "./export-card";
import { useCard } from "./use-export-cards";

const FORMATS = [
  { format: "csv", name: "links.csv" },
  { format: "json", name: "links.json" },
] as const;

export default function DownloadLinks({ tag }: { tag: string }) {
  const card = useCard(tag);
  return card && <CardLinks card={card} />;
}

/** The same for a card that does not belong to one tag. */
export function CardLinks({ card }: { card: ExportCard }) {
  const say = useWords();
  const runs = useRuns();
  const [chosen, choose] = useState("");
  const ids = new Map(runs.map((run) => [run.id, run]));
  const options = card.flatMap((part) =>
    runIds(part.runs).flatMap((id) => {
      const run = ids.get(id)?.name;
      if (run === undefined) return [];
      const label = card.length > 1 ? `${run} · ${part.tag.tag}` : run;
      return [{ value: `${id} ${part.tag.tag}`, label, run, tag: part.tag.tag }];
    }),
  );
  const option = options.find(({ value }) => value === chosen) ?? options[0];
  if (!option) return null;
  const { run, tag: of } = option;
  return (
    <div className={style.links} data-testid="download-links">
      <Select label={say("links.run")} value={option.value} options={options} onChange={choose} />
      {FORMATS.map(({ format, name }) => (
        <a
          key={format}
          href={apiUrl(`scalars/series?${new URLSearchParams({ run, tag: of, format })}`)}
          download={`${fileName(`${of}-${run}`)}.${format}`}
          aria-label={say(name, { run })}
        >
          {format.toUpperCase()}
        </a>
      ))}
    </div>
  );
}
