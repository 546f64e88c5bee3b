import { useWords } from "../../../words/words";
import { Nothing } from "../../parts/page";

/** What this hub does not do yet, said plainly. */
export function Later({ kind }: { kind: string }) {
  const say = useWords();
  return (
    <Nothing title={say(kind === "jobs" ? "hub.later.jobs" : "hub.later.notebooks")}>
      <p>{say("hub.later.what")}</p>
    </Nothing>
  );
}
