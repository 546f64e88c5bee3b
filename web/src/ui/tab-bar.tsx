/** A bar of tabs. Those that do not fit are behind one button. */

import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useWords } from "../i18n/words";
import { Button } from "./button";
import { fittingTabs } from "./fitting-tabs";
import { Icon } from "./icon";
import { Menu } from "./menu";
import style from "./tab-bar.module.css";

interface TabBarProps<Tab extends { id: string }> {
  label: string;
  /** Of the button, if its text says too little. */
  moreLabel?: string;
  className: string | undefined;
  /** The class of a tab, also of those that are measured. */
  tabClass: string | undefined;
  tabs: readonly Tab[];
  /** The id of the current tab. */
  current: string;
  /** What a tab shows. */
  face(tab: Tab): ReactNode;
  link(tab: Tab): ReactNode;
  /** The menu with the tabs that do not fit; null for no button. */
  menu(rest: readonly Tab[]): ReactNode | null;
  /** Whether the button is there although all tabs fit. */
  alwaysMore?: boolean;
}

export function TabBar<Tab extends { id: string }>(props: TabBarProps<Tab>) {
  const {
    label,
    moreLabel,
    className,
    tabClass,
    tabs,
    current,
    face,
    link,
    menu,
    alwaysMore = false,
  } = props;
  const say = useWords();
  const bar = useRef<HTMLElement>(null);
  const rule = useRef<HTMLDivElement>(null);
  const at = tabs.findIndex((tab) => tab.id === current);
  const fit = useFitting(bar, rule, tabs.length, at, alwaysMore);
  const items = menu(tabs.filter((_, index) => !fit.has(index)));
  const more = (
    <>
      {say("action.more")}
      <Icon name="down" size={12} />
    </>
  );
  return (
    <nav ref={bar} className={`${style.bar} ${className}`} aria-label={label}>
      <div className={style.rule} aria-hidden="true">
        <div ref={rule} className={style.measured}>
          {tabs.map((tab, index) => (
            <span key={tab.id} className={tabClass} data-current={index === at || undefined}>
              {face(tab)}
            </span>
          ))}
          <Button className={style.more} variant="quiet" tabIndex={-1}>
            {more}
          </Button>
        </div>
      </div>
      {tabs.filter((_, index) => fit.has(index)).map(link)}
      {items !== null && (
        <Menu
          trigger={
            <Button className={style.more} variant="quiet" aria-label={moreLabel} data-testid="tab-more">
              {more}
            </Button>
          }
        >
          {items}
        </Menu>
      )}
    </nav>
  );
}

/** Indices of the tabs that fit into the bar, always with the current one. Measured on a hidden copy. */
function useFitting(
  bar: { current: HTMLElement | null },
  rule: { current: HTMLElement | null },
  count: number,
  current: number,
  alwaysMore: boolean,
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
  // Until they are measured, only the first ones: others might not fit, and would be seen cut off.
  if (widths.length !== count + 1) return new Set([0, 1, current].filter((at) => at >= 0 && at < count));
  return fittingTabs(widths.slice(0, -1), current, room, widths.at(-1)!, alwaysMore);
}

function sameItems(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((each, at) => each === b[at]);
}
