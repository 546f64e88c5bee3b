/** Links to every bucket of the runs of a card, where links are wanted. */

import { seriesUrl } from "../../state/histograms";
import type { RunLook } from "../../state/looks";
import { useView } from "../../state/view";
import { useWords } from "../../words/words";
import style from "./series-links.module.css";

export function SeriesLinks({ tag, runs }: { tag: string; runs: readonly RunLook[] }) {
  const say = useWords();
  const wanted = useView((view) => view.links);
  if (!wanted) return null;
  return (
    <ul className={style.links}>
      {runs.map(({ id, name, label }) => (
        <li key={id}>
          <bdi>{label}</bdi>
          {(["csv", "json"] as const).map((format) => (
            <a
              key={format}
              href={seriesUrl(name, tag, format)}
              download
              aria-label={`${label}: ${say(`hist.${format}`)}`}
            >
              {format.toUpperCase()}
            </a>
          ))}
        </li>
      ))}
    </ul>
  );
}
