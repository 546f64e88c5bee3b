/** What could not be read of a run: file, byte, what was skipped. */

import { formatStep } from "../../base/number";
import { useProblems } from "../../state/lists";
import { useWords } from "../../words/words";
import style from "./run.module.css";

export function Damage({ run }: { run: string }) {
  const say = useWords();
  const problems = useProblems(true).data?.problems.filter((problem) => problem.run === run) ?? [];
  return (
    <>
      <p className={style.nothing}>{say("damage.why")}</p>
      <ul className={style.damage}>
        {problems.map(({ file, offset, length, kind, message }) => (
          <li key={`${file} ${offset}`}>
            <bdi>{file}</bdi>
            <span>
              {kind === "damage"
                ? say("damage.place", { offset: formatStep(offset), length: formatStep(length) })
                : message}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
