/** The frame of a card: title with its scope dimmed, a summary, and actions that appear on hover or focus. */

import { type ComponentType, createContext, type ReactNode, type Ref, useContext } from "react";
import style from "./card.module.css";

interface CardProps {
  /** The whole name; everything before the last `/` is its scope. */
  tag: string;
  /** Shown instead of the tag, if the writer gave one. */
  displayName?: string | undefined;
  /** Shown dimmed after the name, such as the baseline of the values. */
  suffix?: string | undefined;
  /** Replaces the title, for a card of several tags. */
  title?: ReactNode;
  summary: ReactNode;
  actions: ReactNode;
  /** Shown below the body. */
  foot?: ReactNode;
  children: ReactNode;
  ref?: Ref<HTMLElement>;
}

export function Card({ tag, displayName, suffix, title, summary, actions, foot, children, ref }: CardProps) {
  return (
    <article ref={ref} className={style.card} data-testid="card" data-tag={tag} aria-label={tag}>
      <header className={style.head} data-grip="">
        {title ?? <Title tag={tag} displayName={displayName} suffix={suffix} />}
        <div className={style.summary}>{summary}</div>
      </header>
      <div className={style.actions}>{actions}</div>
      <div className={style.body}>{children}</div>
      {foot}
    </article>
  );
}

interface TitleProps {
  tag: string;
  displayName?: string | undefined;
  suffix?: string | undefined;
}

/** The prefix of each tag that the heading of its section already shows: titles start after it. */
export const SectionPrefixes = createContext<ReadonlyMap<string, string>>(new Map());

export function Title({ tag, displayName, suffix }: TitleProps) {
  const prefix = useContext(SectionPrefixes).get(tag) ?? "";
  const whole = displayName || tag;
  const shown = whole.startsWith(prefix) ? whole.slice(prefix.length) : whole;
  const cut = shown.lastIndexOf("/", shown.length - 2) + 1;
  return (
    <h3
      dir="auto"
      className={style.title}
      title={displayName && displayName !== tag ? `${displayName}\n${tag}` : tag}
    >
      {cut > 0 && <span className={style.scope}>{shown.slice(0, cut)}</span>}
      <span className={style.name}>{shown.slice(cut)}</span>
      {suffix && <bdi className={style.suffix}>{suffix}</bdi>}
    </h3>
  );
}

/** Exports that a page offers on its cards. The page provides them, since panels do not import each other. */
export interface CardExports {
  /** Menu items for the card of a tag. */
  Items: ComponentType<{ tag: string }>;
  /** Links to the series of a tag, shown on the card. */
  Links: ComponentType<{ tag: string }>;
}

export const CardExportsContext = createContext<CardExports | null>(null);
