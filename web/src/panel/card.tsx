/** The frame every panel stands in: a title with its scope dimmed, a summary, actions at hand on hover or focus. */

import { createContext, type ReactNode, type Ref, useContext } from "react";
import style from "./card.module.css";

interface CardProps {
  /** The whole name; all before the last `/` is its scope. */
  tag: string;
  /** Said instead of the tag, if the writer gave one. */
  displayName?: string | undefined;
  /** Said dimly after the name, as what the values are measured from. */
  suffix?: string | undefined;
  /** Stands in place of the title, as where a card shows several tags. */
  title?: ReactNode;
  summary: ReactNode;
  actions: ReactNode;
  /** Stands below the body. */
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

/** What a section has said already of the tags in it, by tag: their titles begin after it. */
export const SaidBefore = createContext<ReadonlyMap<string, string>>(new Map());

export function Title({ tag, displayName, suffix }: TitleProps) {
  const said = useContext(SaidBefore).get(tag) ?? "";
  const whole = displayName || tag;
  const shown = whole.startsWith(said) ? whole.slice(said.length) : whole;
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
