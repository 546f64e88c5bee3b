/**
 * Tabs of pages with data and their counts; an open run or comparison has a tab of its own. Tabs that do not fit, and
 * pages without data, are behind one button.
 */

import { type MouseEvent, type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { useIdleAfterFirstRender } from "../../lib/use-idle-after-first-render";
import { Button } from "../../ui/button";
import head from "../../ui/head.module.css";
import { Icon } from "../../ui/icon";
import { Menu, MenuItem, MenuLabel } from "../../ui/menu";
import { RunName } from "../../ui/run-name";
import { KIND_PAGES, type KindPage, OTHER_PAGE, tagsOf } from "../data/kinds";
import { useKinds, useTagList } from "../data/lists";
import { useListedDetails } from "../runs/run-details";
import { commit, useView } from "../view/view";
import { printView } from "../view/view-address";
import { DEFAULT_PAGE } from "../view/view-state";
import { fittingTabs } from "./fitting-tabs";
import style from "./header.module.css";
import { hasPage } from "./pages";

interface TabInfo {
  page: string;
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
    { page: DEFAULT_PAGE, name: say("page.timeseries"), count: tags?.length },
    { page: "runs", name: say("page.runs"), count: runs.length || undefined },
    ...(page === "compare" ? [{ page: "compare", name: say("page.compare") }] : []),
    ...(page === "run"
      ? [{ page: "run", subject, name: <RunName className={style.subject} name={subject} /> }]
      : []),
    ...kinds
      .filter(({ info, tags: held }) => (held > 0 && hasPage(info.page)) || info.page === page)
      .map(({ info, tags: held }) => ({
        page: info.page,
        name: say(info.word),
        count: (!info.uncounted && held) || undefined,
      })),
  ];
  const bar = useRef<HTMLElement>(null);
  const rule = useRef<HTMLDivElement>(null);
  const fit = useFitting(bar, rule, tabs, page);
  const shown = tabs.filter((_, at) => fit.has(at));
  const rest = tabs.filter((_, at) => !fit.has(at));
  const others = kinds.filter(({ info }) => info.page !== page && info !== OTHER_PAGE);
  const without = others.filter(({ tags: held }) => held === 0);
  const later = others.filter(({ info, tags: held }) => held > 0 && !hasPage(info.page));
  return (
    <nav ref={bar} className={style.tabs} aria-label={say("shell.pages")}>
      <div className={style.rule} aria-hidden="true">
        <div ref={rule} className={style.measured}>
          {tabs.map((tab) => (
            <span key={tab.page} className={head.tab} data-current={tab.page === page || undefined}>
              <TabText {...tab} />
            </span>
          ))}
          <Button className={style.more} variant="quiet" tabIndex={-1}>
            {say("shell.more")}
            <Icon name="down" size={12} />
          </Button>
        </div>
      </div>
      {shown.map((tab) => (
        <Tab key={tab.page} {...tab} />
      ))}
      {rest.length + without.length + later.length > 0 && (
        <Menu
          trigger={
            <Button
              className={style.more}
              variant="quiet"
              aria-label={say("tabs.more")}
              data-testid="tab-more"
            >
              {say("shell.more")}
              <Icon name="down" size={12} />
            </Button>
          }
        >
          {rest.map((tab) => (
            <MenuItem
              key={tab.page}
              end={tab.count === undefined ? undefined : count(tab.count)}
              onSelect={() => commit({ page: tab.page, subject: tab.subject ?? "" })}
            >
              {tab.name}
            </MenuItem>
          ))}
          <Group label={say("tabs.later")} tabs={later} />
          <Group label={say("tabs.without")} tabs={without} />
        </Menu>
      )}
    </nav>
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
  const { page, subject = "" } = tab;
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

/** Indices of the tabs that fit into the bar, always with the current one. Measured on a hidden copy. */
function useFitting(
  bar: { current: HTMLElement | null },
  rule: { current: HTMLElement | null },
  tabs: readonly TabInfo[],
  page: string,
): ReadonlySet<number> {
  const [room, setRoom] = useState(Number.POSITIVE_INFINITY);
  const [widths, setWidths] = useState<readonly number[]>([]);
  // Use an observer: measuring would lay out the whole page during the first render. It is there before the first frame.
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => {
      const now = [...rule.current!.children].map((each) => Math.ceil(each.getBoundingClientRect().width));
      // Rendered before the frame is painted, in which tabs that do not fit would be cut off.
      flushSync(() => {
        setRoom(bar.current!.clientWidth);
        setWidths((was) => (sameItems(was, now) ? was : now));
      });
    });
    observer.observe(bar.current!);
    observer.observe(rule.current!);
    return () => observer.disconnect();
  }, [bar, rule]);
  const current = tabs.findIndex((tab) => tab.page === page);
  // Until they are measured, only the first ones: others might not fit, and would be seen cut off.
  if (widths.length !== tabs.length + 1) return new Set([0, 1, current].filter((at) => at in tabs));
  return fittingTabs(widths.slice(0, -1), current, room, widths.at(-1)!);
}

/** Pages of data kinds with the number of tags. Fetched after the charts; until then only the open page is shown. */
function useKindTabs(known: boolean, page: string): KindTab[] {
  const idle = useIdleAfterFirstRender();
  const counts = useKinds(known && idle).data?.plugins;
  const pages = [...KIND_PAGES, OTHER_PAGE];
  if (!counts) return pages.filter((info) => info.page === page).map((info) => ({ info, tags: 0 }));
  return pages.map((info) => ({ info, tags: tagsOf(info, counts) }));
}

function sameItems(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((each, at) => each === b[at]);
}
