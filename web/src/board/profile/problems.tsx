/** What of a capture could not be read, in sentences. Nothing if all could. */

import { useWords } from "../../i18n/words";
import style from "./problems.module.css";

export function Problems({ problems }: { problems: readonly string[] }) {
  const say = useWords();
  if (problems.length === 0) return null;
  return (
    <section className={style.card} aria-label={say("profile.problems")}>
      <h2>{say("profile.problems")}</h2>
      {problems.map((problem) => (
        <p key={problem}>{problem}</p>
      ))}
    </section>
  );
}
