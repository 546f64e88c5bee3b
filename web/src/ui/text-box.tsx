/** A text box of one line with its label above. */

import { type ComponentProps, type ReactNode, useId } from "react";
import { Labelled } from "./labelled";
import style from "./text-box.module.css";

interface TextBoxProps extends Omit<ComponentProps<"input">, "onChange" | "value"> {
  label: string;
  value: string;
  onChange(value: string): void;
  hint?: string;
  fault?: string | null | undefined;
  /** Monospaced, for paths and other code. */
  code?: boolean;
  /** A button beside the box that helps to fill it. */
  beside?: ReactNode;
}

export function TextBox({
  label,
  value,
  onChange,
  hint,
  fault,
  code = false,
  beside,
  id,
  ...rest
}: TextBoxProps) {
  const own = useId();
  const name = id ?? own;
  const box = (
    <input
      id={name}
      className={[style.box, code && style.code, fault && style.bad].filter(Boolean).join(" ")}
      value={value}
      autoComplete="off"
      aria-invalid={fault ? true : undefined}
      aria-describedby={fault || hint ? `${name}-word` : undefined}
      spellCheck={false}
      onChange={(event) => onChange(event.target.value)}
      {...rest}
    />
  );
  return (
    <Labelled label={label} id={name} hint={hint} fault={fault}>
      {beside ? (
        <div className={style.row}>
          {box}
          {beside}
        </div>
      ) : (
        box
      )}
    </Labelled>
  );
}
