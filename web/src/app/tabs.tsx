/**
 * The pages there are, with their counts; a run or a comparison that is open has a tab of its own. The kinds in the
 * logs that have no page yet are named honestly.
 */

import type { MouseEvent, ReactNode } from "react";
import { useListed } from "../state/facts";
import { KIND_WORDS } from "../state/kinds";
import { useKinds, useTagList } from "../state/lists";
import { useRested } from "../state/rested";
import { commit, useView } from "../state/view";
import { DEFAULT_PAGE, printView } from "../state/viewstate";
import { Button } from "../widgets/button";
import { Icon } from "../widgets/icon";
import { Menu, MenuItem, MenuLabel } from "../widgets/menu";
import { count } from "../words/format";
import { useWords } from "../words/words";
import style from "./header.module.css";

export function Tabs() {
  const say = useWords();
  const page = useView((view) => view.page);
  const subject = useView((view) => view.subject);
  const tags = useTagList().data?.tags;
  const runs = useListed();
  const kinds = useLaterKinds(tags !== undefined);
  return (
    <nav className={style.tabs} aria-label={say("shell.pages")}>
      <Tab page={DEFAULT_PAGE} name={say("page.timeseries")} count={tags?.length} />
      <Tab page="runs" name={say("page.runs")} count={runs.length || undefined} />
      {page === "compare" && <Tab page="compare" name={say("page.compare")} />}
      {page === "run" && (
        <Tab page="run" subject={subject} name={<bdi className={style.subject}>{subject}</bdi>} />
      )}
      {kinds.length > 0 && (
        <Menu
          trigger={
            <Button look="quiet" data-testid="tab-more">
              {say("shell.more")}
              <Icon name="down" size={12} />
            </Button>
          }
        >
          <MenuLabel>{say("shell.notShown")}</MenuLabel>
          {kinds.map(([kind, tagCount]) => (
            <MenuItem key={kind} disabled end={count(tagCount)}>
              {KIND_WORDS[kind] ? say(KIND_WORDS[kind]) : kind}
            </MenuItem>
          ))}
        </Menu>
      )}
    </nav>
  );
}

interface TabProps {
  page: string;
  subject?: string;
  name: ReactNode;
  count?: number | undefined;
}

function Tab({ page, subject = "", name, count: held }: TabProps) {
  const current = useView((view) => view.page === page);
  const go = (event: MouseEvent) => {
    // A new window is the browser's business.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (!current) commit({ page, subject });
  };
  return (
    <a
      className={style.tab}
      href={printView({ ...useView.getState(), page, subject }, location.search)}
      aria-current={current ? "page" : undefined}
      data-testid={`tab-${page}`}
      onClick={go}
    >
      {name}
      {held !== undefined && <span className={style.count}>{count(held)}</span>}
    </a>
  );
}

/** Kinds without a page. Asked for once the page has had time to show its charts. */
function useLaterKinds(known: boolean): [string, number][] {
  const rested = useRested();
  const kinds = useKinds(known && rested).data?.plugins ?? {};
  const order = Object.keys(KIND_WORDS);
  const place = (kind: string) => (order.includes(kind) ? order.indexOf(kind) : order.length);
  return Object.entries(kinds)
    .filter(([kind]) => kind !== "scalars")
    .sort(([a], [b]) => place(a) - place(b) || (a < b ? -1 : 1));
}
