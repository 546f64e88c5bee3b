// biome-ignore-all lint/a11y/useSemanticElements: a table of which only the rows in sight exist
// biome-ignore-all lint/a11y/useFocusableInteractive: rows and heads hold what takes the focus

/** The cells that the rows of TensorBoards and of jobs have in common. */

import type { ReactNode } from "react";
import { dateTime } from "../../../i18n/format";
import { useWords } from "../../../i18n/words";
import { visibleText } from "../../../lib/visible-text";
import { Button } from "../../../ui/button";
import { RunName } from "../../../ui/run-name";
import { Link } from "../../ui/link";
import list from "./resource-list.module.css";

interface StatusCellProps {
  pill: ReactNode;
  /** "" if the status says enough. */
  reason: string;
}

export function StatusCell({ pill, reason }: StatusCellProps) {
  return (
    <div role="cell" className={list.status}>
      {pill}
      {reason && (
        <span className={list.second} title={reason}>
          {reason}
        </span>
      )}
    </div>
  );
}

interface NameCellProps {
  name: string;
  /** The page of the resource. */
  page: string;
  /** Shown below the name. */
  children: ReactNode;
}

export function NameCell({ name: text, page, children }: NameCellProps) {
  const name = visibleText(text);
  return (
    <div role="cell" className={list.name}>
      <Link to={page} className={list.title} title={name} aria-label={name}>
        <RunName name={name} title="" />
      </Link>
      {children}
    </div>
  );
}

export function LinkCell({ children }: { children: ReactNode }) {
  return (
    <div role="cell" className={list.link}>
      {children}
    </div>
  );
}

/** `at` in seconds. */
export function CreatedCell({ at }: { at: number }) {
  return (
    <div role="cell" className={list.created}>
      <time dateTime={new Date(at * 1000).toISOString()}>{dateTime(at)}</time>
    </div>
  );
}

interface MenuCellProps {
  /** Of the resource. */
  name: string;
  children(trigger: ReactNode): ReactNode;
}

export function MenuCell({ name, children }: MenuCellProps) {
  const say = useWords();
  return (
    <div role="cell" className={list.menu}>
      {children(
        <Button variant="quiet" icon="more" label={say("hub.list.menu", { name })} data-testid="row-menu" />,
      )}
    </div>
  );
}
