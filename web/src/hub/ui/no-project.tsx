/** Shown instead of lists to an account that is in no project. */

import { useWords } from "../../i18n/words";
import { useMe } from "../data/me";
import { Link } from "./link";
import { EmptyState } from "./page";

/** Administrators see every project, so they always have one. */
export function useHasProject(): boolean {
  const me = useMe().data;
  return !me || me.account.administrator || me.memberships.length > 0;
}

export function NoProject() {
  const say = useWords();
  return (
    <EmptyState title={say("hub.noProject.title")}>
      <p>{say("hub.noProject.what")}</p>
      <Link to="/projects">{say("hub.page.projects")}</Link>
    </EmptyState>
  );
}
