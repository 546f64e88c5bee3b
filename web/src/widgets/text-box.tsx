/** A box for one line of text, with its name above. */

import { type ComponentProps, useId } from "react";
import { Labelled } from "./labelled";
import style from "./text-box.module.css";

interface TextBoxProps extends Omit<ComponentProps<"input">, "onChange" | "value"> {
  label: string;
  value: string;
  onChange(value: string): void;
  hint?: string;
  fault?: string | null | undefined;
  /** Paths and other code. */
  code?: boolean;
}

export function TextBox({ label, value, onChange, hint, fault, code = false, id, ...rest }: TextBoxProps) {
  const own = useId();
  const name = id ?? own;
  return (
    <Labelled label={label} id={name} hint={hint} fault={fault}>
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
    </Labelled>
  );
}
