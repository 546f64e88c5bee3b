/**
 * Tabs of pages with data and their counts; an open run or comparison has a tab of its own. Tabs that do not fit, and
 * pages without data, are behind one button.
 */

import type { MouseEvent, ReactNode } from "react";
import { count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { useIdleAfterFirstRender } from "../../lib/use-idle-after-first-render";
import head from "../../ui/head.module.css";
import { MenuItem, MenuLabel } from "../../ui/menu";
import { RunName } from "../../ui/run-name";
import { TabBar } from "../../ui/tab-bar";
import { KIND_PAGES, type KindPage, OTHER_PAGE, tagsOf } from "../data/kinds";
import { useKinds, useTagList } from "../data/lists";
import { useListedDetails } from "../runs/run-details";
import { commit, useView } from "../view/view";
import { printView } from "../view/view-address";
import { DEFAULT_PAGE } from "../view/view-state";
import style from "./header.module.css";
import { hasPage } from "./pages";

interface TabInfo {
  /** The page. */
  id: string;
  subject?: string;
  name: ReactNode;
  count?: number | undefined;
}

interface KindTab {
  info: KindPage;
  /** Number of tags of these kinds in the logs. */
  tags: number;
}

export function Tabs() {
  const say = useWords();
  const page = useView((view) => view.page);
  const subject = useView((view) => view.subject);
  const tags = useTagList().data?.tags;
  const runs = useListedDetails();
  const kinds = useKindTabs(tags !== undefined, page);
  const tabs: TabInfo[] = [
    { id: DEFAULT_PAGE, name: say("page.timeseries"), count: tags?.length },
    { id: "runs", name: say("page.runs"), count: runs.length || undefined },
    ...(page === "compare" ? [{ id: "compare", name: say("page.compare") }] : []),
    ...(page === "run"
      ? [{ id: "run", subject, name: <RunName className={style.subject} name={subject} /> }]
      : []),
    ...kinds
      .filter(({ info, tags: held }) => (held > 0 && hasPage(info.page)) || info.page === page)
      .map(({ info, tags: held }) => ({
        id: info.page,
        name: say(info.word),
        count: (!info.uncounted && held) || undefined,
      })),
  ];
  const others = kinds.filter(({ info }) => info.page !== page && info !== OTHER_PAGE);
  const without = others.filter(({ tags: held }) => held === 0);
  const later = others.filter(({ info, tags: held }) => held > 0 && !hasPage(info.page));
  return (
    <TabBar
      label={say("shell.pages")}
      moreLabel={say("tabs.more")}
      className={style.tabs}
      tabClass={head.tab}
      tabs={tabs}
      current={page}
      face={(tab) => <TabText {...tab} />}
      link={(tab) => <Tab key={tab.id} {...tab} />}
      menu={(rest) =>
        rest.length + without.length + later.length > 0 ? (
          <>
            {rest.map((tab) => (
              <MenuItem
                key={tab.id}
                end={tab.count === undefined ? undefined : count(tab.count)}
                onSelect={() => commit({ page: tab.id, subject: tab.subject ?? "" })}
              >
                {tab.name}
              </MenuItem>
            ))}
            <Group label={say("tabs.later")} tabs={later} />
            <Group label={say("tabs.without")} tabs={without} />
          </>
        ) : null
      }
      alwaysMore
    />
  );
}

/** Pages without data, and why. They can be opened, and explain how to log such data. */
function Group({ label, tabs }: { label: string; tabs: readonly KindTab[] }) {
  const say = useWords();
  if (tabs.length === 0) return null;
  return (
    <>
      <MenuLabel>{label}</MenuLabel>
      {tabs.map(({ info, tags: held }) => (
        <MenuItem
          key={info.page}
          end={held > 0 ? count(held) : undefined}
          onSelect={() => commit({ page: info.page, subject: "" })}
        >
          {say(info.word)}
        </MenuItem>
      ))}
    </>
  );
}

function TabText({ name, count: held }: TabInfo) {
  return (
    <>
      {name}
      {held !== undefined && <span className={style.count}>{count(held)}</span>}
    </>
  );
}

function Tab(tab: TabInfo) {
  const { id: page, subject = "" } = tab;
  const current = useView((view) => view.page === page);
  const go = (event: MouseEvent) => {
    // Leave opening a new window to the browser.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (!current) commit({ page, subject });
  };
  return (
    <a
      className={head.tab}
      href={printView({ ...useView.getState(), page, subject }, location.search)}
      aria-current={current ? "page" : undefined}
      data-testid={`tab-${page}`}
      onClick={go}
    >
      <TabText {...tab} />
    </a>
  );
}

/** Pages of data kinds with the number of tags. Fetched after the charts; until then only the open page is shown. */
function useKindTabs(known: boolean, page: string): KindTab[] {
  const idle = useIdleAfterFirstRender();
  const counts = useKinds(known && idle).data?.plugins;
  const pages = [...KIND_PAGES, OTHER_PAGE];
  if (!counts) return pages.filter((info) => info.page === page).map((info) => ({ info, tags: 0 }));
  return pages.map((info) => ({ info, tags: tagsOf(info, counts) }));
}
