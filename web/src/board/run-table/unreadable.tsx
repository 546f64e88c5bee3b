/** Reports folders or files below the logdir that could not be opened, and why; and missing parts of the server. */

import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import { Popover } from "../../ui/popover";
import { useProblems, useStatus } from "../data/lists";
import style from "./damage-mark.module.css";

export function Unreadable() {
  const say = useWords();
  const paths = useStatus().data?.unreadable ?? [];
  if (paths.length === 0) return null;
  const text = say("runs.unreadable", { count: paths.length });
  return (
    <Popover
      label={text}
      align="start"
      trigger={
        <Button size="small" variant="quiet" icon="warning" data-testid="unreadable">
          {text}
        </Button>
      }
    >
      <Paths paths={paths} />
    </Popover>
  );
}

function Paths({ paths }: { paths: readonly string[] }) {
  const problems = useProblems(true).data?.problems ?? [];
  const why = new Map(
    problems.filter(({ kind }) => kind === "unreadable").map((one) => [one.file, one.message]),
  );
  const lacks = problems.filter(({ kind }) => kind === "descriptors" || kind === "connections");
  return (
    <ul className={style.list}>
      {lacks.map(({ kind, message }) => (
        <li key={kind} data-testid="lack">
          {message}
        </li>
      ))}
      {paths.map((path) => (
        <li key={path}>
          <bdi className={style.file}>{path}</bdi>
          <span className={style.where}>{why.get(path)}</span>
        </li>
      ))}
    </ul>
  );
}
