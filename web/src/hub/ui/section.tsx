/** A titled section on the page of something. */

import type { ReactNode } from "react";
import { visibleText } from "../../lib/visible-text";
import style from "./section.module.css";

interface SectionProps {
  title: ReactNode;
  /** What stands in the line of the title. */
  beside?: ReactNode;
  children: ReactNode;
  testId?: string;
}

export function Section({ title, beside, children, testId }: SectionProps) {
  const head = <h2>{title}</h2>;
  return (
    <section className={style.section} data-testid={testId}>
      {beside ? (
        <div className={style.title}>
          {head}
          {beside}
        </div>
      ) : (
        head
      )}
      {children}
    </section>
  );
}

/** A name, path or command. */
export const Code = ({ children, title }: { children: ReactNode; title?: string }) => (
  <bdi className={style.code} title={title && visibleText(title)}>
    {typeof children === "string" ? visibleText(children) : children}
  </bdi>
);
