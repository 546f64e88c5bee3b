/** Parts of a page about one resource: its sections, its properties, and why it is not well. */

import type { ReactNode } from "react";
import { colon } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { Icon } from "../../ui/icon";
import { MenuItem } from "../../ui/menu";
import { TabBar } from "../../ui/tab-bar";
import { currentPath, go, useFragment } from "../data/route";
import style from "./detail.module.css";

interface SectionsProps<Name extends string> {
  /** The sections; the first is shown unless the address names another. */
  names: readonly Name[];
  label(name: Name): string;
  children(name: Name): ReactNode;
}

/** The section that the address names. */
export function useSection<Name extends string>(names: readonly Name[]): Name {
  const fragment = useFragment();
  return names.find((each) => each === fragment) ?? names[0]!;
}

export function Sections<Name extends string>({ names, label, children }: SectionsProps<Name>) {
  const say = useWords();
  const shown = useSection(names);
  return (
    <>
      <TabBar
        label={say("hub.detail.parts")}
        className={style.parts}
        tabClass={style.tab}
        tabs={names.map((id) => ({ id }))}
        current={shown}
        face={({ id }) => label(id)}
        link={({ id }) => (
          <a
            key={id}
            className={style.tab}
            href={`${location.pathname}${location.search}#${id}`}
            aria-current={id === shown ? "true" : undefined}
          >
            {label(id)}
          </a>
        )}
        menu={(rest) =>
          rest.length > 0
            ? rest.map(({ id }) => (
                <MenuItem key={id} onSelect={() => go(`${currentPath()}${location.search}#${id}`)}>
                  {label(id)}
                </MenuItem>
              ))
            : null
        }
      />
      <section className={style.part} aria-label={label(shown)}>
        {children(shown)}
      </section>
    </>
  );
}

/** Properties as names and values. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={style.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface WhyProps {
  failed: boolean;
  /** In the user's language, "" for none. */
  reason: string;
  /** Of the server, "" for none. */
  message: string;
  /** What to do about it. */
  advice?: string;
}

/** The reason for a status and what to do about it; nothing if there is none. */
export function Why({ failed, reason, message, advice }: WhyProps) {
  if (!reason && !message) return null;
  return (
    <p className={failed ? style.bad : style.why} role="status">
      {failed && <Icon name="warning" />}
      <span>
        {reason}
        {message && (
          <>
            {reason && colon()}
            <bdi lang="en">{message}</bdi>
          </>
        )}
        {advice && <span className={style.what}>{advice}</span>}
      </span>
    </p>
  );
}
