/** What somebody reads who is in no project, where the things of projects would be listed. */

import { useWords } from "../../words/words";
import { useMe } from "../state/me";
import { Link } from "./link";
import { Nothing } from "./page";

/** Administrators see every project, so they are never without one. */
export function useHasProject(): boolean {
  const me = useMe().data;
  return !me || me.account.administrator || me.memberships.length > 0;
}

export function NoProject() {
  const say = useWords();
  return (
    <Nothing title={say("hub.noProject.title")}>
      <p>{say("hub.noProject.what")}</p>
      <Link to="/projects">{say("hub.page.projects")}</Link>
    </Nothing>
  );
}
