/** A control with its label above and a hint or error below. */

import type { ReactNode } from "react";
import style from "./labelled.module.css";

interface LabelledProps {
  label: string;
  /** Id of the control. */
  id: string;
  hint?: ReactNode;
  fault?: string | null | undefined;
  children: ReactNode;
}

export function Labelled({ label, id, hint, fault, children }: LabelledProps) {
  return (
    <div className={style.field}>
      <label className={style.label} htmlFor={id}>
        {label}
      </label>
      {children}
      {fault ? (
        <p className={style.fault} id={`${id}-word`} role="alert">
          {fault}
        </p>
      ) : (
        hint && (
          <p className={style.hint} id={`${id}-word`}>
            {hint}
          </p>
        )
      )}
    </div>
  );
}
