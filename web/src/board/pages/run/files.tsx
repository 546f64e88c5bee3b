/** The event files of a run, the latest first: path, size, and time of the last event. */

import { useState } from "react";
import { bytes, dateTime } from "../../../i18n/format";
import { type Say, useWords } from "../../../i18n/words";
import { Button } from "../../../ui/button";
import { type RunInfo, useEventFiles, wallTime } from "../../data/lists";
import style from "./run.module.css";
import { splitFolder } from "./split-folder";

/** Number of files shown at first: a restarted run often has one per start. */
const FIRST = 3;

export function Files({ run }: { run: RunInfo }) {
  const say = useWords();
  const [all, setAll] = useState(false);
  const files = useEventFiles(run);
  const { folder, names } = splitFolder(files.map(({ file }) => file));
  const lines = files.map((file, at) => ({ ...file, name: names[at] })).toReversed();
  const shown = all ? lines : lines.slice(0, FIRST);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: long lists are scrolled by keys too
    <section className={style.scroll} tabIndex={0} aria-label={say("run.files")}>
      <p className={style.nothing}>
        <bdi>{folder}</bdi>
      </p>
      <ul className={style.files} data-testid="run-files">
        {shown.map(({ file, name, size, last_wall_time }) => (
          <li key={file}>
            <bdi>{name}</bdi>
            <span>{aboutFile(size, wallTime(last_wall_time), say)}</span>
          </li>
        ))}
      </ul>
      {shown.length < files.length && (
        <Button variant="quiet" size="small" onClick={() => setAll(true)}>
          {say("run.allFiles", { count: files.length })}
        </Button>
      )}
    </section>
  );
}

function aboutFile(size: number, last: number | null, say: Say): string {
  return last === null ? bytes(size) : say("run.fileAge", { size: bytes(size), time: dateTime(last) });
}
